import CNukeKernels

extension BlurHash {
  /// Returns the blurred image, which is opaque.
  ///
  /// - Parameters:
  ///   - width: the width in pixels, at most 1,024. 32 pixels are sufficient to be scaled up.
  ///   - height: the height in pixels, at most 1,024. A hash does not contain the aspect ratio of its image.
  ///   - punch: a factor for the contrast. A value that is not finite counts as 1.
  /// - Throws: ``PlaceholderError/sizeOutOfRange(width:height:limit:)``, ``PlaceholderError/outOfMemory``.
  public func image(width: Int, height: Int, punch: Double = 1) throws(PlaceholderError) -> Bitmap {
    let contrast = punch.isFinite ? punch : 1
    let (x, y) = components
    let light = LightTables.shared
    return try Placeholder.bitmap(width: width, height: height, isOpaque: true) { pixels in
      let (across, down) = (Self.cosines(count: width, waves: x), Self.cosines(count: height, waves: y))
      for row in 0..<height {
        var sums = [RGBWave](repeating: RGBWave(), count: x)
        for (index, wave) in waves.enumerated() {
          sums[index % x] += wave * (down[row * y + index / x] * (index == 0 ? 1 : contrast))
        }
        for column in 0..<width {
          var pixel = RGBWave()
          for wave in 0..<x { pixel += sums[wave] * across[column * x + wave] }
          let place = (row * width + column) * 4
          pixels[place] = light.byte(pixel.red)
          pixels[place + 1] = light.byte(pixel.green)
          pixels[place + 2] = light.byte(pixel.blue)
          pixels[place + 3] = 255
        }
      }
    }
  }
}

extension LightTables {
  /// Returns the byte for linear light, clamped to 0...1.
  fileprivate func byte(_ linear: Double) -> UInt8 {
    let entry = Int((min(max(linear, 0), 1) * Double(nuke_light_one)).rounded())
    return UInt8((Int(tables.encoded[entry]) + 128) >> 8)
  }
}
