#if AVIF
  internal import CNukeAVIF
  public import Foundation
  import NukeBase
  public import NukeImaging

  /// Writes still and animated AVIF images with libavif and the encoder it was built with (libaom in Debian).
  public struct AVIFWriter: ImageWriter {
    public static var format: ImageFormat { .avif }

    /// The quality on the scale of libavif, from 0 (smallest file) to 1 (best image). Not used if ``isLossless``.
    public var quality: Double
    /// A Boolean value that indicates whether the file contains every pixel exactly.
    public var isLossless: Bool
    /// The effort, from 0 (fastest) to 10 (smallest file). 10 takes about a hundred times as long as 0.
    public var effort: Int
    /// The number of bits per component: 8 or 10. The pixels have 8; with 10 there are smaller rounding errors.
    public var bitsPerComponent: Int
    /// The resolution of the chroma components; `nil`, the default, for 4:2:0 below a quality of 0.9 and 4:4:4 from there
    /// on. Ignored if ``isLossless`` is `true`.
    public var subsampling: ChromaSubsampling?
    /// The metadata to write, unchanged: see ``ImageMetadata/keeping(_:)``.
    public var metadata = ImageMetadata()

    /// Creates a writer. Values outside their range are clamped.
    public init(
      quality: Double = 0.8, isLossless: Bool = false, effort: Int = 4, bitsPerComponent: Int = 8,
      subsampling: ChromaSubsampling? = nil
    ) {
      self.quality = quality
      self.isLossless = isLossless
      self.effort = effort
      self.bitsPerComponent = bitsPerComponent
      self.subsampling = subsampling
    }

    public init(_ options: EncodeOptions) {
      self.init(
        quality: QualityScale.quality(of: .avif, likeJPEG: options.quality), isLossless: options.isLossless,
        effort: options.effort(in: 0...10) ?? 4,
        subsampling: options.chromaSubsampling ?? (options.quality < 0.9 ? .yuv420 : .yuv444))
      metadata = options.writtenMetadata
    }

    /// A Boolean value that indicates whether libavif was built with an encoder.
    public static var isAvailable: Bool {
      SystemLibrary.avif.failure == nil
        && avifCodecName(AVIF_CODEC_CHOICE_AUTO, AVIF_CODEC_FLAG_CAN_ENCODE.rawValue) != nil
    }

    /// Encodes an image with straight colors, marked as sRGB by code points. Alpha is lossless.
    ///
    /// A lossless file decodes to the same pixels. A side can have at most 65,535 pixels.
    ///
    /// - Throws: ``CodecError/encodingFailed(_:reason:)``, ``CodecError/outOfMemory(_:byteCount:)``.
    public func encode(_ image: Bitmap) throws(CodecError) -> Data {
      guard let pixels = image.buffer else { throw .encodingFailed(.avif, reason: "the image is empty") }
      let encoding = try encoding(width: pixels.width, height: pixels.height)
      try encoding.load(pixels, isOpaque: image.isOpaque)
      try encoding.add(metadata)
      return try encoding.finishImage()
    }

    static let maximumSide = 65_535

    /// Returns an encoding with the settings of the writer.
    func encoding(width: Int, height: Int) throws(CodecError) -> AVIFEncoding {
      try Self.format.checkWritable(width: width, height: height, maximumSide: Self.maximumSide)
      try SystemLibrary.avif.require(for: .avif)
      guard Self.isAvailable else { throw .encodingFailed(.avif, reason: "libavif was built without an encoder") }
      let quality = quality.isNaN ? 0.8 : min(max(quality, 0), 1)
      let encoding = try AVIFEncoding(
        width: width, height: height, bits: bitsPerComponent > 8 && !isLossless ? 10 : 8, isLossless: isLossless,
        subsampling: subsampling ?? (quality < 0.9 ? .yuv420 : .yuv444))
      encoding.set(
        quantizer: isLossless ? 0 : Int32((63 * (1 - quality)).rounded()), speed: Int32(10 - min(max(effort, 0), 10)))
      return encoding
    }
  }

  /// The encoding of an image, or of the images of a sequence, with libavif.
  final class AVIFEncoding {
    private let image: UnsafeMutablePointer<avifImage>
    private let encoder: UnsafeMutablePointer<avifEncoder>

    init(
      width: Int, height: Int, bits: Int, isLossless: Bool, subsampling: ChromaSubsampling
    ) throws(CodecError) {
      let format =
        !isLossless && subsampling == .yuv420 ? AVIF_PIXEL_FORMAT_YUV420 : AVIF_PIXEL_FORMAT_YUV444
      guard let image = avifImageCreate(UInt32(width), UInt32(height), UInt32(bits), format) else {
        throw .outOfMemory(.avif, byteCount: width * height * 4)
      }
      guard let encoder = avifEncoderCreate() else {
        avifImageDestroy(image)
        throw .outOfMemory(.avif, byteCount: width * height * 4)
      }
      self.image = image
      self.encoder = encoder
      image.pointee.yuvRange = AVIF_RANGE_FULL
      image.pointee.colorPrimaries = avifColorPrimaries(AVIF_COLOR_PRIMARIES_BT709)
      image.pointee.transferCharacteristics = avifTransferCharacteristics(AVIF_TRANSFER_CHARACTERISTICS_SRGB)
      // In lossless files, red, green and blue are stored in the planes without conversion.
      image.pointee.matrixCoefficients = avifMatrixCoefficients(
        isLossless ? AVIF_MATRIX_COEFFICIENTS_IDENTITY : AVIF_MATRIX_COEFFICIENTS_BT601)
    }

    deinit {
      avifEncoderDestroy(encoder)
      avifImageDestroy(image)
    }

    /// Passes the pixels to libavif, which converts them to its own planes.
    func load(_ pixels: PixelBuffer, isOpaque: Bool) throws(CodecError) {
      let straight = try pixels.straight(isOpaque: isOpaque, .avif)
      var input = avifRGBImage()
      avifRGBImageSetDefaults(&input, image)
      input.depth = 8
      input.format = AVIF_RGB_FORMAT_RGBA
      input.ignoreAlpha = isOpaque ? AVIF_TRUE : AVIF_FALSE
      input.pixels = straight.base
      input.rowBytes = UInt32(straight.bytesPerRow)
      let result = withExtendedLifetime(straight) { avifImageRGBToYUV(image, &input) }
      try check(result)
    }

    /// Passes the metadata to libavif, which copies it.
    func add(_ metadata: ImageMetadata) throws(CodecError) {
      for (content, set) in [(metadata.exif, nuke_avif_set_exif), (metadata.xmp, nuke_avif_set_xmp)] {
        guard let content else { continue }
        let isSet = content.withUnsafeBytes {
          set(image, $0.baseAddress?.assumingMemoryBound(to: UInt8.self), $0.count)
        }
        guard isSet != 0 else { throw .outOfMemory(.avif, byteCount: content.count) }
      }
    }

    func set(quantizer: Int32, speed: Int32) {
      encoder.pointee.maxThreads = 1
      encoder.pointee.speed = speed
      encoder.pointee.minQuantizer = quantizer
      encoder.pointee.maxQuantizer = quantizer
      encoder.pointee.minQuantizerAlpha = AVIF_QUANTIZER_LOSSLESS
      encoder.pointee.maxQuantizerAlpha = AVIF_QUANTIZER_LOSSLESS
    }

    /// Returns the file of the image that was loaded.
    func finishImage() throws(CodecError) -> Data {
      try data { avifEncoderWrite(encoder, image, &$0) }
    }

    /// Begins a sequence with times in milliseconds.
    func beginSequence(loopCount: Int) {
      encoder.pointee.timescale = 1000
      nuke_avif_set_loops(encoder, Int32(clamping: loopCount))
    }

    /// Adds the image that was loaded to the sequence. Another one may be loaded then.
    func appendImage(milliseconds: Int32) throws(CodecError) {
      try check(
        avifEncoderAddImage(encoder, image, UInt64(milliseconds), avifAddImageFlags(AVIF_ADD_IMAGE_FLAG_NONE.rawValue)))
    }

    /// Returns the file of the sequence.
    func finishSequence() throws(CodecError) -> Data {
      try data { avifEncoderFinish(encoder, &$0) }
    }

    private func data(_ write: (inout avifRWData) -> avifResult) throws(CodecError) -> Data {
      var output = avifRWData()
      defer { avifRWDataFree(&output) }
      try check(write(&output))
      guard let data = output.bytes else { throw .encodingFailed(.avif, reason: "libavif returned no data") }
      return data
    }

    private func check(_ result: avifResult) throws(CodecError) {
      if result == AVIF_RESULT_OK { return }
      if result == AVIF_RESULT_OUT_OF_MEMORY {
        throw .outOfMemory(.avif, byteCount: Int(image.pointee.width) * Int(image.pointee.height) * 4)
      }
      let details = String(characters: encoder.pointee.diag.error)
      let words = details.isEmpty ? String(cString: avifResultToString(result)) : details
      throw .encodingFailed(.avif, reason: "libavif failed: \(words)")
    }
  }
#endif
