internal import CNukeCodecs
public import Foundation
public import NukeImaging

/// Reads still and animated WebP images with libwebp: lossy, lossless, and with alpha.
///
/// The canvas of an animated image is transparent where nothing was drawn; the background color of the file is ignored.
/// Delays of at most 10 milliseconds become a tenth of a second, as in browsers.
///
/// A lossy image without alpha can be decoded reduced. Each pixel is the average of a square of luma and chroma, which is
/// about as accurate as the reduced decoding of JPEG.
public struct WebPReader: ImageReader {
  public static var format: ImageFormat { .webp }

  public let header: ImageHeader
  private let data: Data
  private let container: WebPContainer
  /// The embedded color profile, from which colors are converted to sRGB; `nil` if there is none.
  private let profile: ColorProfile?

  public init(data: Data, limits: CodecLimits) throws(CodecError) {
    let container = try WebPContainer(data, limits: limits)
    guard !container.frames.isEmpty else {
      if container.isTruncated { throw .truncated(.webp, byteCount: data.count) }
      throw .malformed(.webp, reason: "there is no image", offset: nil)
    }
    self.data = data
    self.container = container
    let profile = container.profile(in: data)
    self.profile = profile?.converting
    header = Self.header(of: container, in: data, profileName: profile?.name)
  }

  public static func header(ofPrefix data: Data) throws(CodecError) -> ImageHeader? {
    let container = try WebPContainer(data, limits: .unlimited)
    guard container.isHeaderComplete else {
      guard container.isTruncated else { throw .malformed(.webp, reason: "there is no image", offset: nil) }
      return nil
    }
    var header = header(of: container, in: data, profileName: container.profile(in: data)?.name)
    if container.isAnimated, container.isTruncated {
      header.frameCount = nil
      header.duration = nil
    }
    return header
  }

  private static func header(of container: WebPContainer, in data: Data, profileName: String?) -> ImageHeader {
    var header = ImageHeader(format: .webp, storedWidth: container.width, storedHeight: container.height)
    header.exif = container.exif.flatMap { EXIF(tiff: data.slice($0)) }
    header.orientation = header.exif?.orientation ?? .up
    header.hasAlpha = container.hasAlpha || container.showsCanvas
    header.profileName = profileName
    header.duration = 0
    if container.isAnimated {
      header.frameCount = container.frames.count
      header.loopCount = container.loopCount ?? 1
      if container.frames.count > 1 { header.duration = container.frames.reduce(0) { $0 + $1.delay } }
    }
    return header
  }

  public var metadata: ImageMetadata { ImageMetadata(webP: data, hasColorProfile: header.profileName != nil) }

  /// `true` if the image is stored as luma and chroma alone.
  private var isReducible: Bool {
    !container.isAnimated && !container.frames[0].isLossless && !container.frames[0].hasAlpha
  }

  public var scaleDenominators: [Int] { isReducible ? [1, 2, 4, 8] : [1] }

  /// Luma and chroma, which are decoded where the image is reduced, or the pixels of the library.
  public var workingByteCount: Int {
    isReducible ? container.frames[0].planeByteCount : header.storedWidth * header.storedHeight * 4
  }

  public func decode(_ options: DecodeOptions) throws(CodecError) -> Bitmap {
    guard scaleDenominators.contains(options.scaleDenominator) else {
      throw .unsupported(.webp, feature: "a reduction to 1/\(options.scaleDenominator)")
    }
    if options.isCancelled?() == true { throw .cancelled(.webp) }
    let orientation = options.orientation ?? header.orientation
    let image =
      container.isAnimated
      ? try firstFrame(orientation)
      : options.scaleDenominator > 1 ? try reduced(orientation, options) : try still(orientation, options.isCancelled)
    if options.isCancelled?() == true { throw .cancelled(.webp) }
    return image
  }

  private func still(_ orientation: Orientation, _ isCancelled: (() -> Bool)?) throws(CodecError) -> Bitmap {
    let frame = container.frames[0]
    let buffer = try PixelBuffer.allocate(.webp, width: frame.area.width, height: frame.area.height)
    try data.reading { bytes throws(CodecError) in
      try frame.decode(bytes, to: buffer.base, bytesPerRow: buffer.bytesPerRow, isCancelled: isCancelled)
    }
    profile?.convertToSRGB(buffer, isOpaque: !frame.hasAlpha)
    let isOpaque = frame.hasAlpha ? buffer.premultiply() : true
    return try buffer.upright(orientation, isOpaque: isOpaque, .webp)
  }

  private func reduced(_ orientation: Orientation, _ options: DecodeOptions) throws(CodecError) -> Bitmap {
    let (frame, denominator) = (container.frames[0], options.scaleDenominator)
    let (width, height) = (frame.area.width, frame.area.height)
    let buffer = try PixelBuffer.allocate(
      .webp, width: (width - 1) / denominator + 1, height: (height - 1) / denominator + 1)
    // Rows of RGBA that hold the planes.
    let memory = try PixelBuffer.allocate(
      .webp, width: width, height: (frame.planeByteCount - 1) / (width * 4) + 1)
    try data.reading { bytes throws(CodecError) in
      var planes = try frame.decodePlanes(bytes, to: memory.base, isCancelled: options.isCancelled)
      var scratch = [UInt16](repeating: 0, count: 2 * width + 8)
      nuke_reduce_420(buffer.base, &planes, UInt32(denominator), 0, UInt32(buffer.height), &scratch)
    }
    profile?.convertToSRGB(buffer, isOpaque: true)
    return try buffer.upright(orientation, isOpaque: true, .webp)
  }

  private func firstFrame(_ orientation: Orientation) throws(CodecError) -> Bitmap {
    guard let image = try frameSource(orientation).next() else {
      throw .malformed(.webp, reason: "there is no image", offset: nil)
    }
    return image
  }

  private func frameSource(_ orientation: Orientation) -> WebPFrameSource {
    WebPFrameSource(data: data, container: container, profile: profile, orientation: orientation)
  }

  public func animation() throws(CodecError) -> Animation? {
    guard container.frames.count > 1 else { return nil }
    try DecodeWork.checkFrames(header, count: container.frames.count)
    return Animation(
      pixelWidth: header.pixelWidth, pixelHeight: header.pixelHeight, loopCount: header.loopCount,
      delays: container.frames.map(\.delay)
    ) { [self] in frameSource(header.orientation) }
  }
}

extension WebPContainer {
  /// Returns the embedded profile, if it is valid and fits the pixels. It retains a copy, not the file.
  func profile(in data: Data) -> ColorProfile? {
    profile.flatMap { ColorProfile(iccData: Data([UInt8](data.slice($0)))) }.flatMap { $0.fits(.rgb) ? $0 : nil }
  }
}

extension ColorProfile {
  /// The profile, if it changes colors.
  var converting: ColorProfile? { isSRGB ? nil : self }
}
