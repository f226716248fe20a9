import Foundation
import Fuzzing
import Nuke

/// The input is the beginning of a file in whatever format, of which ever more arrives.
@c(LLVMFuzzerTestOneInput)
public func readOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  withInput(bytes, count) { data in
    var known: ImageHeader?
    var hasFailed = false
    for count in lengths(upTo: data.count) {
      do {
        // In memory of its own length, so that reading past the end is seen.
        guard let header = try ImageReaders.header(ofPrefix: Data([UInt8](data.prefix(count)))) else {
          expect(known == nil, "what was known from less is not known from \(count) bytes")
          continue
        }
        expect(!hasFailed, "\(count) bytes help where less was said to be beyond help")
        if let known {
          expect(
            header.format == known.format && header.storedWidth == known.storedWidth
              && header.storedHeight == known.storedHeight, "\(header) from \(count) bytes, before it was \(known)")
        }
        expect(header.storedWidth >= 0 && header.storedHeight >= 0, "a negative size: \(header)")
        known = header
      } catch {
        // Damage may stand behind what was known already.
        hasFailed = true
      }
    }
    guard let reader = try? ImageReaders.reader(for: data, limits: .fuzzing) else { return }
    if let known {
      expect(
        reader.header.storedWidth == known.storedWidth && reader.header.storedHeight == known.storedHeight,
        "\(reader.header) from the whole, before it was \(known)")
    }
  }
}

/// Every length of a short input; some of a long one, the last of them its own.
private func lengths(upTo count: Int) -> [Int] {
  Array(stride(from: 0, through: count, by: max(1, count / 48))) + [count]
}
