import Foundation
import Fuzzing
import Nuke

/// The input is a file in any format, of which a growing part is read.
@c(LLVMFuzzerTestOneInput)
public func readOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  withInput(bytes, count) { data in
    var known: ImageHeader?
    var hasFailed = false
    for count in lengths(upTo: data.count) {
      do {
        // In memory of exactly this length, so that reads past the end are detected.
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
        // Damage may follow the part that was already read.
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

/// Returns all lengths of a short input, or some lengths of a long one, including the whole.
private func lengths(upTo count: Int) -> [Int] {
  Array(stride(from: 0, through: count, by: max(1, count / 48))) + [count]
}
