extension BlurHash {
  /// The longest side of the image that is encoded. The shortest wave of a hash is a ninth of a side.
  static let encodedSide = 128

  /// Computes the hash of an image.
  ///
  /// A larger image is first reduced to 128 pixels in linear light, which does not affect the waves except for
  /// rounding.
  ///
  /// - Parameters:
  ///   - image: the image. Transparent pixels are blended over `background`.
  ///   - components: the number of components along each side, 1 to 9. More components show more detail in a longer
  ///     hash. Distribute them according to the aspect ratio.
  ///   - background: a color, whose alpha is ignored.
  /// - Throws: ``PlaceholderError/emptyImage``, ``PlaceholderError/componentsOutOfRange(x:y:)``.
  public init(
    encoding image: Bitmap, components: (x: Int, y: Int) = (4, 3), background: Color = .white
  ) throws(PlaceholderError) {
    let (x, y) = components
    guard (1...9).contains(x), (1...9).contains(y) else { throw .componentsOutOfRange(x: x, y: y) }
    guard let reduced = try image.reduced(to: Self.encodedSide, light: .linear).flattened(background) else {
      throw .outOfMemory
    }
    let waves = Self.waves(of: reduced, x, y)

    let greatest = waves.dropFirst().reduce(0) { max($0, abs($1.red), abs($1.green), abs($1.blue)) }
    let level = min(max(Int((greatest * 166 - 0.5).rounded(.down)), 0), 82)
    let scale = waves.count > 1 ? Double(level + 1) / 166 : 1
    func byte(_ light: Double) -> Int { Int(SRGB.encodedByte(light)) }
    func digit(_ amplitude: Double) -> Int {
      let share = amplitude / scale
      let root = share < 0 ? -(-share).squareRoot() : share.squareRoot()
      return min(max(Int((root * 9 + 9.5).rounded(.down)), 0), 18)
    }
    var text = Base83.encode(x - 1 + (y - 1) * 9, digits: 1) + Base83.encode(waves.count > 1 ? level : 0, digits: 1)
    text += Base83.encode(byte(waves[0].red) << 16 | byte(waves[0].green) << 8 | byte(waves[0].blue), digits: 4)
    for wave in waves.dropFirst() {
      text += Base83.encode(digit(wave.red) * 361 + digit(wave.green) * 19 + digit(wave.blue), digits: 2)
    }
    try self.init(text)
  }

  /// Returns the waves of an opaque image, row by row.
  private static func waves(of image: Bitmap, _ x: Int, _ y: Int) -> [RGBWave] {
    let (width, height) = (image.pixelWidth, image.pixelHeight)
    let (across, down) = (cosines(count: width, waves: x), cosines(count: height, waves: y))
    let light = (0..<256).map { ToneCurve.sRGB.linear(Double($0) / 255) }
    var waves = [RGBWave](repeating: RGBWave(), count: x * y)
    image.withUnsafeBytes { pixels in
      for row in 0..<height {
        var sums = [RGBWave](repeating: RGBWave(), count: x)
        for column in 0..<width {
          let place = (row * width + column) * 4
          let pixel = RGBWave(
            red: light[Int(pixels[place])], green: light[Int(pixels[place + 1])], blue: light[Int(pixels[place + 2])])
          for wave in 0..<x { sums[wave] += pixel * across[column * x + wave] }
        }
        for index in 0..<y {
          for wave in 0..<x { waves[index * x + wave] += sums[wave] * down[row * y + index] }
        }
      }
    }
    let count = Double(width * height)
    return waves.enumerated().map { $1 * (($0 == 0 ? 1 : 2) / count) }
  }
}
