import Foundation
import Fuzzing

// The decoder is not public. Scripts/fuzz builds it with testing enabled.
@testable import Nuke

/// The first byte of the input selects a coding and the size of chunks, and the rest is an encoded body. The result must
/// not depend on the chunks, nor on pauses. The rest is also encoded, and must be decoded to the same bytes.
@c(LLVMFuzzerTestOneInput)
public func readOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  withInput(bytes, count) { data in
    guard let first = data.first else { return }
    let coding = ["gzip", "deflate"][Int(first & 1)]
    let body = Data(data.dropFirst())
    let atOnce = decode(body, coding, chunkSize: max(1, body.count), pauses: false)
    let inChunks = decode(body, coding, chunkSize: Int(first >> 1) % 31 + 1, pauses: true)
    expect(atOnce == inChunks, "\(coding) depends on its chunks: \(String(describing: (atOnce, inChunks)))")

    let encoded = Data(PNGFile.stored([UInt8](body)))
    expect(decode(encoded, "deflate", chunkSize: 7, pauses: true) == body, "the decoded bytes are others")
  }
}

private let limit = 1 << 20

/// Returns the decoded body; `nil` if it is invalid, incomplete, or larger than the limit.
private func decode(_ body: Data, _ coding: String, chunkSize: Int, pauses: Bool) -> Data? {
  let decoder = ContentDecoder(coding, host: "a.test")
  var decoded = Data()
  var rest = body
  do throws(DataLoader.TransferError) {
    while !rest.isEmpty {
      let chunk = [UInt8](rest.prefix(chunkSize))
      rest = rest.dropFirst(chunkSize)
      var isDone = false
      while !isDone {
        let result = chunk.withUnsafeBytes { bytes in
          Result { () throws(DataLoader.TransferError) in
            try decoder.decode(bytes) { piece throws(DataLoader.TransferError) in
              decoded.append(contentsOf: piece)
              if decoded.count > limit { throw .bodyTooLarge(limit: limit) }
              return !pauses
            }
          }
        }
        isDone = try result.get()
      }
    }
    return decoder.incompleteness == nil ? decoded : nil
  } catch {
    return nil
  }
}
