import Foundation
import NukeCodecs
import NukeImaging

extension HostileShape {
  /// Shapes of the formats that every build reads.
  static let bitmaps = frames + jpegs + others

  // MARK: Animations

  /// As many frames on a canvas of 25 megapixels have more pixels than ``DecodeWork/framePixels`` allows.
  private static let (side, frameCount) = (5000, 2000)

  private static let frames: [HostileShape] = [
    HostileShape("small frames on a large canvas", .gif, DecodeWork.framePixels) {
      gif(side: side, frames: frameCount)
    },
    HostileShape("frames far larger than the canvas", .gif, DecodeWork.framePixels) {
      let frame = Data([0x2C, 0, 0, 0, 0]) + little(10_000, 2) + little(10_000, 2) + [0x40, 2, 2, 0x44, 1, 0]
      return gif(side: 1, frames: 1).dropLast() + Data((0..<300).flatMap { _ in frame }) + [0x3B]
    },
    HostileShape("more frames than allowed", .gif, .rejected("10001 frames")) { gif(side: 1, frames: 10_001) },
    HostileShape("the largest canvas", .gif, .rejected("65535x65535 pixels")) { gif(side: 65_535, frames: 1) },
    HostileShape("small frames on a large canvas", .webp, DecodeWork.framePixels) {
      try webp(side: side, frames: frameCount)
    },
    HostileShape("more frames than allowed", .webp, .rejected("frames: more than the 10000 allowed")) {
      try webp(side: 2, frames: 10_001)
    },
    HostileShape("the largest canvas", .webp, .rejected("16777216x1 pixels")) {
      try webp(width: 1 << 24, height: 1, frames: 2)
    },
    HostileShape("small frames on a large canvas", .png, DecodeWork.framePixels) {
      png(side: side, frames: frameCount)
    },
    HostileShape("more frames than allowed", .png, .rejected("10001 frames")) { png(side: 1, frames: 10_001) },
    HostileShape("the largest sides", .png, .rejected("2147483647x2147483647 pixels")) {
      png(width: .max >> 1, height: .max >> 1)
    },
    HostileShape("sides that are no valid number", .png, .rejected("a size of 4294967295x4294967295")) {
      png(width: .max, height: .max)
    },
    HostileShape("thousands of texts and profiles that inflate to a thousand times their size", .png, .read) {
      var more = PNGBuilder()
      let bomb = ZlibStream.repeated(0, matches: 2000)
      for _ in 0..<300 {
        more.add("zTXt", Data("Comment\0\0".utf8) + bomb)
        more.add("iTXt", Data("XML:com.adobe.xmp\0\u{1}\0\0\0".utf8) + bomb)
        more.add("iCCP", Data("a\0\0".utf8) + bomb)
      }
      let image = png(side: 1, frames: 0)
      return image.prefix(33) + more.data.dropFirst(8) + image.dropFirst(33)
    },
    HostileShape("a hundred thousand chunks without contents", .png, .read) {
      var more = PNGBuilder()
      for _ in 0..<100_000 { more.add("teXt") }
      let image = png(side: 1, frames: 0)
      return image.prefix(33) + more.data.dropFirst(8) + image.dropFirst(33)
    },
  ]

