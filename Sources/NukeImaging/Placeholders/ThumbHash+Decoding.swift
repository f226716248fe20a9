extension ThumbHash {
  /// Returns the blurred image, with approximately the aspect ratio of the original, and its alpha.
  ///
  /// - Parameter maxPixelSize: the longer side in pixels, at most 1,024.
  /// - Throws: ``PlaceholderError/sizeOutOfRange(width:height:limit:)``, ``PlaceholderError/outOfMemory``.
  public func image(maxPixelSize: Int = 32) throws(PlaceholderError) -> Bitmap {
    guard (1...Placeholder.longestSide).contains(maxPixelSize) else {
      throw .sizeOutOfRange(width: maxPixelSize, height: maxPixelSize, limit: Placeholder.longestSide)
    }
    let (side, ratio) = (Double(maxPixelSize), aspectRatio)
    let width = max(Int((ratio > 1 ? side : side * ratio).rounded()), 1)
    let height = max(Int((ratio > 1 ? side / ratio : side).rounded()), 1)

    var levels = Levels(bytes: [UInt8](data), next: header.length * 2)
    let (x, y) = header.storedWaves
    let luminance = Wavefront(header.luminance, header.luminanceScale, x, y, &levels)
    // The encoder reduces the saturation; the format requires that the decoder compensates for it.
    let yellowBlue = Wavefront(header.yellowBlue, header.yellowBlueScale * 1.25, 3, 3, &levels)
    let redGreen = Wavefront(header.redGreen, header.redGreenScale * 1.25, 3, 3, &levels)
    let alpha = header.hasAlpha ? Wavefront(header.alpha, header.alphaScale, 5, 5, &levels) : nil
    return try Placeholder.bitmap(width: width, height: height, isOpaque: !header.hasAlpha) { pixels in
      let across = Self.cosines(count: width, waves: 7)
      let down = Self.cosines(count: height, waves: 7)
      for row in 0..<height {
        func value(_ front: Wavefront, _ column: Int) -> Double { front.value(across, column * 7, down, row * 7) }
        for column in 0..<width {
          let (red, green, blue) = Self.color(
            value(luminance, column), value(yellowBlue, column), value(redGreen, column))
          let covered = alpha.map { min(max(value($0, column), 0), 1) } ?? 1
          func byte(_ part: Double) -> UInt8 { UInt8((min(max(part, 0), 1) * covered * 255).rounded()) }
          let place = (row * width + column) * 4
          pixels[place] = byte(red)
          pixels[place + 1] = byte(green)
          pixels[place + 2] = byte(blue)
          pixels[place + 3] = byte(1)
        }
      }
    }
  }

  /// Reads 4-bit numbers, the lower half of a byte first.
  private struct Levels {
    let bytes: [UInt8]
    var next: Int

    mutating func take() -> Double {
      defer { next += 1 }
      return Double(bytes[next / 2] >> (next % 2 * 4) & 15)
    }
  }

  /// The waves of a channel with their amplitudes.
  private struct Wavefront {
    let mean: Double
    var waves: [(x: Int, y: Int, amplitude: Double)] = []

    init(_ mean: Double, _ scale: Double, _ x: Int, _ y: Int, _ levels: inout Levels) {
      self.mean = mean
      for wave in Channel.waves(x, y) { waves.append((wave.x, wave.y, (levels.take() / 7.5 - 1) * scale)) }
    }

    /// Returns the value at a position whose cosines begin at `column` and `row` of the tables.
    func value(_ across: [Double], _ column: Int, _ down: [Double], _ row: Int) -> Double {
      waves.reduce(mean) { $0 + $1.amplitude * across[column + $1.x] * down[row + $1.y] * 2 }
    }
  }
}
