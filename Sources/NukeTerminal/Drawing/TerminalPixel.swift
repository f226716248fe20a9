internal import NukeImaging

/// The color of half a cell.
struct TerminalPixel: Hashable {
  let red: UInt8
  let green: UInt8
  let blue: UInt8

  /// Returns the pixels of an image without alpha; `nil` for pixels with less than half alpha, which are not drawn.
  static func rows(of image: Bitmap) -> [[TerminalPixel?]] {
    let (width, height) = (image.pixelWidth, image.pixelHeight)
    var row = [UInt8](repeating: 0, count: width * 4)
    return image.withUnsafeBytes { bytes in
      guard let base = bytes.assumingMemoryBound(to: UInt8.self).baseAddress else { return [] }
      return (0..<height).map { y in
        row.withUnsafeMutableBufferPointer { row in
          guard let straight = row.baseAddress else { return [] }
          PixelKernels.best.unpremultiply(base + y * width * 4, to: straight, count: width)
          return (0..<width).map { x in
            straight[x * 4 + 3] < 128
              ? nil : TerminalPixel(red: straight[x * 4], green: straight[x * 4 + 1], blue: straight[x * 4 + 2])
          }
        }
      }
    }
  }

  /// The parameters after 38 or 48 in the sequence that sets the color.
  func parameters(_ colors: TerminalCapabilities.Colors) -> String {
    switch colors {
    case .all: "2;\(red);\(green);\(blue)"
    case .palette: "5;\(paletteIndex)"
    }
  }

  /// The nearest of xterm's colors: a cube with 6 levels per channel, and 24 grays.
  var paletteIndex: Int {
    let levels = [red, green, blue].map { Self.level(Int($0)) }
    let cube = levels.map { $0 == 0 ? 0 : 55 + 40 * $0 }
    let mean = (Int(red) + Int(green) + Int(blue)) / 3
    let step = min(max((mean - 3) / 10, 0), 23)
    let gray = 8 + 10 * step
    if distance([gray, gray, gray]) < distance(cube) { return 232 + step }
    return 16 + 36 * levels[0] + 6 * levels[1] + levels[2]
  }

  /// Returns the nearest of the levels 0, 95, 135, 175, 215 and 255.
  private static func level(_ value: Int) -> Int { value < 48 ? 0 : value < 115 ? 1 : (value - 35) / 40 }

  private func distance(_ other: [Int]) -> Int {
    zip([red, green, blue], other).reduce(0) { $0 + (Int($1.0) - $1.1) * (Int($1.0) - $1.1) }
  }
}
