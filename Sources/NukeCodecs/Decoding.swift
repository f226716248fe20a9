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
    // Two pixels of four bytes have room for one of eight.
    let deep = try PixelBuffer.allocate(format, width: buffer.width * 2, height: buffer.height)
    guard try fill(deep) else { return false }
    deep.base.withMemoryRebound(to: UInt16.self, capacity: deep.byteCount / 2) { components in
      _ = convertDeepToSRGB(components, bits: 16, to: buffer.base, pixelCount: buffer.width * buffer.height)
    }
    return true
  }
}

extension Animation {
  /// Returns the delay to use for a frame that states `seconds`. Browsers take a hundredth of a second or less to mean
  /// that nobody set one, and show such frames for a tenth.
  static func delay(stated seconds: Double) -> Double { seconds.isFinite && seconds > 0.0105 ? seconds : 0.1 }
}
