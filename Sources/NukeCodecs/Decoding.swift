import NukeImaging

// Steps that readers and writers of several formats share.

extension PixelBuffer {
  /// Returns memory for the pixels of an image, which is not cleared.
  static func allocate(_ format: ImageFormat, width: Int, height: Int) throws(CodecError) -> PixelBuffer {
    guard let buffer = PixelBuffer(width: width, height: height) else {
      throw .outOfMemory(format, byteCount: width * height * 4)
    }
    return buffer
  }

  /// Returns memory for the 16-bit components of an image, which is not cleared. One pixel takes the space of two
  /// pixels with four bytes.
  static func allocateDeep(_ format: ImageFormat, width: Int, height: Int) throws(CodecError) -> PixelBuffer {
    try allocate(format, width: width * 2, height: height)
  }

  /// The components in a buffer from ``allocateDeep(_:width:height:)``: four per pixel.
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
  /// Converts RGBA to RGB by removing every fourth byte.
  static func dropAlpha(_ source: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<UInt8>, count: Int) {
    var x = 0
    // Two pixels at a time, with two bytes behind them that the next pixels replace.
    while x + 3 <= count {
      let pixels = UInt64(littleEndian: UnsafeRawPointer(source + x * 4).loadUnaligned(as: UInt64.self))
      let packed = pixels & 0xFF_FFFF | pixels >> 8 & 0xFFFF_FF00_0000
      UnsafeMutableRawPointer(target + x * 3).storeBytes(of: packed.littleEndian, as: UInt64.self)
      x += 2
    }
    for x in x..<count {
      target[x * 3] = source[x * 4]
      target[x * 3 + 1] = source[x * 4 + 1]
      target[x * 3 + 2] = source[x * 4 + 2]
    }
  }
}

extension ColorProfile {
  /// Converts 16-bit components to sRGB.
  ///
  /// - Parameters:
  ///   - buffer: receives the pixels.
  ///   - fill: decodes into memory for four components per pixel. Returns `false` if there is nothing to decode.
  /// - Returns: the result of `fill`.
  func convertDeep(
    to buffer: PixelBuffer, _ format: ImageFormat, _ fill: (PixelBuffer) throws(CodecError) -> Bool
  ) throws(CodecError) -> Bool {
    let deep = try PixelBuffer.allocateDeep(format, width: buffer.width, height: buffer.height)
    guard try fill(deep) else { return false }
    convertDeepToSRGB(deep.components, bits: 16, to: buffer.base, pixelCount: buffer.width * buffer.height)
    return true
  }

  /// `true` if the profile is valid for pixels of `model`. Gray pixels may have an RGB profile, and indexed pixels a
  /// profile for their colors. A profile for another number of channels is ignored.
  func fits(_ model: ImageHeader.ColorModel) -> Bool {
    switch model {
    case .gray: self.model != .cmyk
    case .rgb, .indexed: self.model == .rgb
    case .cmyk: self.model == .cmyk
    }
  }
}

/// Rounds components with more than 8 bits to 8 bits, without other losses.
struct ComponentRounding {
  private let table: [UInt8]

  /// - Parameter bits: the number of bits of a component, at most 16.
  init(bits: Int) {
    let largest = (1 << bits) - 1
    table = (0...largest).map { UInt8(($0 * 510 + largest) / (2 * largest)) }
  }

  /// Rounds `count` components. Values with more bits than stated become 255.
  func round(_ components: UnsafePointer<UInt16>, to output: UnsafeMutablePointer<UInt8>, count: Int) {
    table.withUnsafeBufferPointer { table in
      for index in 0..<count { output[index] = table[min(Int(components[index]), table.count - 1)] }
    }
  }
}

extension Animation {
  /// Returns the delay to use for a frame that states `seconds`. Like browsers, delays of at most a hundredth of a
  /// second become a tenth.
  static func delay(stated seconds: Double) -> Double { seconds.isFinite && seconds > 0.0105 ? seconds : 0.1 }
}
