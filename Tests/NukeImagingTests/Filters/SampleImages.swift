import Foundation
import NukeImaging
import Testing

/// Raw premultiplied RGBA for tests of filters.
enum SampleImages {
  static func bitmap(_ width: Int, _ height: Int, isOpaque: Bool, pixels: [UInt8]) throws -> Bitmap {
    try #require(
      Bitmap(pixelWidth: width, pixelHeight: height, isOpaque: isOpaque) { $0.copyBytes(from: pixels) })
  }

  /// An image of one color, premultiplied.
  static func even(_ width: Int, _ height: Int, _ pixel: [UInt8]) throws -> Bitmap {
    try bitmap(width, height, isOpaque: pixel[3] == 255, pixels: (0..<width * height).flatMap { _ in pixel })
  }

  /// Noise, premultiplied; opaque or with every alpha.
  static func noise(
    _ width: Int, _ height: Int, isOpaque: Bool, random: inout SeededGenerator
  ) throws -> Bitmap {
    var pixels = random.bytes(width * height * 4)
    if isOpaque {
      PixelKernels.best.setOpaque(&pixels, count: width * height)
    } else {
      PixelKernels.best.premultiply(&pixels, count: width * height)
    }
    return try bitmap(width, height, isOpaque: isOpaque, pixels: pixels)
  }

  /// A file that Scripts/fixtures/resize.py wrote.
  static func fixture(_ name: String, _ width: Int, _ height: Int, _ suffix: String = "") throws -> Bitmap {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Fixtures/Resize")
    let file = folder.appending(path: "\(name)-\(width)x\(height)\(suffix).rgba")
    let bytes = try [UInt8](Data(contentsOf: file))
    try #require(bytes.count == width * height * 4)
    return try bitmap(width, height, isOpaque: name != "glass", pixels: bytes)
  }
}

extension Bitmap {
  var bytes: [UInt8] { withUnsafeBytes { [UInt8]($0) } }

  /// `true` if no channel is above alpha, and an image that says that it is opaque is.
  var isLawful: Bool {
    let bytes = bytes
    return stride(from: 0, to: bytes.count, by: 4).allSatisfy { i in
      let alpha = bytes[i + 3]
      return bytes[i] <= alpha && bytes[i + 1] <= alpha && bytes[i + 2] <= alpha && (!isOpaque || alpha == 255)
    }
  }

  func pixel(_ x: Int, _ y: Int) -> [Int] {
    let place = y * bytesPerRow + x * 4
    return bytes[place..<place + 4].map { Int($0) }
  }

  /// The bytes of some columns, row by row.
  func bytes(ofColumns columns: Range<Int>) -> [UInt8] {
    let all = bytes
    return (0..<pixelHeight).flatMap { y -> ArraySlice<UInt8> in
      let row = y * bytesPerRow
      return all[row + columns.lowerBound * 4..<row + columns.upperBound * 4]
    }
  }
}
