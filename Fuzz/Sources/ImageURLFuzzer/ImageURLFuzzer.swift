import Fuzzing
import NukeServing

/// The input is the path of a request to an image server. An accepted path must have the same meaning after it is
/// parsed and written again.
@c(LLVMFuzzerTestOneInput)
public func readOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  withInput(bytes, count) { data in
    guard let url = try? ImageURL(path: "/unsafe/" + String(decoding: data, as: UTF8.self)) else { return }
    let options = try? url.imageOptions(now: 0)
    for isEncoded in [false, true] {
      let written = ImageURL(
        source: url.source, options: url.options, fileExtension: url.fileExtension, isEncoded: isEncoded)
      // Escapes make it longer.
      guard written.path.utf8.count <= ImageURL.maximumLength else { continue }
      guard let read = try? ImageURL(path: written.path) else { fatalError("\(written.path) cannot be read") }
      expect(read.source == url.source, "\(url.source) is read as \(read.source)")
      expect(read.options == url.options, "\(url.options) are read as \(read.options)")
      expect((try? read.imageOptions(now: 0)) == options, "\(url.path) means something else")
    }
  }
}
