import Foundation
import Fuzzing
import Nuke

/// The input describes an image: the first bytes are its size, the writer's options and the kind of pixels, and the
/// rest is repeated as its pixels. Our decoder and libpng read the written file. Both must return the written pixels,
/// or pixels with no more colors than requested.
@c(LLVMFuzzerTestOneInput)
public func readOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  withInput(bytes, count) { data in
    if data.count > 6 { writeAndRead([UInt8](data)) }
  }
}

private func writeAndRead(_ recipe: [UInt8]) {
  let width = Int(recipe[0]) + 1 + Int(recipe[4] & 3) * 256
  let height = Int(recipe[1]) + 1 + Int(recipe[4] >> 2 & 3) * 256
  // The slowest level only for small images.
  let level = width * height > 4096 ? Int(recipe[2] % 9) : Int(recipe[2] % 10)
  guard let image = image(width, height, kind: recipe[3], recipe[6...]) else { return }
  check(image, PNGWriter(compressionLevel: level))
  if recipe[5] > 1 { check(image, PNGWriter(compressionLevel: level, maximumColorCount: Int(recipe[5]))) }
}

/// Returns premultiplied pixels. The lowest bits of `kind` select gray and opaque ones.
private func image(_ width: Int, _ height: Int, kind: UInt8, _ values: ArraySlice<UInt8>) -> Bitmap? {
  Bitmap(pixelWidth: width, pixelHeight: height, isOpaque: kind & 1 == 1) { bytes in
    func value(_ index: Int) -> UInt8 { values[values.startIndex + index % values.count] }
    for pixel in 0..<width * height {
      let alpha = kind & 1 == 1 ? 255 : value(pixel * 4 + 3)
      for channel in 0..<3 {
        bytes[pixel * 4 + channel] = min(alpha, value(kind & 2 == 2 ? pixel * 4 : pixel * 4 + channel))
      }
      bytes[pixel * 4 + 3] = alpha
    }
  }
}

private func check(_ image: Bitmap, _ writer: PNGWriter) {
  do {
    let file = try writer.encode(image)
    // A damaged chunk that is otherwise skipped causes libpng to read the file.
    guard let damaged = PNGFile.withDamagedChunk(file) else { fatalError("a file without a header") }
    let (own, other) = (try pixels(of: file), try pixels(of: damaged))
    expect(own == other, "libpng reads other pixels")
    if let limit = writer.maximumColorCount {
      let isExact = own == image.withUnsafeBytes { Array($0) }
      expect(isExact || colorCount(own) <= limit, "more than \(limit) colors")
    } else {
      expect(own == image.withUnsafeBytes { Array($0) }, "other pixels than were written")
    }
  } catch {
    fatalError("\(error)")
  }
}

private func pixels(of file: Data) throws -> [UInt8] {
  try PNGReader(data: file, limits: CodecLimits()).decode(DecodeOptions()).withUnsafeBytes { Array($0) }
}

private func colorCount(_ pixels: [UInt8]) -> Int {
  pixels.withUnsafeBytes { Set($0.bindMemory(to: UInt32.self)).count }
}
