import Foundation
package import NukeImaging

/// An image with the transparency of GIF: each pixel is opaque, or transparent if its alpha is below one half.
///
/// A transparent pixel is 0. Other pixels are red, green and blue from the lowest byte, and 255.
package struct GIFPixels {
  package let width: Int
  package let height: Int
  package private(set) var pixels: [UInt32]

  /// Creates a transparent canvas.
  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    pixels = [UInt32](repeating: 0, count: width * height)
  }

  package init(_ image: Bitmap) throws(CodecError) {
    self.init(width: image.pixelWidth, height: image.pixelHeight)
    guard let buffer = image.buffer else { return }
    let straight = try buffer.straight(isOpaque: image.isOpaque, .gif)
    let source = UnsafeRawPointer(straight.base).assumingMemoryBound(to: UInt32.self)
    pixels.withUnsafeMutableBufferPointer { pixels in
      for index in pixels.indices {
        let pixel = UInt32(littleEndian: source[index])
        pixels[index] = pixel >> 31 == 1 ? pixel | 0xFF00_0000 : 0
      }
    }
    withExtendedLifetime((image, straight)) {}
  }

  /// Returns the smallest area that contains all pixels for which `isMember` is `true`, given the pixels of both
  /// images; `nil` if there are none.
  func area(differingFrom other: GIFPixels, where isMember: (UInt32, UInt32) -> Bool) -> PixelRect? {
    var (left, right, top, bottom) = (width, -1, height, -1)
    pixels.withUnsafeBufferPointer { pixels in
      other.pixels.withUnsafeBufferPointer { other in
        for y in 0..<height {
          for x in 0..<width where isMember(pixels[y * width + x], other[y * width + x]) {
            left = min(left, x)
            right = max(right, x)
            top = min(top, y)
            bottom = y
          }
        }
      }
    }
    guard right >= 0 else { return nil }
    return PixelRect(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
  }

  /// Returns the pixels of an area, row by row, with 0 for those that equal `base`.
  func changes(in area: PixelRect, from base: GIFPixels) -> [UInt32] {
    var result: [UInt32] = []
    result.reserveCapacity(area.width * area.height)
    for y in area.y..<area.y + area.height {
      for index in y * width + area.x..<y * width + area.x + area.width {
        result.append(pixels[index] == base.pixels[index] ? 0 : pixels[index])
      }
    }
    return result
  }

  mutating func clear(_ area: PixelRect) {
    for y in area.y..<area.y + area.height {
      for index in y * width + area.x..<y * width + area.x + area.width { pixels[index] = 0 }
    }
  }
}

extension PixelRect {
  /// Returns the smallest area that contains both.
  func union(_ other: PixelRect) -> PixelRect {
    let (left, top) = (min(x, other.x), min(y, other.y))
    return PixelRect(
      x: left, y: top, width: max(x + width, other.x + other.width) - left,
      height: max(y + height, other.y + other.height) - top)
  }
}
