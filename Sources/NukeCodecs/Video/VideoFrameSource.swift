#if Video
  import NukeImaging

  /// Decodes the frames of a short video in order. For one thread at a time.
  final class VideoFrameSource: AnimationFrameSource {
    private let decoder: VideoDecoder
    private let times: VideoTimes
    private let image: VideoImage
    private var failure: CodecError?
    private var index = 0

    init(_ decoder: VideoDecoder, _ times: VideoTimes, _ image: VideoImage) {
      self.decoder = decoder
      self.times = times
      self.image = image
    }

    func nextFrame() throws -> Bitmap? {
      guard let frame = try advance() else { return nil }
      return try image.bitmap(of: frame, orientation: image.orientation)
    }

    func skipFrame() throws -> Bool { try advance() != nil }

    func rewind() {
      decoder.seek(to: times.starts[0])
      failure = nil
      index = 0
    }

    private func advance() throws(CodecError) -> DecodedFrame? {
      if let failure { throw failure }
      guard index < times.starts.count else { return nil }
      decoder.file.watch.restart()
      do throws(CodecError) {
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
