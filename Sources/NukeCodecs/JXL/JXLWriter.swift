#if JPEGXL
  internal import CNukeJXL
  public import Foundation
  import NukeBase
  public import NukeImaging

  /// Writes still and animated JPEG XL images with libjxl, including alpha.
  public struct JXLWriter: ImageWriter {
    public static var format: ImageFormat { .jxl }

    /// The quality on the scale of libjxl's tools, from 0 (smallest file) to 1 (best image). Not used if ``isLossless``.
    public var quality: Double
    /// A Boolean value that indicates whether the file contains every pixel exactly.
    public var isLossless: Bool
    /// The effort, from 1 (fastest) to 9 (smallest file).
    public var effort: Int
    /// The metadata to write, unchanged: see ``ImageMetadata/keeping(_:)``.
    public var metadata = ImageMetadata()

    /// Creates a writer. Values outside their range are clamped.
    public init(quality: Double = 0.8, isLossless: Bool = false, effort: Int = 4) {
      self.quality = quality
      self.isLossless = isLossless
      self.effort = effort
    }

    public init(_ options: EncodeOptions) {
      self.init(
        quality: QualityScale.quality(of: .jxl, likeJPEG: options.quality), isLossless: options.isLossless,
        effort: options.effort(in: 1...9) ?? 4)
      metadata = options.writtenMetadata
    }

    /// Encodes an image with straight colors, marked as sRGB.
    ///
    /// A lossless file decodes to the same pixels.
    ///
    /// - Throws: ``CodecError/encodingFailed(_:reason:)``, ``CodecError/outOfMemory(_:byteCount:)``.
    public func encode(_ image: Bitmap) throws(CodecError) -> Data {
      guard let pixels = image.buffer else { throw .encodingFailed(.jxl, reason: "the image is empty") }
      let encoding = try encoding(width: pixels.width, height: pixels.height, hasAlpha: !image.isOpaque)
      try encoding.add(pixels, hasAlpha: !image.isOpaque)
      return try encoding.finish()
    }

    /// The maximum side of libjxl (ISO/IEC 18181-1, level 10), in pixels.
    static let maximumSide = 1 << 30

    /// Returns an encoding with the settings of the writer.
    ///
    /// - Parameter loopCount: the number of loops of an animation, 0 for forever; `nil` for a still image.
    func encoding(
      width: Int, height: Int, hasAlpha: Bool, loopCount: Int? = nil
    ) throws(CodecError) -> JXLEncoding {
      let encoding = try JXLEncoding()
      try encoding.describe(
        width: width, height: height, hasAlpha: hasAlpha, isLossless: isLossless, loopCount: loopCount)
      try encoding.set(
        distance: isLossless ? nil : Self.distance(quality.isNaN ? 0.8 : min(max(quality, 0), 1)),
        effort: min(max(effort, 1), 9))
      try encoding.add(metadata)
      return encoding
    }

    /// Returns the Butteraugli distance for a quality, like cjxl does for JPEG's quality. It is 0.1 for 1, 1.9 for 0.8,
    /// and increases faster below 0.3, up to 25, the maximum of libjxl.
    private static func distance(_ quality: Double) -> Float {
      quality >= 0.3 ? Float(0.1 + (1 - quality) * 9) : Float(min(6.4 + pow(2.5, (0.3 - quality) * 20) / 6.25, 25))
    }
  }

  /// The encoding of an image, or of the frames of an animation, with libjxl.
  final class JXLEncoding {
    private let encoder: OpaquePointer
    /// The frame settings, owned by the encoder.
    private let settings: OpaquePointer
    /// The file, and bytes that are not used yet.
    private var output = [UInt8](repeating: 0, count: 64 << 10)
    private var byteCount = 0

    init() throws(CodecError) {
      try SystemLibrary.jxl.require(for: .jxl)
      guard let encoder = JxlEncoderCreate(nil) else { throw .outOfMemory(.jxl, byteCount: 0) }
      guard let settings = JxlEncoderFrameSettingsCreate(encoder, nil) else {
        JxlEncoderDestroy(encoder)
        throw .outOfMemory(.jxl, byteCount: 0)
      }
      self.encoder = encoder
      self.settings = settings
    }

    deinit { JxlEncoderDestroy(encoder) }

    func describe(
      width: Int, height: Int, hasAlpha: Bool, isLossless: Bool, loopCount: Int?
    ) throws(CodecError) {
      var info = JxlBasicInfo()
      JxlEncoderInitBasicInfo(&info)
      info.xsize = UInt32(width)
      info.ysize = UInt32(height)
      info.bits_per_sample = 8
      info.num_color_channels = 3
      info.uses_original_profile = isLossless ? JXL_TRUE : JXL_FALSE
      if hasAlpha {
        info.num_extra_channels = 1
        info.alpha_bits = 8
      }
      if let loopCount {
        info.have_animation = JXL_TRUE
        // Durations are in milliseconds.
        (info.animation.tps_numerator, info.animation.tps_denominator) = (1000, 1)
        info.animation.num_loops = UInt32(clamping: loopCount)
      }
      try check(JxlEncoderSetBasicInfo(encoder, &info))
      var color = JxlColorEncoding()
      JxlColorEncodingSetToSRGB(&color, JXL_FALSE)
      try check(JxlEncoderSetColorEncoding(encoder, &color))
    }

    /// - Parameter distance: the distance; `nil` for lossless.
    func set(distance: Float?, effort: Int) throws(CodecError) {
      try check(JxlEncoderFrameSettingsSetOption(settings, JXL_ENC_FRAME_SETTING_EFFORT, Int64(effort)))
      if let distance {
        try check(JxlEncoderSetFrameDistance(settings, distance))
      } else {
        try check(JxlEncoderSetFrameLossless(settings, JXL_TRUE))
      }
    }

    /// Adds the metadata as boxes (ISO/IEC 18181-2, 9.4 and 9.5). Without any, the file has no boxes.
    func add(_ metadata: ImageMetadata) throws(CodecError) {
      // The offset of the block precedes it.
      let boxes = [("Exif", metadata.exif.map { Data(count: 4) + $0 }), ("xml ", metadata.xmp)]
      guard boxes.contains(where: { $0.1 != nil }) else { return }
      try check(JxlEncoderUseBoxes(encoder))
      for case (let name, let content?) in boxes {
        let bytes = [UInt8](content)
        let type = name.utf8.map { CChar(bitPattern: $0) }
        try check(JxlEncoderAddBox(encoder, type, bytes, bytes.count, JXL_FALSE))
      }
    }

    /// Passes the pixels to libjxl, which copies them.
    func add(_ pixels: PixelBuffer, hasAlpha: Bool) throws(CodecError) {
      var format = JxlPixelFormat(
        num_channels: hasAlpha ? 4 : 3, data_type: JXL_TYPE_UINT8, endianness: JXL_NATIVE_ENDIAN, align: 0)
      if hasAlpha {
        let straight = try pixels.straight(isOpaque: false, .jxl)
        let status = withExtendedLifetime(straight) {
          JxlEncoderAddImageFrame(settings, &format, straight.base, straight.byteCount)
        }
        return try check(status)
      }
      let packed = UnsafeMutablePointer<UInt8>.allocate(capacity: pixels.width * pixels.height * 3)
      defer { packed.deallocate() }
      PixelKernels.dropAlpha(pixels.base, to: packed, count: pixels.width * pixels.height)
      try check(JxlEncoderAddImageFrame(settings, &format, packed, pixels.width * pixels.height * 3))
    }

    /// Sets the duration of the frame that is added next.
    func setDuration(milliseconds: Int32) throws(CodecError) {
      var header = JxlFrameHeader()
      JxlEncoderInitFrameHeader(&header)
      header.duration = UInt32(milliseconds)
      try check(JxlEncoderSetFrameHeader(settings, &header))
    }

    /// Encodes the frames that were added, after which another one must follow: the last one is encoded at the end.
    func encodeFrames() throws(CodecError) {
      while true {
        var available = output.count - byteCount
        let status = output.withUnsafeMutableBufferPointer { buffer in
          var next = buffer.baseAddress.map { $0 + byteCount }
          return JxlEncoderProcessOutput(encoder, &next, &available)
        }
        byteCount = output.count - available
        guard status == JXL_ENC_NEED_MORE_OUTPUT else { return try check(status) }
        output += [UInt8](repeating: 0, count: output.count)
      }
    }

    func finish() throws(CodecError) -> Data {
      JxlEncoderCloseInput(encoder)
      try encodeFrames()
      return Data(output[..<byteCount])
    }

    private func check(_ status: JxlEncoderStatus) throws(CodecError) {
      if status == JXL_ENC_SUCCESS { return }
      switch JxlEncoderGetError(encoder) {
      case JXL_ENC_ERR_OOM: throw .outOfMemory(.jxl, byteCount: 0)
      case let error: throw .encodingFailed(.jxl, reason: "libjxl failed with error \(error.rawValue)")
      }
    }
  }
#endif
