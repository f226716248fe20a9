#if JPEGXL
  internal import CNukeJXL
  public import Foundation
  public import NukeImaging

  /// Reads still and animated JPEG XL images with libjxl: integers and floats of any depth, gray, and alpha.
  ///
  /// Colors are converted to sRGB from the ICC profile or the code points of the file. PQ and HLG are tone mapped
  /// (ITU-R BT.2390, with reference white at 203 cd/m² and a peak of 1000 cd/m²). The orientation is that of the
  /// codestream. An orientation in EXIF is reported but not applied, as the standard requires. Frames of an animated
  /// image are delivered blended, and delays of at most 10 milliseconds become a tenth of a second, as in browsers.
  /// A still image or the first frame is decoded on all idle processors.
  public struct JXLReader: ImageReader {
    public static var format: ImageFormat { .jxl }

    public let header: ImageHeader
    private let data: Data
    private let codedImage: JXLImage
    private let delays: [TimeInterval]

    public init(data: Data, limits: CodecLimits) throws(CodecError) {
      try Self.checkSignature(data)
      let decoder = try JXLDecoder(data, events: [.basicInfo, .colorEncoding, .frame])
      codedImage = try JXLImage(decoder)
      try codedImage.check(limits)
      delays = try Self.delays(decoder, codedImage, limits)
      try Self.checkLayers(data, codedImage, frameCount: delays.count)
      self.data = data
      var header = Self.header(codedImage, delays)
      header.exif = JXLMetadata.exifBlock(data).flatMap { EXIF(tiff: $0) }
      self.header = header
    }

    public static func header(ofPrefix data: Data) throws(CodecError) -> ImageHeader? {
      guard data.count >= 16 else { return nil }
      try checkSignature(data)
      return try unlessTruncated { () throws(CodecError) in
        let decoder = try JXLDecoder(data, events: [.basicInfo, .colorEncoding, .frame])
        let codedImage = try JXLImage(decoder)
        guard codedImage.isAnimated else { return header(codedImage, [0]) }
        var header = header(codedImage, try delays(decoder, codedImage, .unlimited, isPrefix: true))
        if header.frameCount == 0 { (header.frameCount, header.duration) = (nil, nil) }
        return header
      }
    }

    private static func checkSignature(_ data: Data) throws(CodecError) {
      guard data.count >= 12 else { throw .truncated(.jxl, byteCount: data.count) }
      try ImageFormat.jxl.checkSignature(data)
    }

    /// Returns the delays of the available frames; an empty array if a prefix does not contain all frames.
    private static func delays(
      _ decoder: JXLDecoder, _ codedImage: JXLImage, _ limits: CodecLimits, isPrefix: Bool = false
    ) throws(CodecError) -> [TimeInterval] {
      guard codedImage.isAnimated else { return [0] }
      var delays: [TimeInterval] = []
      do throws(CodecError) {
        while try decoder.next() != JXL_DEC_SUCCESS {
          delays.append(Animation.delay(stated: Double(try decoder.frameDuration()) * codedImage.tick))
          try limits.check(.jxl, frameCount: delays.count)
        }
      } catch {
        guard case .truncated = error else { throw error }
        if isPrefix { return [] }
        // The complete frames are shown. Decoding the truncated one throws the error.
        if delays.isEmpty { throw error }
      }
      guard !delays.isEmpty else { throw .malformed(.jxl, reason: "there is no frame", offset: nil) }
      return delays
    }

    /// Throws if the image has too many layers that are not frames. libjxl blends each, however small, into the whole image.
    private static func checkLayers(_ data: Data, _ codedImage: JXLImage, frameCount: Int) throws(CodecError) {
      let pixelCount = Double(codedImage.width) * Double(codedImage.height)
      let decoder = try JXLDecoder(data, events: .frame, isCoalescing: false)
      var count = 0
      do throws(CodecError) {
        while try decoder.next() != JXL_DEC_SUCCESS {
          count += 1
          try DecodeWork.blendedPixels.check(pixelCount * Double(count - frameCount), .jxl)
        }
      } catch {
        // Decoding reports other errors.
        if case .tooComplex = error { throw error }
      }
    }

    private static func header(_ codedImage: JXLImage, _ delays: [TimeInterval]) -> ImageHeader {
      var header = codedImage.header
      header.frameCount = delays.count
      header.loopCount = delays.count > 1 ? codedImage.loopCount : 1
      header.duration = delays.count > 1 ? delays.reduce(0, +) : 0
      return header
    }

    /// The memory of libjxl's channels, and of the 16-bit components if there are any.
    public var workingByteCount: Int { codedImage.workingByteCount }

    public var metadata: ImageMetadata {
      JXLMetadata.metadata(data, hasColorProfile: header.profileName != nil)
    }

    /// The thumbnail in EXIF, which is preserved when the JPEG of a camera is converted.
    public var embeddedThumbnail: Data? {
      JXLMetadata.exifBlock(data).flatMap { EXIF.embeddedThumbnail(tiff: $0) }
    }

    public func decode(_ options: DecodeOptions) throws(CodecError) -> Bitmap {
      if options.isCancelled?() == true { throw .cancelled(.jxl) }
      let decoder = try JXLDecoder(
        data, events: .fullImage, isParallel: true, isCancelled: options.isCancelled)
      let orientation = options.orientation ?? codedImage.orientation
      guard let image = try codedImage.nextFrame(of: decoder, orientation: orientation) else {
        throw .malformed(.jxl, reason: "there is no frame", offset: nil)
      }
      if options.isCancelled?() == true { throw .cancelled(.jxl) }
      return image
    }

    public func animation() throws(CodecError) -> Animation? {
      guard delays.count > 1 else { return nil }
      try DecodeWork.checkFrames(header, count: delays.count)
      return Animation(
        pixelWidth: header.pixelWidth, pixelHeight: header.pixelHeight, loopCount: header.loopCount, delays: delays,
        canvasByteCount: codedImage.width * codedImage.height * 4 + workingByteCount
      ) { [data, codedImage, delays] in try JXLFrameSource(data, codedImage, frameCount: delays.count) }
    }
  }

  /// Decodes the frames of a JPEG XL image in order. For one thread at a time.
  private final class JXLFrameSource: AnimationFrameSource {
    private let data: Data
    private let codedImage: JXLImage
    private let frameCount: Int
    private var decoder: JXLDecoder
    private var failure: CodecError?
    private var index = 0

    init(_ data: Data, _ codedImage: JXLImage, frameCount: Int) throws(CodecError) {
      self.data = data
      self.codedImage = codedImage
      self.frameCount = frameCount
      decoder = try JXLDecoder(data, events: .fullImage)
    }

    func nextFrame() throws -> Bitmap? {
      if let failure { throw failure }
      guard index < frameCount else { return nil }
      do throws(CodecError) {
        guard let image = try codedImage.nextFrame(of: decoder, orientation: codedImage.orientation) else { return nil }
        index += 1
        return image
      } catch {
        // The following frames are drawn on top of this one.
        failure = error
        throw error
      }
    }

    func rewind() throws {
      decoder = try JXLDecoder(data, events: .fullImage)
      failure = nil
      index = 0
    }
  }
#endif
