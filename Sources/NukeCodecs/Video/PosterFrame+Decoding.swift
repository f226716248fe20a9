#if Video

  extension PosterFrame {
    /// Returns the frame, decoded. The decoder must not have decoded any frame before.
    func frame(of decoder: VideoDecoder) throws(CodecError) -> DecodedFrame {
      let file = decoder.file
      let first = try decoder.frame(at: file.start)
      file.start(atFirstFrame: first.time)
      file.watch.restartPackets()
      switch self {
      case .first: return first
      case .time(let seconds): return try decoder.seekFrame(at: file.time(seconds))
      case .representative(let count):
        guard let duration = file.duration, count > 1 else { return first }
        let count = min(count, 100)
        let times = (0..<count).map { file.time(duration * (Double($0) + 0.5) / Double(count)) }
        return try decoder.seekFrame(at: try decoder.mostRepresentative(of: times))
      }
    }
  }

  extension VideoDecoder {
    /// Moves to a key frame and decodes from there up to the frame at `time`.
    fileprivate func seekFrame(at time: Int64) throws(CodecError) -> DecodedFrame {
      seek(to: time)
      let frame = try frame(at: time)
      guard frame.time > time else { return frame }
      // Key frames are found by the time of decoding, which may be before `time` although the frame is shown later.
      seek(to: time - max(file.time(1) - file.start, 1))
      return try self.frame(at: time)
    }

    /// Returns the time of the frame whose colors are closest to the mean of the frames at `times`, which are in order.
    fileprivate func mostRepresentative(of times: [Int64]) throws(CodecError) -> Int64 {
      var (candidates, histograms): ([Int64], [ColorHistogram]) = ([], [])
      // Reads the index of a WebM.
      seek(to: file.start)
      for time in times {
        file.watch.restartPackets()
        let last = candidates.last ?? file.start
        var frame: DecodedFrame?
        // The index has the times of decoding, so that the key frame may be shown after `time`, and an earlier one found.
        if let key = file.keyFrameTime(before: time), key > last {
          seek(to: time)
          frame = try nextFrame()
        }
        if (frame?.time ?? last) <= last { frame = try self.frame(at: time) }
        guard let frame else { continue }
        candidates.append(frame.time)
        histograms.append(try ColorHistogram(frame, file.format))
      }
      file.watch.restartPackets()
      return candidates[ColorHistogram.indexOfMostRepresentative(histograms)]
    }
  }
#endif
