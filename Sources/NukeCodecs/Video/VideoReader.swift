#if Video
  public import Foundation
  public import NukeImaging

  /// Reads frames of MP4, MOV and WebM videos with libavformat and libavcodec: H.264, HEVC, VP8, VP9 and AV1.
  ///
  /// ``decode(_:)`` returns the poster frame of ``DecodeOptions/posterFrame``. The display matrix and the shape of the
  /// pixels are applied, and colors are converted to sRGB from the code points of the stream. PQ and HLG are tone mapped
  /// (ITU-R BT.2390, with reference white at 203 cd/m² and a peak of 1000 cd/m²). Alpha in WebM is ignored.
  ///
  /// A video of at most ``animationDurationLimit`` that has no more frames than the limits allow is also an animation,
  /// which loops forever and has no sound.
  ///
  /// Decoding uses one thread. It fails with ``CodecError/unsupported(_:feature:)`` after 10 seconds, or 1000 packets
  /// after a key frame. No other file is opened.
  public struct VideoReader: ImageReader {
    /// MP4. The format of the file, which may also be MOV or WebM, is in ``header``.
    public static var format: ImageFormat { .mp4 }

    /// The maximum duration of an animation, in seconds.
    public static let animationDurationLimit: TimeInterval = 60

    public let header: ImageHeader
    private let data: Data
    private let limits: CodecLimits
    private let image: VideoImage
    private let clock: @Sendable () -> TimeInterval

    public init(data: Data, limits: CodecLimits) throws(CodecError) {
      try self.init(data: data, limits: limits, clock: VideoWatch.monotonic)
    }

    /// - Parameter clock: returns a time in seconds that only increases, for the time limit.
    package init(
      data: Data, limits: CodecLimits, clock: @escaping @Sendable () -> TimeInterval
    ) throws(CodecError) {
      let file = try VideoFile(data, format: try Self.format(of: data), watch: VideoWatch(clock: clock))
      self.data = data
      self.limits = limits
      self.clock = clock
      image = try VideoImage(file, limits: limits)
      header = Self.header(file.format, image)
    }

    public static func header(ofPrefix data: Data) throws(CodecError) -> ImageHeader? {
      guard data.count >= 16 else { return nil }
      let format = try format(of: data)
      // Only these bytes are read, so that more of them do not change the header.
      guard let end = data.withUnsafeBytes({ Self.endOfHeader($0, format) }) else { return nil }
      let file = try VideoFile(
        data.prefix(end), format: format, isWhole: false, watch: VideoWatch(clock: VideoWatch.monotonic))
      return Self.header(format, try VideoImage(file, limits: .unlimited))
    }

    /// Returns the end of the header, which may follow the frames; `nil` if it is not there.
    private static func endOfHeader(_ bytes: UnsafeRawBufferPointer, _ format: ImageFormat) -> Int? {
      if format == .webm { return EBMLHeader.startOfFirstCluster(bytes) }
      return ISOBoxes(bytes).first { $0.type == "moov" && !$0.isTruncated && !$0.isOpenEnded }?.contents.upperBound
    }

    private static func format(of data: Data) throws(CodecError) -> ImageFormat {
      guard data.count >= 16 else { throw .truncated(.mp4, byteCount: data.count) }
      guard let format = ImageFormat(sniffing: data), format.isVideo else {
        throw .malformed(.mp4, reason: "the signature is missing", offset: 0)
      }
      return format
    }

    private static func header(_ format: ImageFormat, _ image: VideoImage) -> ImageHeader {
      var header = ImageHeader(format: format, storedWidth: image.width, storedHeight: image.height)
      header.orientation = image.orientation
      header.profileName = image.profileName
      header.frameCount = image.frameCount
      header.loopCount = 0
      header.duration = image.duration
      return header
    }

    public var workingByteCount: Int { image.workingByteCount }

    public func decode(_ options: DecodeOptions) throws(CodecError) -> Bitmap {
      let decoder = try decoder(isCancelled: options.isCancelled ?? { false })
      let frame = try options.posterFrame.frame(of: decoder)
      return try image.bitmap(of: frame, orientation: options.orientation ?? image.orientation)
    }

    private func decoder(isCancelled: @escaping () -> Bool = { false }) throws(CodecError) -> VideoDecoder {
      let watch = VideoWatch(clock: clock, isCancelled: isCancelled)
      return try VideoDecoder(VideoFile(data, format: header.format, watch: watch), limits: limits)
    }

    /// Returns the frames of a short video; `nil` for a longer one.
    public func animation() throws(CodecError) -> Animation? {
      guard (header.duration ?? 0) <= Self.animationDurationLimit else { return nil }
      let file = try VideoFile(data, format: header.format, watch: VideoWatch(clock: clock))
      guard let times = try VideoTimes(file, maximumFrameCount: limits.maximumFrameCount),
        times.duration <= Self.animationDurationLimit
      else { return nil }
      try DecodeWork.checkFrames(header, count: times.delays.count)
      return Animation(
        pixelWidth: header.pixelWidth, pixelHeight: header.pixelHeight, loopCount: header.loopCount,
        delays: times.delays, canvasByteCount: image.width * image.height * 4 + workingByteCount
      ) { [self] in VideoFrameSource(times, image) { () throws(CodecError) in try decoder() } }
    }
  }
#endif
