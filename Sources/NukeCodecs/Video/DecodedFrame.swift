#if Video
  internal import CNukeVideo

  /// Owns a frame of libav (`AVFrame`). Decoding the next frame into it overwrites its contents.
  final class DecodedFrame {
    let frame: UnsafeMutablePointer<AVFrame>
    var isEmpty = true

    init?() {
      guard let frame = av_frame_alloc() else { return nil }
      self.frame = frame
    }

    deinit {
      var frame: UnsafeMutablePointer<AVFrame>? = frame
      av_frame_free(&frame)
    }

    /// The presentation time, in the time base of the stream; `nuke_video_no_time` if it is unknown.
    var time: Int64 {
      let time = frame.pointee.best_effort_timestamp
      return time == nuke_video_no_time ? time : min(max(time, -VideoFile.longestTime), VideoFile.longestTime)
    }

    /// The time at which the frame ends, in the time base of the stream; `nil` if it is unknown.
    var end: Int64? {
      let duration = nuke_video_duration(frame)
      guard time != nuke_video_no_time, duration > 0 else { return nil }
      return time + min(duration, VideoFile.longestTime)
    }

    /// Returns the frame converted to RGB by its matrix and range, and scaled to `width` x `height` pixels.
    ///
    /// libswscale may write beyond the end of a row, so it gets rows with padding.
    func converted(
      to pixelFormat: AVPixelFormat, width: Int, height: Int, _ format: ImageFormat
    ) throws(CodecError) -> DecodedFrame {
      guard let pixels = DecodedFrame() else { throw .outOfMemory(format, byteCount: width * height * 4) }
      pixels.frame.pointee.format = pixelFormat.rawValue
      pixels.frame.pointee.width = CInt(width)
      pixels.frame.pointee.height = CInt(height)
      guard av_frame_get_buffer(pixels.frame, 64) == 0 else {
        throw .outOfMemory(format, byteCount: width * height * 4)
      }
      let scaler = sws_getContext(
        frame.pointee.width, frame.pointee.height, AVPixelFormat(frame.pointee.format), CInt(width), CInt(height),
        pixelFormat, SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP, nil, nil, nil)
      guard let scaler else {
        throw .unsupported(format, feature: "a frame in libav's pixel format \(frame.pointee.format)")
      }
      defer { sws_freeContext(scaler) }
      let coefficients = sws_getCoefficients(matrix)
      let isFullRange: CInt = frame.pointee.color_range == AVCOL_RANGE_JPEG ? 1 : 0
      sws_setColorspaceDetails(scaler, coefficients, isFullRange, coefficients, 1, 0, 1 << 16, 1 << 16)
      guard sws_scale_frame(scaler, pixels.frame, frame) >= 0 else {
        throw .malformed(format, reason: "libswscale cannot convert a frame", offset: nil)
      }
      return pixels
    }

    /// The matrix from YCbCr to RGB, as a number of ITU-T H.273, table 4. If the frame does not state one, BT.709
    /// applies to frames with at least 720 rows and BT.601 to others, as in browsers.
    private var matrix: CInt {
      guard frame.pointee.colorspace == AVCOL_SPC_UNSPECIFIED else { return CInt(frame.pointee.colorspace.rawValue) }
      return frame.pointee.height >= 720 ? SWS_CS_ITU709 : SWS_CS_ITU601
    }
  }
#endif
