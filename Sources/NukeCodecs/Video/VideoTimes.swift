#if Video
  internal import CNukeVideo
  import Foundation

  /// The times at which the frames of a short video are shown.
  struct VideoTimes: Sendable {
    /// The times in the unit of the stream, in order.
    let starts: [Int64]
    /// The delays of the frames in seconds.
    let delays: [TimeInterval]

    var duration: TimeInterval { delays.reduce(0, +) }

    /// Reads all packets, and decodes none. Returns `nil` for less than two frames and for more than the maximum.
    init?(_ file: VideoFile, maximumFrameCount: Int) throws(CodecError) {
      guard let packet = av_packet_alloc() else { throw .outOfMemory(file.format, byteCount: 0) }
      defer {
        var freed: UnsafeMutablePointer<AVPacket>? = packet
        av_packet_free(&freed)
      }
      var (times, end): (Set<Int64>, Int64) = ([], .min)
      while try file.read(packet) {
        let (time, duration) = (packet.pointee.pts, packet.pointee.duration)
        av_packet_unref(packet)
        guard time.magnitude < VideoFile.longestTime, duration < VideoFile.longestTime else { continue }
        times.insert(time)
        end = max(end, time + max(duration, 0))
        if times.count > maximumFrameCount { return nil }
      }
      var starts = times.sorted()
      // Of the frames before the start, the last one is visible.
      let start = file.start
      if let first = starts.lastIndex(where: { $0 <= start }) { starts.removeFirst(first) }
      if let first = starts.first { starts[0] = max(first, start) }
      guard starts.count > 1, let last = starts.last else { return nil }
      self.starts = starts
      let lastDelay = end > last ? end - last : last - starts[starts.count - 2]
      delays = zip(starts, starts.dropFirst() + [last + lastDelay]).map { file.seconds($1 - $0) }
    }
  }
#endif