  private static func little(_ value: Int, _ count: Int) -> Data {
    Data((0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
  }

  /// An image whose frames have one pixel.
  private static func gif(side: Int, frames: Int) -> Data {
    var data = Data("GIF89a".utf8) + little(side, 2) + little(side, 2) + [0x80, 0, 0, 0, 0, 0, 255, 255, 255]
    // A place of 0, a size of 1, and LZW codes of 3 bits: clear, color 0, end.
    let frame: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]
    for _ in 0..<frames { data += frame }
    return data + [0x3B]
  }

  private static func webp(side: Int, frames: Int) throws -> Data {
    try webp(width: side, height: side, frames: frames)
  }

  /// An animated image whose frames have one pixel.
  private static func webp(width: Int, height: Int, frames: Int) throws -> Data {
    func chunk(_ name: String, _ content: Data) -> Data { Data(name.utf8) + little(content.count, 4) + content }
    var options = EncodeOptions()
    options.isLossless = true
    let still = try ImageWriters.writer(for: .webp, options: options).encode(.drawn(1, 1) { _, _ in [9, 9, 9, 255] })
    let image = still.dropFirst(12)
    let frame = chunk("ANMF", little(0, 6) + little(0, 6) + little(10, 3) + [0] + image)
    var chunks = chunk("VP8X", [2, 0, 0, 0] + little(width - 1, 3) + little(height - 1, 3))
    chunks += chunk("ANIM", little(0, 6))
    for _ in 0..<frames { chunks += frame }
    return Data("RIFF".utf8) + little(chunks.count + 4, 4) + Data("WEBP".utf8) + chunks
  }

  private static func png(width: UInt32, height: UInt32) -> Data {
    var png = PNGBuilder()
    png.addHeader(width: width, height: height)
    png.add("IDAT", ZlibStream.stored([0]))
    png.add("IEND")
    return png.data
  }

  /// A gray image of one bit for each pixel, with frames of one pixel.
  private static func png(side: Int, frames: Int) -> Data {
    var png = PNGBuilder()
    png.addHeader(width: UInt32(side), height: UInt32(side), depth: 1, colorType: 0)
    if frames > 0 { png.addAnimation(frames: UInt32(frames)) }
    png.add("IDAT", ZlibStream.repeated(0, matches: ((side + 7) / 8 + 1) * side / 258 + 1))
    let pixel = ZlibStream.stored([0, 0])
    for frame in 0..<UInt32(frames) {
      png.addFrame(2 * frame, width: 1, height: 1)
      png.addFrameData(2 * frame + 1, pixel)
    }
    png.add("IEND")
    return png.data
  }

  // MARK: JPEG

  private static let jpegs: [HostileShape] = [
    HostileShape("hundreds of scans", .jpeg, .rejected("more scans than an image of this size can need")) {
      let data = try JPEGFixture.data("three-scans")
      let last = data.lastRange(of: Data([0xFF, 0xDA]))!.lowerBound
      let scan = data[last..<data.count - 2]
      return Data(data.prefix(last) + (0..<600).flatMap { _ in scan } + [0xFF, 0xD9])
    },
    HostileShape("the largest sides", .jpeg, .rejected("65535x65535 pixels")) {
      try jpeg(width: 65_535, height: 65_535)
    },
    HostileShape("a directory of EXIF that follows itself", .jpeg, .read) {
      try jpeg(exif: [1, 0] + entry(0x0112, 3, 1, 1) + little(8, 4))
    },
    HostileShape("a directory of EXIF that contains itself a thousand times", .jpeg, .read) {
      try jpeg(exif: little(1000, 2) + Data((0..<1000).flatMap { _ in entry(0x8769, 4, 1, 8) }) + little(8, 4))
    },
    HostileShape("a thumbnail in EXIF that is the image itself", .jpeg, .read) {
      let inner = try jpeg(exif: [2, 0] + entry(0x0201, 4, 1, 0) + entry(0x0202, 4, 1, 0xFFFF) + little(0, 4))
      return try jpeg(exif: [2, 0] + entry(0x0201, 4, 1, 38) + entry(0x0202, 4, 1, inner.count) + little(8, 4) + inner)
    },
    HostileShape("thousands of tables", .jpeg, .read) {
      let table = Data([0xFF, 0xDB, 0, 67, 0] + [UInt8](repeating: 1, count: 64))
      let data = try JPEGFixture.data("s420")
      return data.prefix(2) + Data((0..<10_000).flatMap { _ in table }) + data.dropFirst(2)
    },
    HostileShape("a profile in 255 parts, each of which is the first", .jpeg, .read) {
      let part = Data([0xFF, 0xE2, 0x0F, 0xFF] + Array("ICC_PROFILE\0".utf8) + [1, 255])
      let data = try JPEGFixture.data("s420")
      let padded = part + Data(count: 0xFFF - 2 - 14)
      return data.prefix(2) + Data((0..<255).flatMap { _ in padded }) + data.dropFirst(2)
    },
  ]

  private static func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: Int) -> Data {
    little(tag, 2) + little(type, 2) + little(count, 4) + little(value, 4)
  }

  /// A JPEG with a directory of EXIF at its offset 8.
  private static func jpeg(exif directory: Data) throws -> Data {
    let content = Data("Exif\0\0".utf8) + Data("II*\0".utf8) + little(8, 4) + directory
    let length = content.count + 2
    let data = try JPEGFixture.data("s420")
    return data.prefix(2) + [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + content + data.dropFirst(2)
  }

  private static func jpeg(width: Int, height: Int) throws -> Data {
    var data = try JPEGFixture.data("s420")
    let frame = data.range(of: Data([0xFF, 0xC0]))!.upperBound + 3
    data.replaceSubrange(
      frame..<frame + 4, with: [UInt8(height >> 8), UInt8(height & 255), UInt8(width >> 8), UInt8(width & 255)])
    return data
  }

  // MARK: BMP and ICO

  private static let others: [HostileShape] = [
    HostileShape("a height of the lowest number", .bmp, .rejected("2147483648")) {
      bmp(width: 1, height: Int(Int32.min))
    },
    HostileShape("sides whose product is no number", .bmp, .rejected("2147483647x2147483647 pixels")) {
      bmp(width: Int(Int32.max), height: Int(Int32.max))
    },
    HostileShape("a hundred megapixels in one run", .bmp, .rejected("truncated")) {
      bmp(width: 10_000, height: 10_000, compression: 1, pixels: Data([255, 0, 0, 0]))
    },
    HostileShape("as many images as can be, all of which are one", .ico, .read) {
      let image = png(side: 1, frames: 0)
      let count = 0xFF
      let entry = Data([1, 1, 0, 0, 1, 0, 32, 0]) + little(image.count, 4) + little(6 + 16 * count, 4)
      return Data([0, 0, 1, 0]) + little(count, 2) + Data((0..<count).flatMap { _ in entry }) + image
    },
  ]

  private static func bmp(width: Int, height: Int, compression: Int = 0, pixels: Data = Data(count: 4)) -> Data {
    let bits = compression == 0 ? 24 : 8
    let header =
      little(40, 4) + little(width, 4) + little(height, 4) + [1, 0] + little(bits, 2) + little(compression, 4)
    let table = compression == 0 ? Data() : Data(count: 1024)
    return Data("BM".utf8) + little(0, 8) + little(54 + table.count, 4) + header + Data(count: 20) + table + pixels
  }
}
