import Foundation
import NukeImaging

extension Bitmap {
  /// Returns the image with each color mixed with the one that a palette has for its luminance. Returns `nil` if memory
  /// cannot be allocated.
  func toned(_ monochrome: ImageOptions.Monochrome) -> Bitmap? {
    toned(Palette(dark: .black, middle: monochrome.color, light: .white), intensity: monochrome.intensity)
  }

  func toned(_ duotone: ImageOptions.Duotone) -> Bitmap? {
    toned(Palette(dark: duotone.dark, light: duotone.light), intensity: duotone.intensity)
  }

  private func toned(_ palette: Palette, intensity: Double) -> Bitmap? {
    guard intensity > 0 else { return self }
    let intensity = Float(min(intensity, 1))
    return mapped(isOpaque: isOpaque) { pixel, _, _ in
      let alpha = pixel.w
      guard alpha > 0 else { return pixel }
      return pixel + (palette.color(at: Palette.luminance(pixel) / alpha) * alpha - pixel) * intensity
    }
  }

  /// Returns the image with a color over it. Returns `nil` if memory cannot be allocated.
  func covered(by layer: ImageOptions.Colorize) -> Bitmap? {
    guard layer.opacity > 0 else { return self }
    let (color, opacity) = (SIMD4(opaque: layer.color), Float(min(layer.opacity, 1)))
    return mapped(isOpaque: isOpaque) { pixel, _, _ in
      pixel + (color * (layer.keepsAlpha ? pixel.w : 1) - pixel) * opacity
    }
  }

  func covered(by layer: ImageOptions.Gradient) -> Bitmap? {
    guard layer.opacity > 0 else { return self }
    let (color, opacity) = (SIMD4(opaque: layer.color), Float(min(layer.opacity, 1)))
    let ramp = Ramp(layer, width: pixelWidth, height: pixelHeight)
    return mapped(isOpaque: isOpaque) { pixel, x, y in pixel + (color - pixel) * (opacity * ramp.share(x, y)) }
  }

  /// Returns the image of the results of `change`, which receives premultiplied pixels, with components from 0 to 1.
  ///
  /// - Parameter isOpaque: `true` if the result is known to be opaque.
  private func mapped(
    isOpaque: Bool, _ change: (_ pixel: SIMD4<Float>, _ x: Int, _ y: Int) -> SIMD4<Float>
  ) -> Bitmap? {
    guard let source = buffer, let result = PixelBuffer(width: pixelWidth, height: pixelHeight) else { return nil }
    for y in 0..<pixelHeight {
      let pixels = UnsafeRawPointer(source.row(y)).assumingMemoryBound(to: SIMD4<UInt8>.self)
      let changed = UnsafeMutableRawPointer(result.row(y)).bindMemory(to: SIMD4<UInt8>.self, capacity: pixelWidth)
      for x in 0..<pixelWidth {
        let color = change(SIMD4<Float>(pixels[x]) / 255, x, y) * 255
        let bounded = color.clamped(lowerBound: .zero, upperBound: .init(repeating: 255))
        changed[x] = SIMD4<UInt8>(truncatingIfNeeded: SIMD4<Int32>(bounded.rounded(.toNearestOrAwayFromZero)))
      }
    }
    return withExtendedLifetime(self) { Bitmap(result, scale: scale, isOpaque: isOpaque || result.isOpaque()) }
  }
}

extension SIMD4<Float> {
  /// The components of a color from 0 to 1, without its alpha.
  fileprivate init(opaque color: Color) { self.init(Float(color.red), Float(color.green), Float(color.blue), 1) }
}

/// Colors by luminance.
private struct Palette {
  private let dark: SIMD4<Float>
  private let middle: SIMD4<Float>
  private let light: SIMD4<Float>

  /// - Parameter middle: the color for a luminance of 0.5. The default is halfway between the others.
  init(dark: Color, middle: Color? = nil, light: Color) {
    self.dark = SIMD4(opaque: dark)
    self.light = SIMD4(opaque: light)
    self.middle = middle.map { SIMD4(opaque: $0) } ?? (self.dark + self.light) / 2
  }

  func color(at luminance: Float) -> SIMD4<Float> {
    luminance < 0.5
      ? dark + (middle - dark) * (2 * luminance) : middle + (light - middle) * (2 * min(luminance, 1) - 1)
  }

  /// Returns the luminance of BT.709.
  static func luminance(_ pixel: SIMD4<Float>) -> Float {
    (pixel * SIMD4<Float>(0.2126, 0.7152, 0.0722, 0)).sum()
  }
}

/// The opacity of a gradient by position.
private struct Ramp {
  private let origin: Float
  private let (stepX, stepY): (Float, Float)
  private let start: Float
  private let length: Float

  init(_ gradient: ImageOptions.Gradient, width: Int, height: Int) {
    let angle = gradient.angle.truncatingRemainder(dividingBy: 360) * .pi / 180
    let (x, y) = (-sin(angle), cos(angle))
    // The side of the image along the direction.
    let side = abs(x) * Double(width) + abs(y) * Double(height)
    (stepX, stepY) = (Float(x / side), Float(y / side))
    // Positions are those of the centers of pixels.
    origin = Float(0.5 - (x * Double(width - 1) + y * Double(height - 1)) / 2 / side)
    start = Float(gradient.start)
    length = Float(gradient.stop - gradient.start)
  }

  /// Returns a number from 0 to 1.
  func share(_ x: Int, _ y: Int) -> Float {
    let position = origin + Float(x) * stepX + Float(y) * stepY - start
    guard length != 0 else { return position < 0 ? 0 : 1 }
    let share = position / length
    // NaN counts as 0.
    return share > 0 ? min(share, 1) : 0
  }
}
