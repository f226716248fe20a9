import NukeImaging

// The steps that readers and writers of several formats share.

extension PixelBuffer {
  /// Returns memory for the pixels of an image, which is not cleared.
  static func allocate(_ format: ImageFormat, width: Int, height: Int) throws(CodecError) -> PixelBuffer {
    guard let buffer = PixelBuffer(width: width, height: height) else {
      throw .outOfMemory(format, byteCount: width * height * 4)
    }
    return buffer
  }

  /// Returns memory for the components of 16 bits of an image, which is not cleared. Two pixels of four bytes have room
  /// for one of eight.
  static func allocateDeep(_ format: ImageFormat, width: Int, height: Int) throws(CodecError) -> PixelBuffer {
    try allocate(format, width: width * 2, height: height)
  }

  /// The components of a buffer from ``allocateDeep(_:width:height:)``: four a pixel.
  var components: UnsafeMutablePointer<UInt16> {
    UnsafeMutableRawPointer(base).bindMemory(to: UInt16.self, capacity: byteCount / 2)
  }

  /// Returns decoded pixels as an upright image.
  func upright(_ orientation: Orientation, isOpaque: Bool, _ format: ImageFormat) throws(CodecError) -> Bitmap {
    guard let turned = orientation.apply(to: self) else { throw .outOfMemory(format, byteCount: byteCount) }
    return Bitmap(turned, isOpaque: isOpaque)
  }

  /// Returns the pixels with straight colors: a copy, unless all are opaque.
  func straight(isOpaque: Bool, _ format: ImageFormat) throws(CodecError) -> PixelBuffer {
    if isOpaque { return self }
    let straight = try PixelBuffer.allocate(format, width: width, height: height)
    PixelKernels.best.unpremultiply(base, to: straight.base, count: width * height)
    return straight
  }
}

extension PixelKernels {
  /// Leaves out every fourth byte: RGBA to RGB.
  static func dropAlpha(_ source: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<UInt8>, count: Int) {
    for x in 0..<count {
      target[x * 3] = source[x * 4]
      target[x * 3 + 1] = source[x * 4 + 1]
      target[x * 3 + 2] = source[x * 4 + 2]
    }
  }
}

extension ColorProfile {
  /// Converts components of 16 bits to sRGB.
  ///
  /// - Parameters:
  ///   - buffer: receives the pixels.
  ///   - fill: decodes into memory for four components a pixel; `false` if there is nothing to decode.
  /// - Returns: what `fill` returned.
  func convertDeep(
    to buffer: PixelBuffer, _ format: ImageFormat, _ fill: (PixelBuffer) throws(CodecError) -> Bool
  ) throws(CodecError) -> Bool {
    let deep = try PixelBuffer.allocateDeep(format, width: buffer.width, height: buffer.height)
    guard try fill(deep) else { return false }
    convertDeepToSRGB(deep.components, bits: 16, to: buffer.base, pixelCount: buffer.width * buffer.height)
    return true
  }

  /// `true` if the profile can be meant for pixels of `model`: gray may stand in an RGB profile, and indices in that of
  /// their colors. A profile for another number of channels is ignored, as if the file had none.
  func fits(_ model: ImageHeader.ColorModel) -> Bool {
    switch model {
    case .gray: self.model != .cmyk
    case .rgb, .indexed: self.model == .rgb
    case .cmyk: self.model == .cmyk
    }
  }
}

extension Animation {
  /// Returns the delay to use for a frame that states `seconds`. Browsers take a hundredth of a second or less to mean
  /// that nobody set one, and show such frames for a tenth.
  static func delay(stated seconds: Double) -> Double { seconds.isFinite && seconds > 0.0105 ? seconds : 0.1 }
}
