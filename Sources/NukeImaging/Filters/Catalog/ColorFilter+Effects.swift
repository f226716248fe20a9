import Foundation

extension ColorFilter {
  private static let thermal = [
    [0, 0, 0.25], [0.25, 0, 0.6], [0.75, 0.05, 0.5], [0.95, 0.35, 0.1], [1, 0.8, 0.2], [1, 1, 0.95],
  ]

  static let effects: [ColorFilter] = [
    ColorFilter(
      "CISepiaTone", "Applies the sepia matrix of W3C's Filter Effects Module, mixed by the intensity.",
      [.number("inputIntensity", 1)]
    ) { values, _, _ in
      let sepia = PixelMatrix(colors: [[0.393, 0.769, 0.189], [0.349, 0.686, 0.168], [0.272, 0.534, 0.131]])
      return [.matrix(sepia.mixed(values.intensity))]
    },
    ColorFilter(
      "CIColorMonochrome", "Replaces colors with the given color times the BT.709 luminance, mixed by the intensity.",
      [.color("inputColor", Color(red: 0.6, green: 0.45, blue: 0.3)), .number("inputIntensity", 1)]
    ) { values, _, _ in
      [.matrix(PixelMatrix(luminanceTimes: values.color("inputColor").rgb).mixed(values.intensity))]
    },
    ColorFilter(
      "CIFalseColor",
      "Maps the BT.709 luminance from the first color to the second. The alpha of both colors is ignored.",
      [
        .color("inputColor0", Color(red: 0.3, green: 0, blue: 0)),
        .color("inputColor1", Color(red: 1, green: 0.9, blue: 0.8)),
      ]
    ) { values, _, _ in
      let (dark, light) = (values.color("inputColor0").rgb, values.color("inputColor1").rgb)
      return [.matrix(PixelMatrix(luminanceTimes: zip(light, dark).map { $0 - $1 }, adding: dark))]
    },
    ColorFilter(
      "CIColorMap",
      "Maps the BT.709 luminance to the middle row of the gradient, from left (black) to right (white).",
      [.image("inputGradientImage")]
    ) { values, _, _ in
      let gradient = values.image("inputGradientImage")
      let start = gradient.pixelHeight / 2 * gradient.bytesPerRow
      let row = gradient.withUnsafeBytes { Array($0[start..<start + gradient.bytesPerRow]) }
      return [.map(ColorTable(premultiplied: row))]
    },
    ColorFilter(
      "CIColorCube",
      """
      Maps colors with a table of dimension³ premultiplied RGBA floats, red fastest, with linear interpolation; Core \
      Image's format.
      """,
      [.number("inputCubeDimension", 2, in: 2...128), .data("inputCubeData")]
    ) { values, _, _ in
      let (side, data) = (Int(values.number("inputCubeDimension")), values.data("inputCubeData"))
      guard data.count == side * side * side * 16 else {
        throw ImageFilterError.invalidParameter(
          key: "inputCubeData", filter: "CIColorCube", expected: "\(side * side * side * 16) bytes")
      }
      let floats = data.withUnsafeBytes { bytes in
        (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self) }
      }
      return [.cube(ColorTable(floats.map { $0.isFinite ? $0 : 0 }), side: side)]
    },
    ColorFilter("CIMaskToAlpha", "Turns the BT.709 luminance into the alpha of white.") { _, _, _ in
      let (red, green, blue) = PixelMatrix.luminance
      return [
        .matrix(
          PixelMatrix(rows: [[0, 0, 0, 0, 1], [0, 0, 0, 0, 1], [0, 0, 0, 0, 1], [red, green, blue, 0, 0]]))
      ]
    },
    ColorFilter(
      "CIMinimumComponent", "Gray with the smallest of red, green and blue.", [.component(largest: false)]),
    ColorFilter("CIMaximumComponent", "Gray with the largest of red, green and blue.", [.component(largest: true)]),
    ColorFilter(
      "CIVignette",
      """
      Darkens the corners: multiplies by 1 − intensity · t². t increases from 0 at the center to 1 at the radius, in \
      half diagonals. Core Image does not publish its formula; this one is our own.
      """,
      [.number("inputIntensity", 0), .number("inputRadius", 1, in: 0...Double.infinity)]
    ) { values, width, height in
      let intensity = values.intensity
      guard intensity != 0 else { return [] }
      let (x, y) = (Double(width) / 2, Double(height) / 2)
      let radius = min(values.radius, 1e6) * (x * x + y * y).squareRoot()
      return [.vignette(.init(x: x, y: y, inner: 0, outer: radius, intensity: intensity, isSquared: true))]
    },
    ColorFilter(
      "CIVignetteEffect",
      """
      Darkens outside a circle: multiplies by 1 − intensity · s. s is a smooth step that ends at the radius, and \
      begins before it by the radius times the falloff. Core Image does not publish its formula; this one is our own.
      """,
      [
        .vector("inputCenter", [150, 150]), .number("inputRadius", 150, in: 0...1e6),
        .number("inputIntensity", 1), .number("inputFalloff", 0.5, in: 0...1),
      ]
    ) { values, _, height in
      let intensity = values.intensity
      guard intensity != 0 else { return [] }
      let (x, y) = values.point("inputCenter", height: height)
      let radius = values.radius
      let inner = radius * (1 - values.number("inputFalloff"))
      return [.vignette(.init(x: x, y: y, inner: inner, outer: radius, intensity: intensity, isSquared: false))]
    },
    ColorFilter(
      "CIXRay", "The inverted luminance in the blue-gray of X-ray film. Our own formula.",
      [.map(ColorTable(stops: [[0.93, 0.97, 1], [0.55, 0.68, 0.75], [0.16, 0.24, 0.3], [0, 0.01, 0.02]]))]),
    ColorFilter(
      "CIThermal",
      "The luminance in the colors of a thermal camera: blue, violet, red, yellow, white. Our own formula.",
      [.map(ColorTable(stops: thermal))]),
  ]
}

extension Color {
  var rgb: [Double] { [Double(red), Double(green), Double(blue)] }
  var straight: SIMD3<Double> { SIMD3(rgb[0], rgb[1], rgb[2]) }
}

extension ColorTable {
  /// Creates a table of equally spaced opaque colors.
  convenience init(stops: [[Double]]) { self.init(stops.flatMap { $0.map { Float($0) } + [1] }) }

  /// Creates a table of straight colors from premultiplied pixels.
  convenience init(premultiplied pixels: [UInt8]) {
    self.init(
      stride(from: 0, to: pixels.count, by: 4).flatMap { offset -> [Float] in
        let alpha = Float(max(pixels[offset + 3], 1))
        return pixels[offset..<offset + 3].map { Float($0) / alpha } + [Float(pixels[offset + 3]) / 255]
      })
  }
}
