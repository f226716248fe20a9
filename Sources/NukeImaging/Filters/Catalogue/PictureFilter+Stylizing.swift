import Foundation

extension PictureFilter {
  static let stylizing: [PictureFilter] = [
    PictureFilter(
      "CIPixellate", "The mean of each square of the scale's size; a corner of squares lies on the centre.",
      [.vector("inputCenter", [150, 150]), .number("inputScale", 8, in: 1...1e6)]
    ) { values, image in
      let (x, y) = values.point("inputCenter", height: image.pixelHeight)
      return image.pixellated(x: x, y: y, side: values.number("inputScale"))
    },
    PictureFilter(
      "CICrop", "The part within a rectangle, from its lower left corner; sides are rounded to whole pixels.",
      [.vector("inputRectangle", [-1e300, -1e300, 2e300, 2e300])]
    ) { values, image in
      let rect = values.vector("inputRectangle")
      func bounded(_ value: Double, _ limit: Int) -> Int { Int(min(max(value.rounded(), 0), Double(limit))) }
      let (left, right) = (bounded(rect[0], image.pixelWidth), bounded(rect[0] + rect[2], image.pixelWidth))
      let (bottom, top) = (bounded(rect[1], image.pixelHeight), bounded(rect[1] + rect[3], image.pixelHeight))
      guard right > left, top > bottom else {
        throw ImageFilterError.invalidParameter(
          key: "inputRectangle", filter: "CICrop", expected: "a rectangle that meets the picture")
      }
      return image.cropped(x: left, y: image.pixelHeight - top, width: right - left, height: top - bottom)
    },
    PictureFilter(
      "CILanczosScaleTransform",
      "Resampled by Lanczos-3 to scale times the size; the width times the aspect ratio besides.",
      [.number("inputScale", 1, in: 0...1e6), .number("inputAspectRatio", 1, in: 0...1e6)]
    ) { values, image in
      let scale = values.number("inputScale")
      let size = CGSize(
        width: Double(image.pixelWidth) * scale * values.number("inputAspectRatio"),
        height: Double(image.pixelHeight) * scale)
      guard size.width > 0, size.height > 0 else {
        throw ImageFilterError.invalidParameter(
          key: "inputScale", filter: "CILanczosScaleTransform", expected: "positive, as inputAspectRatio must be")
      }
      let geometry: ResizeGeometry?
      do throws(ResizeGeometry.TooManyPixels) {
        geometry = try ResizeGeometry(
          sourceWidth: image.pixelWidth, sourceHeight: image.pixelHeight, target: size, contentMode: .fill,
          upscale: true)
      } catch {
        throw ImageFilterError.resultTooLarge(filter: "CILanczosScaleTransform", limit: error.limit)
      }
      guard let geometry else { return image }
      return image.resized(geometry)
    },
  ]
}

extension Bitmap {
  /// Squares of one colour each, their mean; a corner of four squares lies at `x`, `y` in pixels from the upper left.
  fileprivate func pixellated(x: Double, y: Double, side: Double) -> Bitmap? {
    guard side > 1 else { return self }
    guard let buffer, let result = PixelBuffer(width: pixelWidth, height: pixelHeight) else { return nil }
    let columns = Self.boundaries(count: pixelWidth, through: x, step: side)
    let rows = Self.boundaries(count: pixelHeight, through: y, step: side)
    for (top, bottom) in zip(rows, rows.dropFirst()) {
      for (left, right) in zip(columns, columns.dropFirst()) {
        var (red, green, blue, alpha) = (0, 0, 0, 0)
        for row in top..<bottom {
          let pixels = buffer.row(row)
          for place in stride(from: left * 4, to: right * 4, by: 4) {
            red += Int(pixels[place])
            green += Int(pixels[place + 1])
            blue += Int(pixels[place + 2])
            alpha += Int(pixels[place + 3])
          }
        }
        let count = (right - left) * (bottom - top)
        func mean(_ sum: Int) -> UInt8 { UInt8((sum + count / 2) / count) }
        let pixel = (mean(red), mean(green), mean(blue), mean(alpha))
        for row in top..<bottom {
          let pixels = UnsafeMutableRawPointer(result.row(row) + left * 4).bindMemory(
            to: (UInt8, UInt8, UInt8, UInt8).self, capacity: right - left)
          pixels.update(repeating: pixel, count: right - left)
        }
      }
    }
    return withExtendedLifetime(self) { Bitmap(result, scale: scale, isOpaque: isOpaque) }
  }

  /// 0, the multiples of `step` away from `place` that lie between, rounded, and `count`.
  private static func boundaries(count: Int, through place: Double, step: Double) -> [Int] {
    var result = [0]
    var next = place - (place / step).rounded(.down) * step
    while next < Double(count) {
      let boundary = Int(next.rounded())
      if boundary > result[result.count - 1], boundary < count { result.append(boundary) }
      next += step
    }
    return result + [count]
  }
}
