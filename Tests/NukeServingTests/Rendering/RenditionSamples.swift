import Foundation
import Nuke
import NukeImaging
import NukeTesting

@testable import NukeServing

extension Bitmap {
  /// An image whose pixel at a place is that of `color`, straight.
  static func painted(_ width: Int, _ height: Int, _ color: (_ x: Int, _ y: Int) -> Color) -> Bitmap {
    let colors = (0..<height).flatMap { y in (0..<width).map { x in color(x, y) } }
    return Bitmap(pixelWidth: width, pixelHeight: height, isOpaque: colors.allSatisfy { $0.alpha == 1 }) { bytes in
      for (place, color) in colors.enumerated() {
        let (red, green, blue, alpha) = color.premultipliedRGBA8
        for (channel, value) in [red, green, blue, alpha].enumerated() { bytes[place * 4 + channel] = value }
      }
    } ?? Bitmap()
  }

  static func even(_ color: Color, _ width: Int, _ height: Int) -> Bitmap { painted(width, height) { _, _ in color } }

  var pixelBytes: [UInt8] { withUnsafeBytes(Array.init) }
  var distinctColorCount: Int { withUnsafeBytes { Set($0.bindMemory(to: UInt32.self)).count } }

  /// Premultiplied red, green, blue and alpha.
  func pixel(_ x: Int, _ y: Int) -> [UInt8] {
    withUnsafeBytes { Array($0[(y * pixelWidth + x) * 4..<(y * pixelWidth + x) * 4 + 4]) }
  }

  var size: [Int] { [pixelWidth, pixelHeight] }
}

extension ImageOptions {
  init(_ ask: (inout ImageOptions) -> Void) {
    self.init()
    ask(&self)
  }
}

extension ImagePipeline {
  /// A pipeline that loads nothing and keeps nothing.
  static var rendering: ImagePipeline { .fake(imageCache: nil) }
}
