import Foundation

extension Bitmap {
  /// Returns the image mirrored and rotated by a multiple of 90°, without resampling; `nil` if the image is empty or
  /// memory cannot be allocated.
  package func turned(_ orientation: Orientation) -> Bitmap? {
    guard let buffer else { return nil }
    if orientation == .up { return self }
    return orientation.apply(to: buffer).map { Bitmap($0, scale: scale, isOpaque: isOpaque) }
  }

  /// Returns the image rotated clockwise about its center. The canvas is enlarged to contain it, and is transparent
  /// outside the image.
  ///
  /// Multiples of 90° do not resample pixels. Other angles use bilinear interpolation, with transparent pixels outside
  /// the image. Returns `nil` if the image is empty or memory cannot be allocated.
  package func rotated(degrees: Double) -> Bitmap? {
    let turn = degrees.truncatingRemainder(dividingBy: 360)
    switch turn {
    case 0: return buffer == nil ? nil : self
    case 90, -270: return turned(.right)
    case 180, -180: return turned(.down)
    case 270, -90: return turned(.left)
    default: break
    }
    guard let buffer else { return nil }
    let (cosine, sine) = (cos(turn * .pi / 180), sin(turn * .pi / 180))
    let (width, height) = (Double(pixelWidth), Double(pixelHeight))
    // Slightly less, so that rounding errors of the sine add no empty row.
    let wide = Int((width * abs(cosine) + height * abs(sine) - 1e-6).rounded(.up))
    let high = Int((width * abs(sine) + height * abs(cosine) - 1e-6).rounded(.up))
    guard let result = PixelBuffer(width: wide, height: high) else { return nil }
    for y in 0..<high {
      let row = result.row(y)
      let dy = Double(y) + 0.5 - Double(high) / 2
      for x in 0..<wide {
        let dx = Double(x) + 0.5 - Double(wide) / 2
        buffer.mix(
          atX: dx * cosine + dy * sine + width / 2 - 0.5, y: dy * cosine - dx * sine + height / 2 - 0.5,
          into: row + x * 4)
      }
    }
    return withExtendedLifetime(self) { Bitmap(result, scale: scale, isOpaque: false) }
  }

  /// Returns the image over a uniform color.
  package func flattened(_ color: Color) -> Bitmap? {
    if isOpaque { return self }
    guard let below = Bitmap.even(color.withAlphaComponent(1), width: pixelWidth, height: pixelHeight) else {
      return nil
    }
    return blended(over: below, BlendMode.normal)?.withScale(scale)
  }

  /// Returns the image with a uniform color blended over it, keeping its alpha. Returns `nil` if the image is empty or
  /// memory cannot be allocated.
  package func tinted(_ color: Color, _ mode: BlendMode) -> Bitmap? {
    guard pixelWidth > 0, let even = Bitmap.even(color, width: pixelWidth, height: pixelHeight) else { return nil }
    return even.blended(over: self, mode.number, atop: true)?.withScale(scale)
  }

  /// Returns an image with a uniform color.
  package static func even(_ color: Color, width: Int, height: Int) -> Bitmap? {
    guard let buffer = PixelBuffer(width: width, height: height) else { return nil }
    let pixel = color.premultipliedBytes
    UnsafeMutableRawPointer(buffer.base).bindMemory(to: (UInt8, UInt8, UInt8, UInt8).self, capacity: width * height)
      .update(repeating: (pixel[0], pixel[1], pixel[2], pixel[3]), count: width * height)
    return Bitmap(buffer, isOpaque: pixel[3] == 255)
  }
}

extension PixelBuffer {
  /// Writes the bilinear interpolation of the four pixels around a position. The center of the first pixel is at 0, 0.
  /// Pixels outside are transparent.
  fileprivate func mix(atX x: Double, y: Double, into pixel: UnsafeMutablePointer<UInt8>) {
    guard x > -1, y > -1, x < Double(width), y < Double(height) else {
      for channel in 0..<4 { pixel[channel] = 0 }
      return
    }
    let (left, top) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
    // Weights are in 256ths, so that all four channels are rounded in the same way and no color exceeds alpha.
    let (across, down) = (Int((x - Double(left)) * 256), Int((y - Double(top)) * 256))
    var sums = (0, 0, 0, 0)
    for (row, part) in [(top, 256 - down), (top + 1, down)] where row >= 0 && row < height && part > 0 {
      for (column, share) in [(left, 256 - across), (left + 1, across)] where column >= 0 && column < width {
        let source = self.row(row) + column * 4
        let weight = part * share
        sums.0 += weight * Int(source[0])
        sums.1 += weight * Int(source[1])
        sums.2 += weight * Int(source[2])
        sums.3 += weight * Int(source[3])
      }
    }
    pixel[0] = UInt8((sums.0 + 32768) >> 16)
    pixel[1] = UInt8((sums.1 + 32768) >> 16)
    pixel[2] = UInt8((sums.2 + 32768) >> 16)
    pixel[3] = UInt8((sums.3 + 32768) >> 16)
  }
}
