/// The premultiplied BT.709 luminance of each pixel, from 0 to 1. Edge pixels extend outside the image. Rows are
/// counted from the top.
struct LuminancePlane {
  let width: Int
  let height: Int
  private let values: [Float]

  init(_ image: Bitmap) {
    (width, height) = (image.pixelWidth, image.pixelHeight)
    let (red, green, blue) = PixelMatrix.luminance
    values = image.withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count, by: 4).map { i in
        Float((red * Double(bytes[i]) + green * Double(bytes[i + 1]) + blue * Double(bytes[i + 2])) / 255)
      }
    }
  }

  subscript(column: Int, row: Int) -> Double {
    Double(values[min(max(row, 0), height - 1) * width + min(max(column, 0), width - 1)])
  }

  /// Returns the magnitude of the Sobel operator at a quarter of its weights, so that a step from 0 to 1 gives 1.
  func edge(_ column: Int, _ row: Int) -> Double {
    func difference(_ a: Double, _ b: Double, _ c: Double, _ d: Double, _ e: Double, _ f: Double) -> Double {
      ((d - a) + 2 * (e - b) + (f - c)) / 4
    }
    let (x, y) = (column, row)
    let (a, b, c) = (self[x - 1, y - 1], self[x, y - 1], self[x + 1, y - 1])
    let (d, e) = (self[x - 1, y], self[x + 1, y])
    let (f, g, h) = (self[x - 1, y + 1], self[x, y + 1], self[x + 1, y + 1])
    let (across, down) = (difference(a, d, f, c, e, h), difference(a, b, c, f, g, h))
    return (across * across + down * down).squareRoot()
  }
}
