#if Video
  internal import CNukeVideo
  import Foundation
  import NukeBase
  import NukeImaging

  /// A video file whose header libavformat has read, and the best of its video streams. For one thread at a time.
  final class VideoFile {
    let format: ImageFormat
    let watch: VideoWatch
    private let bytes: NSData
    private let memory: UnsafeMutablePointer<nuke_video_memory>
    private let file: UnsafeMutablePointer<AVFormatContext>
    let stream: UnsafeMutablePointer<AVStream>
    /// The start of the video in the unit of ``seconds(_:)``. Earlier frames were cut off by the edit list.
    private(set) var start: Int64

    /// The maximum magnitude of a time or duration in the unit of a stream. Longer ones are shortened or left out, so that
    /// sums do not overflow.
    static let longestTime: Int64 = 1 << 50

    /// The formats that libavformat may read, by its names. Other formats in disguise are not read.
    private static let demuxers: [ImageFormat: String] = [.mp4: "mov", .mov: "mov", .webm: "matroska"]

    /// - Parameter isWhole: `false` if the frames of the file may be missing.
    init(_ data: Data, format: ImageFormat, isWhole: Bool = true, watch: VideoWatch) throws(CodecError) {
      self.format = format
      self.watch = watch
      bytes = data as NSData
      guard let demuxer = Self.demuxers[format] else { throw .unsupported(format, feature: "frames of a video") }
      let buffer = UnsafeRawBufferPointer(start: bytes.bytes, count: bytes.length)
      try Self.checkSampleCounts(buffer, format, isWhole: isWhole)
      try SystemLibrary.video.require(for: format)
      // Set once for all threads; libav writes to the standard error otherwise.
      av_log_set_level(AV_LOG_QUIET)
      memory = .allocate(capacity: 1)
      memory.initialize(
        to: nuke_video_memory(
          data: bytes.bytes.assumingMemoryBound(to: UInt8.self), size: Int64(bytes.length), position: 0,
          is_stopped: { Unmanaged<VideoWatch>.fromOpaque($0!).takeUnretainedValue().isStopped ? 1 : 0 },
          context: Unmanaged.passUnretained(watch).toOpaque()))
      var opened: UnsafeMutablePointer<AVFormatContext>?
      let result = nuke_video_open(memory, demuxer, &opened)
      guard let opened, result == 0 else {
        memory.deallocate()
        throw CodecError(result, format, watch, buffer)
      }
      guard let stream = Self.bestStream(opened) else {
        nuke_video_close(opened)
        memory.deallocate()
        if ISOBoxes.isTruncated(buffer), format != .webm { throw .truncated(format, byteCount: buffer.count) }
        throw .unsupported(format, feature: "a file without a video stream")
      }
      file = opened
      self.stream = stream
      let start = stream.pointee.start_time
      self.start = start == nuke_video_no_time ? 0 : min(max(start, 0), Self.longestTime)
    }

    deinit {
      nuke_video_close(file)
      memory.deallocate()
    }

    /// Returns the default video stream, or else the largest one, and makes libavformat skip all others. Cover art is
    /// not a video.
    private static func bestStream(_ file: UnsafeMutablePointer<AVFormatContext>) -> UnsafeMutablePointer<AVStream>? {
      let streams = (0..<Int(file.pointee.nb_streams)).compactMap { file.pointee.streams[$0] }
      let best = streams.filter {
        $0.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO
          && $0.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC == 0
      }.max { rank($0) < rank($1) }
      for stream in streams where stream != best { stream.pointee.discard = AVDISCARD_ALL }
      return best
    }

    private static func rank(_ stream: UnsafeMutablePointer<AVStream>) -> (Int, Int) {
      let codec = stream.pointee.codecpar.pointee
      return (stream.pointee.disposition & AV_DISPOSITION_DEFAULT != 0 ? 1 : 0, Int(codec.width) * Int(codec.height))
    }

    // MARK: Properties

    var codec: AVCodecParameters { stream.pointee.codecpar.pointee }

    /// The width of a pixel divided by its height; 1 if it is not stated or beyond 1:16.
    var pixelAspectRatio: Double {
      let ratio = av_guess_sample_aspect_ratio(file, stream, nil)
      let value = Double(ratio.num) / Double(ratio.den)
      return ratio.den > 0 && (1 / 16...16).contains(value) ? value : 1
    }

    /// The orientation by the transformation matrix of the track (ISO/IEC 14496-12, 8.3.2), to the nearest quarter turn.
    var orientation: Orientation {
      guard let matrix = nuke_video_display_matrix(stream).map(UnsafeRawPointer.init) else { return .up }
      func entry(_ index: Int) -> Double { Double(matrix.loadUnaligned(fromByteOffset: index * 4, as: Int32.self)) }
      let (a, b, c, d) = (entry(0), entry(1), entry(3), entry(4))
      if abs(a) + abs(d) >= abs(b) + abs(c) {
        return a < 0 ? d < 0 ? .down : .upMirrored : d < 0 ? .downMirrored : .up
      }
      return b < 0 ? c < 0 ? .rightMirrored : .left : c < 0 ? .right : .leftMirrored
    }

    /// The duration in seconds; `nil` if it is not stated.
    var duration: TimeInterval? {
      if stream.pointee.duration > 0 { return seconds(stream.pointee.duration) }
      let duration = file.pointee.duration
      return duration > 0 ? TimeInterval(duration) / TimeInterval(AV_TIME_BASE) : nil
    }

    /// The number of frames; `nil` if it is not stated.
    var frameCount: Int? { stream.pointee.nb_frames > 0 ? Int(stream.pointee.nb_frames) : nil }

    /// Moves the start to the first frame, which is later if frames are shown in another order than they are decoded and
    /// no edit list says so.
    func start(atFirstFrame time: Int64) { start = min(max(start, time), Self.longestTime) }

    func seconds(_ time: Int64) -> TimeInterval {
      TimeInterval(time) * TimeInterval(stream.pointee.time_base.num) / TimeInterval(stream.pointee.time_base.den)
    }

    /// Returns the time in the unit of the stream, from the start of the video.
    func time(_ seconds: TimeInterval) -> Int64 {
      let base = TimeInterval(stream.pointee.time_base.num) / TimeInterval(stream.pointee.time_base.den)
      let time = (seconds / base).rounded(.down)
      return time.isFinite ? Int64(min(max(time, 0), TimeInterval(Self.longestTime))) + start : start
    }

    // MARK: Reading

    /// Reads the next packet of the stream. Returns `false` at the end of the file.
    func read(_ packet: UnsafeMutablePointer<AVPacket>) throws(CodecError) -> Bool {
      while true {
        let result = av_read_frame(file, packet)
        if watch.isStopped {
          av_packet_unref(packet)
          throw error(result)
        }
        if result == nuke_video_end { return false }
        guard result >= 0 else { throw error(result) }
        if packet.pointee.stream_index == stream.pointee.index { break }
        av_packet_unref(packet)
      }
      guard packet.pointee.flags & AV_PKT_FLAG_CORRUPT == 0 else {
        av_packet_unref(packet)
        throw .truncated(format, byteCount: bytes.length)
      }
      return true
    }

    /// Moves to the last key frame at or before `time`. Stays where it is if the file has no index.
    func seek(to time: Int64) {
      _ = av_seek_frame(file, stream.pointee.index, time, AVSEEK_FLAG_BACKWARD)
    }

    /// Returns the time of the last key frame at or before `time`; `nil` if the file has no index.
    func keyFrameTime(before time: Int64) -> Int64? {
      let index = av_index_search_timestamp(stream, time, AVSEEK_FLAG_BACKWARD)
      return index < 0 ? nil : avformat_index_get_entry(stream, index)?.pointee.timestamp
    }

    func error(_ code: CInt) -> CodecError {
      CodecError(code, format, watch, UnsafeRawBufferPointer(start: bytes.bytes, count: bytes.length))
    }
  }

  extension CodecError {
    /// Creates the error for a code of libav.
    fileprivate init(_ code: CInt, _ format: ImageFormat, _ watch: VideoWatch, _ bytes: UnsafeRawBufferPointer) {
      switch watch.reason {
      case .cancelled: self = .cancelled(format)
      case .time:
        self = .unsupported(format, feature: "an image that takes more than \(Int(VideoWatch.timeLimit)) s to decode")
      case .packets:
        self = .unsupported(format, feature: "an image \(VideoWatch.packetLimit) packets after a key frame")
      case nil where code == nuke_video_no_memory: self = .outOfMemory(format, byteCount: 0)
      case nil where format != .webm && ISOBoxes.isTruncated(bytes): self = .truncated(format, byteCount: bytes.count)
      case nil:
        var words = [CChar](repeating: 0, count: 128)
        av_strerror(code, &words, words.count)
        self = .malformed(
          format, reason: words.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }.lowercased(), offset: nil)
      }
    }
  }

  extension SystemLibrary {
    static let video = SystemLibrary(.video, files: nuke_video_files())
  }
#endif
