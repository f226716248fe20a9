#if AVIF
  internal import CNukeAVIF
  public import Foundation
  import NukeBase
  public import NukeImaging

  /// Reads still and animated AVIF images with libavif and dav1d: 8, 10 and 12 bits, gray, alpha, and grids.
  ///
  /// Colors are converted to sRGB from the ICC profile of the file, or else from its code points. PQ and HLG are tone
  /// mapped (ITU-R BT.2390, with reference white at 203 cd/m² and a peak of 1000 cd/m²). The image is cropped and
  /// rotated according to its properties. An orientation in EXIF is reported but not applied, as the standard requires.
  /// An animation loops as often as its edit list states, or forever without one. Delays of at most 10 milliseconds
  /// become a tenth of a second, as in browsers.
  /// A still image is decoded on all idle processors, an animated one on one thread. Decoding cannot be stopped within
  /// a frame. libavif supports images with up to 268 megapixels.
  public struct AVIFReader: ImageReader {
    public static var format: ImageFormat { .avif }

    public let header: ImageHeader
    private let data: Data
    private let limits: CodecLimits
    private let codedImage: AVIFImage
    private let delays: [TimeInterval]

    public init(data: Data, limits: CodecLimits) throws(CodecError) {
      try Self.checkSignature(data)
      let decoder = try AVIFDecoder(data, extent: .whole, limits: limits)
      codedImage = AVIFImage(decoder)
      try limits.check(.avif, width: codedImage.codedWidth, height: codedImage.codedHeight)
      delays = try Self.delays(decoder, data)
      header = Self.header(codedImage, decoder, delays, data)
      self.data = data
      self.limits = limits
    }

    public static func header(ofPrefix data: Data) throws(CodecError) -> ImageHeader? {
      guard data.count >= 16 else { return nil }
      try checkSignature(data)
      func header(readsEXIF: Bool) throws(CodecError) -> ImageHeader? {
        try unlessTruncated { () throws(CodecError) in
          // libavif allocates memory for each frame.
          var limits = CodecLimits.unlimited
          limits.maximumFrameCount = CodecLimits().maximumFrameCount
          let decoder = try AVIFDecoder(data, extent: .prefix, limits: limits, readsEXIF: readsEXIF)
          return Self.header(AVIFImage(decoder), decoder, try delays(decoder, data), data)
        }
      }
      // If EXIF has not arrived yet, the header is created without it. In AVIF, EXIF does not affect the orientation.
      if let header = try header(readsEXIF: true) { return header }
      return try header(readsEXIF: false)
    }

    private static func checkSignature(_ data: Data) throws(CodecError) {
      guard data.count >= 16 else { throw .truncated(.avif, byteCount: data.count) }
      try ImageFormat.avif.checkSignature(data)
    }

    private static func delays(_ decoder: AVIFDecoder, _ data: Data) throws(CodecError) -> [TimeInterval] {
      var delays: [TimeInterval] = []
      let count = Int(decoder.fields.imageCount)
      // For each frame, libavif adds the delays of all frames before it, and looks for each of them.
      let runs = data.withUnsafeBytes { ISOBoxes.delayRunCount($0) }
      try DecodeWork.delaySteps.check(Double(count) * Double(count) / 2 * Double(max(runs, 1)), .avif)
      for index in 0..<count { delays.append(try decoder.delay(ofFrame: index)) }
      return delays
    }

    private static func header(
      _ codedImage: AVIFImage, _ decoder: AVIFDecoder, _ delays: [TimeInterval], _ data: Data
    ) -> ImageHeader {
      let image = decoder.image
      var header = ImageHeader(format: .avif, storedWidth: codedImage.area.width, storedHeight: codedImage.area.height)
      header.orientation = codedImage.orientation
      header.colorModel = image.yuvFormat == AVIF_PIXEL_FORMAT_YUV400 ? .gray : .rgb
      header.bitsPerComponent = codedImage.bits
      header.hasAlpha = codedImage.hasAlpha
      header.isProgressive = decoder.fields.progressiveState != AVIF_PROGRESSIVE_STATE_UNAVAILABLE
      header.profileName = codedImage.profile?.name
      header.frameCount = delays.count
      header.loopCount = delays.count > 1 ? data.withUnsafeBytes { ISOEditList.loopCount($0) } : 1
      header.duration = delays.count > 1 ? delays.reduce(0, +) : 0
      header.exif = image.exif.bytes.flatMap { EXIF(tiff: $0) }
      return header
    }

    public var metadata: ImageMetadata {
      var metadata = ImageMetadata(hasColorProfile: header.profileName != nil)
      guard let decoder = try? AVIFDecoder(data, extent: .whole, limits: limits, readsXMP: true) else {
        return metadata
      }
      withExtendedLifetime(decoder) {
        metadata.exif = decoder.image.exif.bytes.flatMap(ImageMetadata.block)
        metadata.xmp = decoder.image.xmp.bytes.flatMap(ImageMetadata.block)
      }
      return metadata
    }

    /// The thumbnail in EXIF. libavif does not read thumbnail items.
    public var embeddedThumbnail: Data? {
      guard let decoder = try? AVIFDecoder(data, extent: .whole, limits: limits) else { return nil }
      return withExtendedLifetime(decoder) { decoder.image.exif.bytes.flatMap { EXIF.embeddedThumbnail(tiff: $0) } }
    }

    /// The planes of the decoder, and the 16-bit components if there are any.
    public var workingByteCount: Int { codedImage.workingByteCount }

    public func decode(_ options: DecodeOptions) throws(CodecError) -> Bitmap {
      if options.isCancelled?() == true { throw .cancelled(.avif) }
      // A thread costs as much as some ten thousand pixels.
      let most = max(codedImage.codedWidth * codedImage.codedHeight / 250_000, 1)
      let decoder = try IdleProcessors.shared.use(atMost: most) { threadCount throws(CodecError) in
        let decoder = try self.decoder(threadCount: threadCount)
        try decoder.nextFrame()
        return decoder
      }
      if options.isCancelled?() == true { throw .cancelled(.avif) }
      return try codedImage.bitmap(of: decoder, orientation: options.orientation ?? codedImage.orientation)
    }

    private func decoder(threadCount: Int = 1) throws(CodecError) -> AVIFDecoder {
      let decoder = try AVIFDecoder(
        data, extent: .whole, limits: limits, readsEXIF: false, threadCount: threadCount)
      decoder.limitFrames(to: limits.maximumPixelCount)
      return decoder
    }

    public func animation() throws(CodecError) -> Animation? {
      guard delays.count > 1 else { return nil }
      try DecodeWork.checkFrames(header, count: delays.count)
      return Animation(
        pixelWidth: header.pixelWidth, pixelHeight: header.pixelHeight, loopCount: header.loopCount, delays: delays,
        canvasByteCount: codedImage.codedWidth * codedImage.codedHeight * 4 + workingByteCount
      ) { [self] in AVIFFrameSource(try decoder(), codedImage) }
    }
  }

  /// Decodes the frames of an AVIF sequence in order. For one thread at a time.
  private final class AVIFFrameSource: AnimationFrameSource {
    private let decoder: AVIFDecoder
    private let codedImage: AVIFImage
    private var failure: CodecError?
    private var index = 0

    init(_ decoder: AVIFDecoder, _ codedImage: AVIFImage) {
      self.decoder = decoder
      self.codedImage = codedImage
    }

    func nextFrame() throws -> Bitmap? {
      guard try skipFrame() else { return nil }
      return try codedImage.bitmap(of: decoder, orientation: codedImage.orientation)
    }

    func skipFrame() throws -> Bool {
      if let failure { throw failure }
      guard index < Int(decoder.fields.imageCount) else { return false }
      do throws(CodecError) {
        try decoder.nextFrame()
      } catch {
        // The following frames depend on this one.
        failure = error
        throw error
      }
      index += 1
      return true
    }

    func rewind() throws {
      try decoder.rewind()
      failure = nil
      index = 0
    }
  }
#endif
