#if JPEGXL
  internal import CNukeJXL
  import Foundation
  import NukeBase

  /// A `JxlDecoder` for the bytes of a file, which proceeds from event to event. For one thread at a time.
  final class JXLDecoder {
    /// The events at which the decoder stops.
    struct Events: OptionSet {
      let rawValue: UInt32
      static let basicInfo = Events(rawValue: JXL_DEC_BASIC_INFO.rawValue)
      static let colorEncoding = Events(rawValue: JXL_DEC_COLOR_ENCODING.rawValue)
      static let frame = Events(rawValue: JXL_DEC_FRAME.rawValue)
      static let fullImage = Events(rawValue: JXL_DEC_FULL_IMAGE.rawValue)
      static let box = Events(rawValue: JXL_DEC_BOX.rawValue)
    }

    let decoder: OpaquePointer
    private let bytes: NSData
    private let isCancelled: (() -> Bool)?
    /// The number of bytes that were passed to the decoder.
    private var givenCount = 0

    /// The size of the chunks that are passed to the decoder, if it can be canceled between them.
    private static let sliceSize = 128 << 10

    /// - Parameters:
    ///   - isCoalescing: `false` to stop at each layer instead of each frame, which may consist of several.
    ///   - isParallel: `true` to use idle shared threads as well.
    ///   - isCancelled: called whenever the decoder has processed a chunk.
    init(
      _ data: Data, events: Events, isCoalescing: Bool = true, isParallel: Bool = false,
      isCancelled: (() -> Bool)? = nil
    ) throws(CodecError) {
      try SystemLibrary.jxl.require(for: .jxl)
      guard let decoder = JxlDecoderCreate(nil) else { throw .outOfMemory(.jxl, byteCount: 0) }
      self.decoder = decoder
      bytes = data as NSData
      self.isCancelled = isCancelled
      // The orientation is applied later, as for all formats.
      guard JxlDecoderSubscribeEvents(decoder, Int32(events.rawValue)) == JXL_DEC_SUCCESS,
        JxlDecoderSetKeepOrientation(decoder, JXL_TRUE) == JXL_DEC_SUCCESS,
        JxlDecoderSetUnpremultiplyAlpha(decoder, JXL_TRUE) == JXL_DEC_SUCCESS,
        JxlDecoderSetDecompressBoxes(decoder, JXL_TRUE) == JXL_DEC_SUCCESS,
        isCoalescing || JxlDecoderSetCoalescing(decoder, JXL_FALSE) == JXL_DEC_SUCCESS,
        !isParallel || JxlDecoderSetParallelRunner(decoder, JXLRunner.run, nil) == JXL_DEC_SUCCESS
      else { throw .unsupported(.jxl, feature: "any image with this version of libjxl") }
      giveMore()
    }

    deinit { JxlDecoderDestroy(decoder) }

    private func giveMore() {
      let unread = givenCount > 0 ? JxlDecoderReleaseInput(decoder) : 0
      let start = givenCount - unread
      givenCount = isCancelled == nil ? bytes.length : min(givenCount + Self.sliceSize, bytes.length)
      let first = bytes.bytes.assumingMemoryBound(to: UInt8.self)
      JxlDecoderSetInput(decoder, first + start, givenCount - start)
    }

    /// Proceeds to the next event, or until the decoder needs something.
    ///
    /// - Throws: ``CodecError/truncated(_:byteCount:)`` if the data ends before the next event.
    func next() throws(CodecError) -> JxlDecoderStatus {
      while true {
        let status = JxlDecoderProcessInput(decoder)
        switch status {
        case JXL_DEC_ERROR:
          throw .malformed(.jxl, reason: "libjxl cannot decode it", offset: nil)
        case JXL_DEC_NEED_MORE_INPUT:
          guard givenCount < bytes.length else { throw .truncated(.jxl, byteCount: bytes.length) }
          if isCancelled?() == true { throw .cancelled(.jxl) }
          giveMore()
        default:
          return status
        }
      }
    }

    func basicInfo() throws(CodecError) -> JxlBasicInfo {
      var info = JxlBasicInfo()
      guard JxlDecoderGetBasicInfo(decoder, &info) == JXL_DEC_SUCCESS else {
        throw .malformed(.jxl, reason: "there is no basic information", offset: nil)
      }
      return info
    }

    /// Returns the duration of the current frame, in ticks.
    func frameDuration() throws(CodecError) -> Int {
      var header = JxlFrameHeader()
      guard JxlDecoderGetFrameHeader(decoder, &header) == JXL_DEC_SUCCESS else {
        throw .malformed(.jxl, reason: "a frame has no header", offset: nil)
      }
      return Int(header.duration)
    }

    /// Decodes the next frame as straight RGBA with 8 or 16 bits per channel. Returns `false` after the last frame.
    ///
    /// - Parameters:
    ///   - pixels: memory for all pixels, without padding between rows.
    ///   - byteCount: the size of that memory.
    ///   - bits: the number of bits per channel, 8 or 16.
    func decodeFrame(to pixels: UnsafeMutableRawPointer, byteCount: Int, bits: Int) throws(CodecError) -> Bool {
      while true {
        switch try next() {
        case JXL_DEC_NEED_IMAGE_OUT_BUFFER:
          var format = JxlPixelFormat(
            num_channels: 4, data_type: bits > 8 ? JXL_TYPE_UINT16 : JXL_TYPE_UINT8, endianness: JXL_NATIVE_ENDIAN,
            align: 0)
          guard JxlDecoderSetImageOutBuffer(decoder, &format, pixels, byteCount) == JXL_DEC_SUCCESS else {
            throw .malformed(.jxl, reason: "a frame is not as large as the image", offset: nil)
          }
        case JXL_DEC_FULL_IMAGE:
          return true
        case JXL_DEC_SUCCESS:
          return false
        default:
          continue
        }
      }
    }
  }

  extension SystemLibrary {
    static let jxl = SystemLibrary(.jxl, files: nuke_jxl_files())
  }
#endif
