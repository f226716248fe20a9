import Foundation

extension ThumbHash {
  /// The longest side of the image that is encoded, as the format specifies.
  static let encodedSide = 100

  /// Computes the hash of an image. A larger image is first reduced to 100 pixels.
  ///
  /// - Throws: ``PlaceholderError/emptyImage``.
  public init(encoding image: Bitmap) throws(PlaceholderError) {
    let reduced = try image.reduced(to: Self.encodedSide, light: .encoded)
    let (width, height) = (reduced.pixelWidth, reduced.pixelHeight)
    let planes = Planes(reduced)
    let hasAlpha = planes.hasAlpha
    let longest = Double(max(width, height))
    let steps = hasAlpha ? 5.0 : 7.0
    let shorter = max(Int((steps * Double(min(width, height)) / longest).rounded()), 1)
    var header = Header(
      luminance: 0, yellowBlue: 0, redGreen: 0, luminanceScale: 0, yellowBlueScale: 0, redGreenScale: 0,
      hasAlpha: hasAlpha, isLandscape: width > height, shorter: shorter)
    let (x, y) = header.storedWaves
    let luminance = Transform(planes.luminance, width, height, x, y)
    let yellowBlue = Transform(planes.yellowBlue, width, height, 3, 3)
    let redGreen = Transform(planes.redGreen, width, height, 3, 3)
    header.luminance = luminance.mean
    header.luminanceScale = luminance.scale
    header.yellowBlue = yellowBlue.mean
    header.yellowBlueScale = yellowBlue.scale
    header.redGreen = redGreen.mean
    header.redGreenScale = redGreen.scale
    var levels = luminance.levels + yellowBlue.levels + redGreen.levels
    if hasAlpha {
      let alpha = Transform(planes.alpha, width, height, 5, 5)
      header.alpha = alpha.mean
      header.alphaScale = alpha.scale
      levels += alpha.levels
    }
    var bytes = header.bytes
    for pair in stride(from: 0, to: levels.count, by: 2) {
      bytes.append(levels[pair] | (pair + 1 < levels.count ? levels[pair + 1] << 4 : 0))
    }
    try self.init(Data(bytes))
  }

  /// The channels of an image, one after the other. Transparent pixels get the mean color.
  private struct Planes {
    var luminance: [Double] = []
    var yellowBlue: [Double] = []
    var redGreen: [Double] = []
    var alpha: [Double] = []
    var hasAlpha = false

    init(_ image: Bitmap) {
      image.withUnsafeBytes { pixels in
        // Premultiplied, so that a plain sum is weighted by alpha.
        var sums = (red: 0, green: 0, blue: 0, alpha: 0)
        for place in stride(from: 0, to: pixels.count, by: 4) {
          sums.red += Int(pixels[place])
          sums.green += Int(pixels[place + 1])
          sums.blue += Int(pixels[place + 2])
          sums.alpha += Int(pixels[place + 3])
        }
        hasAlpha = sums.alpha < 255 * pixels.count / 4
        let covered = Double(max(sums.alpha, 1))
        let mean = (
          red: Double(sums.red) / covered, green: Double(sums.green) / covered, blue: Double(sums.blue) / covered
        )
        for place in stride(from: 0, to: pixels.count, by: 4) {
          let alpha = Double(pixels[place + 3]) / 255
          let red = mean.red * (1 - alpha) + Double(pixels[place]) / 255
          let green = mean.green * (1 - alpha) + Double(pixels[place + 1]) / 255
          let blue = mean.blue * (1 - alpha) + Double(pixels[place + 2]) / 255
          luminance.append((red + green + blue) / 3)
          yellowBlue.append((red + green) / 2 - blue)
          redGreen.append(red - green)
          self.alpha.append(alpha)
        }
      }
    }
  }

  /// The waves of a channel.
  private struct Transform {
    let mean: Double
    /// The largest amplitude.
    let scale: Double
    /// The amplitudes from 0 to 15, relative to the largest one.
    let levels: [UInt8]

    init(_ plane: [Double], _ width: Int, _ height: Int, _ x: Int, _ y: Int) {
      let (across, down) = (ThumbHash.cosines(count: width, waves: x), ThumbHash.cosines(count: height, waves: y))
      var sums = [Double](repeating: 0, count: x * y)
      for row in 0..<height {
        for wave in 0..<x {
          var sum = 0.0
          for column in 0..<width { sum += plane[row * width + column] * across[column * x + wave] }
          for index in 0..<y { sums[index * x + wave] += sum * down[row * y + index] }
        }
      }
      let count = Double(width * height)
      mean = sums[0] / count
      let amplitudes = Channel.waves(x, y).map { sums[$0.y * x + $0.x] / count }
      let scale = amplitudes.reduce(0) { max($0, abs($1)) }
      self.scale = scale
      levels = amplitudes.map { scale > 0 ? UInt8(((0.5 + 0.5 / scale * $0) * 15).rounded()) : 0 }
    }
  }

  /// Returns cos(πk(p + ½) / count) for k below `waves`, ordered by position.
  static func cosines(count: Int, waves: Int) -> [Double] {
    let step = Double.pi / Double(count)
    return (0..<count * waves).map { index in
      let (place, wave) = index.quotientAndRemainder(dividingBy: waves)
      return cos(step * Double(wave) * (Double(place) + 0.5))
    }
  }
}
