import Foundation
import NukeCodecs
import NukeImaging

/// Small images on one opaque PNG: premultiplied colors in its left half, and at the same places in its right half
/// their alpha as gray, so that nothing is lost by multiplying.
struct ImageSheet {
  /// Where an image lies, from the upper left.
  struct Frame: Codable, Equatable {
    var x: Int
    var y: Int
    var width: Int
    var height: Int

    init(x: Int, y: Int, width: Int, height: Int) {
      self.x = x
      self.y = y
      self.width = width
      self.height = height
    }

    /// Four numbers.
    init(from decoder: any Decoder) throws {
      var numbers = try decoder.unkeyedContainer()
      try self.init(
        x: numbers.decode(Int.self), y: numbers.decode(Int.self), width: numbers.decode(Int.self),
        height: numbers.decode(Int.self))
    }

    func encode(to encoder: any Encoder) throws {
      var numbers = encoder.unkeyedContainer()
      for number in [x, y, width, height] { try numbers.encode(number) }
    }
  }

  struct Failure: Error, CustomStringConvertible { let description: String }

  private let sheet: Bitmap

  init(_ file: URL) throws {
    guard let sheet = Bitmap(data: try Data(contentsOf: file)) else {
      throw Failure(description: "\(file.lastPathComponent) cannot be read")
    }
    self.sheet = sheet
  }

  func image(_ frame: Frame) throws -> Bitmap {
    let (half, row) = (sheet.pixelWidth / 2, sheet.bytesPerRow)
    guard frame.x + frame.width <= half, frame.y + frame.height <= sheet.pixelHeight else {
      throw Failure(description: "\(frame) lies outside of its sheet")
    }
    let pixels = sheet.withUnsafeBytes { bytes in
      (0..<frame.height).flatMap { y in
        (0..<frame.width).flatMap { x -> [UInt8] in
          let color = (frame.y + y) * row + (frame.x + x) * 4
          return [bytes[color], bytes[color + 1], bytes[color + 2], bytes[color + half * 4]]
        }
      }
    }
    let isOpaque = stride(from: 3, to: pixels.count, by: 4).allSatisfy { pixels[$0] == 255 }
    return try SampleImages.bitmap(frame.width, frame.height, isOpaque: isOpaque, pixels: pixels)
  }
}

extension ImageSheet {
  /// A sheet of `images` in rows of eight, as PNG, and where they lie.
  static func encode(_ images: [Bitmap]) throws -> (data: Data, frames: [Frame]) {
    var frames: [Frame] = []
    var (x, y, width, height) = (0, 0, 0, 0)
    for (index, image) in images.enumerated() {
      if index % 8 == 0 { (x, y, height) = (0, y + height, 0) }
      frames.append(Frame(x: x, y: y, width: image.pixelWidth, height: image.pixelHeight))
      x += image.pixelWidth
      (width, height) = (max(width, x), max(height, image.pixelHeight))
    }
    var pixels = (0..<(y + height) * width * 2).flatMap { _ in [0, 0, 0, 255] as [UInt8] }
    for (image, frame) in zip(images, frames) {
      let bytes = image.bytes
      for row in 0..<frame.height {
        for column in 0..<frame.width {
          let source = (row * frame.width + column) * 4
          let color = ((frame.y + row) * width * 2 + frame.x + column) * 4
          for channel in 0..<3 {
            pixels[color + channel] = bytes[source + channel]
            pixels[color + width * 4 + channel] = bytes[source + 3]
          }
        }
      }
    }
    let sheet = try SampleImages.bitmap(width * 2, y + height, isOpaque: true, pixels: pixels)
    guard let data = sheet.pngData() else { throw Failure(description: "the sheet cannot be written") }
    return (data, frames)
  }
}
