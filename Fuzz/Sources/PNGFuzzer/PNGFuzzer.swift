import Foundation
import Fuzzing
import Nuke

/// An input that begins like a PNG is read as it is, and again with correct checksums. Any other input describes a
/// file: the first bytes are the header and the palette, and the rest are filtered rows, stored without compression, so
/// that the fuzzer reaches the pixels.
///
/// Each file is also read only by libpng, which must return the same result.
@c(LLVMFuzzerTestOneInput)
public func readOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  withInput(bytes, count) { data in
    if data.first == 0x89 {
      readBothWays(data)
      if let mended = PNGFile.withRightChecksums(data) { readBothWays(mended) }
    } else if data.count >= 8 {
      readBothWays(file(from: data))
    }
  }
}

private func readBothWays(_ data: Data) {
  read(data, with: PNGReader.self)
  // A damaged chunk that is otherwise skipped: such files are left to libpng.
  guard let damaged = PNGFile.withDamagedChunk(data) else { return }
  let (one, other) = (outcome(data), outcome(damaged))
  expect(one == other, "\(one.words) without libpng, \(other.words) with it")
}

private struct Outcome: Equatable {
  var words: String
  var pixels: [UInt8] = []
}

/// Returns the pixels, or the error without its offset, which differs in a file with an additional chunk.
private func outcome(_ data: Data) -> Outcome {
  do {
    let image = try PNGReader(data: data, limits: .fuzzing).decode(DecodeOptions())
    return Outcome(words: "\(image)", pixels: image.withUnsafeBytes { Array($0) })
  } catch {
    switch error {
    case .malformed(_, let reason, _): return Outcome(words: reason)
    case .truncated: return Outcome(words: "truncated")
    default: return Outcome(words: "\(error)")
    }
  }
}

private func file(from recipe: Data) -> Data {
  let bytes = [UInt8](recipe)
  let depths: [UInt8] = [1, 2, 4, 8, 16]
  let types: [UInt8] = [0, 2, 3, 4, 6]
  let paletteCount = Int(bytes[4]) * 3
  let transparencyCount = Int(bytes[5])
  var rest = bytes[8...]
  func take(_ count: Int) -> [UInt8] {
    let taken = Array(rest.prefix(count))
    rest = rest.dropFirst(count)
    return taken
  }
  var chunks: [(name: String, bytes: [UInt8])] = []
  if bytes[6] & 1 == 1 { chunks.append(("PLTE", take(paletteCount))) }
  if bytes[6] & 2 == 2 { chunks.append(("tRNS", take(transparencyCount))) }
  if bytes[6] & 4 == 4 { chunks.append(("gAMA", take(4))) }
  if bytes[6] & 8 == 8 { chunks.append(("cHRM", take(32))) }
  if bytes[6] & 16 == 16 { chunks.append(("sBIT", take(Int(bytes[7] & 7)))) }
  return PNGFile.file(
    width: UInt32(bytes[0]), height: UInt32(bytes[1]), bitDepth: depths[Int(bytes[2]) % 5],
    colorType: types[Int(bytes[3]) % 5], isInterlaced: bytes[6] & 128 != 0, chunks: chunks,
    filteredRows: Array(rest))
}
