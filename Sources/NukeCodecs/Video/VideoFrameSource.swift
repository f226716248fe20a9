#if Video
  import NukeImaging

  /// Decodes the frames of a short video in order. For one thread at a time.
  final class VideoFrameSource: AnimationFrameSource {
    private let makeDecoder: () throws(CodecError) -> VideoDecoder
    private var decoder: VideoDecoder?
    private let times: VideoTimes
    private let image: VideoImage
    private var failure: CodecError?
    private var index = 0

    init(
      _ times: VideoTimes, _ image: VideoImage, makeDecoder: @escaping () throws(CodecError) -> VideoDecoder
    ) {
      self.makeDecoder = makeDecoder
      self.times = times
      self.image = image
    }

    func nextFrame() throws -> Bitmap? {
      guard let frame = try advance() else { return nil }
      return try image.bitmap(of: frame, orientation: image.orientation)
    }

    func skipFrame() throws -> Bool { try advance() != nil }

    /// Opens the video again. A seek could return other frames of a damaged video than reading it from its beginning.
    func rewind() {
      decoder = nil
      failure = nil
      index = 0
    }

    private func advance() throws(CodecError) -> DecodedFrame? {
      if let failure { throw failure }
      guard index < times.starts.count else { return nil }
      do throws(CodecError) {
        let decoder = if let decoder { decoder } else { try makeDecoder() }
        self.decoder = decoder
        decoder.file.watch.restart()
        let frame = try decoder.frame(at: times.starts[index])
        index += 1
        return frame
      } catch {
        // The following frames depend on this one.
        failure = error
        throw error
      }
    }
  }
#endif
