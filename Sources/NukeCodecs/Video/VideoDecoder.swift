#if Video
  internal import CNukeVideo
  import Foundation

  /// Decodes the frames of a video with libavcodec, forwards from any key frame. For one thread at a time.
  ///
  /// A packet that cannot be decoded is skipped, as players do.
  final class VideoDecoder {
    let file: VideoFile
    private let context: UnsafeMutablePointer<AVCodecContext>
    private let packet: UnsafeMutablePointer<AVPacket>
    /// The frame that is shown, and the one after it.
    private var shown: DecodedFrame
    private var next: DecodedFrame
    private var isDrained = false
    /// The first packet that could not be decoded.
    private var failure: CodecError?

    /// The decoders that may be used, by codec. All decode on the calling thread.
    private static let decoders: [AVCodecID: String] = [
      AV_CODEC_ID_H264: "h264", AV_CODEC_ID_HEVC: "hevc", AV_CODEC_ID_VP8: "vp8", AV_CODEC_ID_VP9: "vp9",
      AV_CODEC_ID_AV1: "libdav1d",
    ]

    /// Throws if the codec of the video is not one of those.
    static func check(_ file: VideoFile) throws(CodecError) { _ = try decoder(for: file) }

    private static func decoder(for file: VideoFile) throws(CodecError) -> UnsafePointer<AVCodec> {
      let codec = file.codec.codec_id
      guard let name = decoders[codec], let decoder = avcodec_find_decoder_by_name(name) else {
        let name = avcodec_get_name(codec).map { String(cString: $0) } ?? "unknown"
        throw .unsupported(file.format, feature: "video in the codec \(name)")
      }
      return decoder
    }

    init(_ file: VideoFile, limits: CodecLimits) throws(CodecError) {
      self.file = file
      let decoder = try Self.decoder(for: file)
      guard let context = avcodec_alloc_context3(decoder) else { throw .outOfMemory(file.format, byteCount: 0) }
      var freed: UnsafeMutablePointer<AVCodecContext>? = context
      var result = avcodec_parameters_to_context(context, file.stream.pointee.codecpar)
      context.pointee.pkt_timebase = file.stream.pointee.time_base
      context.pointee.thread_count = 1
      context.pointee.max_pixels = Int64(limits.maximumPixelCount)
      if result >= 0 { result = avcodec_open2(context, decoder, nil) }
      guard result >= 0 else {
        avcodec_free_context(&freed)
        throw file.error(result)
      }
      guard let packet = av_packet_alloc(), let shown = DecodedFrame(), let next = DecodedFrame() else {
        avcodec_free_context(&freed)
        throw .outOfMemory(file.format, byteCount: 0)
      }
      self.context = context
      self.packet = packet
      self.shown = shown
      self.next = next
    }

    deinit {
      var (context, packet): (UnsafeMutablePointer<AVCodecContext>?, UnsafeMutablePointer<AVPacket>?) = (
        context, packet
      )
      avcodec_free_context(&context)
      av_packet_free(&packet)
    }

    /// Moves to the last key frame at or before `time`.
    func seek(to time: Int64) {
      file.seek(to: time)
      avcodec_flush_buffers(context)
      shown.isEmpty = true
      next.isEmpty = true
      isDrained = false
    }

    /// Returns the next frame, without looking for its end.
    func nextFrame() throws(CodecError) -> DecodedFrame {
      if next.isEmpty, try !decode() { throw failure ?? noFrame }
      swap(&shown, &next)
      next.isEmpty = true
      return shown
    }

    /// Returns the last frame at or before `time`; the first one there is if all are later. The decoder must not have
    /// passed `time`.
    func frame(at time: Int64) throws(CodecError) -> DecodedFrame {
      while shown.isEmpty || shown.end.map({ $0 <= time }) ?? true {
        if next.isEmpty, try !decode() { break }
        guard shown.isEmpty || next.time <= time else { break }
        swap(&shown, &next)
        next.isEmpty = true
      }
      guard !shown.isEmpty else { throw failure ?? noFrame }
      return shown
    }

    private var noFrame: CodecError { file.error(nuke_video_end) }

    /// Decodes a frame into `next`. Returns `false` at the end.
    private func decode() throws(CodecError) -> Bool {
      guard !isDrained else { return false }
      while true {
        if file.watch.isStopped { throw file.error(nuke_video_end) }
        let result = avcodec_receive_frame(context, next.frame)
        if result == 0 {
          next.isEmpty = false
          return true
        }
        if result == nuke_video_end {
          isDrained = true
          return false
        }
        file.watch.countPacket()
        if result != nuke_video_try_again { try note(result) }
        try send()
      }
    }

    private func send() throws(CodecError) {
      guard try file.read(packet) else {
        try note(avcodec_send_packet(context, nil))
        return
      }
      let result = avcodec_send_packet(context, packet)
      av_packet_unref(packet)
      try note(result)
    }

    private func note(_ result: CInt) throws(CodecError) {
      guard result < 0, result != nuke_video_try_again, result != nuke_video_end else { return }
      let error = file.error(result)
      if result == nuke_video_no_memory { throw error }
      failure = failure ?? error
    }
  }
#endif
