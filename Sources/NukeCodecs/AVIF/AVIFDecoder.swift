#if AVIF
  internal import CNukeAVIF
  import Foundation
  import NukeBase
  import NukeImaging

  /// An `avifDecoder` that has parsed the boxes of a file. For one thread at a time.
  ///
  /// It uses dav1d, which takes less than half the time of libaom. It also reads files of older encoders that lack some
  /// boxes.
  final class AVIFDecoder {
    /// The part of the file that is available.
    enum Extent {
      case whole
      /// The first bytes of a file of unknown length.
      case prefix
    }

    private let decoder: UnsafeMutablePointer<avifDecoder>
    private let io: UnsafeMutablePointer<avifIO>
    private let source: ByteSource

    /// - Parameters:
    ///   - limits: the limits. Only the frame count is checked here; the size is checked when memory is allocated.
    ///   - readsEXIF: `true` to require the EXIF metadata, which may be at the end of a file.
    ///   - readsXMP: the same for XMP.
    ///   - threadCount: the number of threads of dav1d for each frame; 1 for the calling thread.
    init(
      _ data: Data, extent: Extent, limits: CodecLimits, readsEXIF: Bool = true, readsXMP: Bool = false,
      threadCount: Int = 1
    ) throws(CodecError) {
      try SystemLibrary.avif.require(for: .avif)
      guard let decoder = avifDecoderCreate() else { throw .outOfMemory(.avif, byteCount: 0) }
      self.decoder = decoder
      // libavif uses the last owner of an alpha channel.
      source = ByteSource(data.withRepeatedOwners, isWhole: extent == .whole)
      io = .allocate(capacity: 1)
      io.initialize(to: avifIO())
      io.pointee.read = { io, _, offset, size, output in
        guard let io, let output else { return AVIF_RESULT_INVALID_ARGUMENT }
        let source = Unmanaged<ByteSource>.fromOpaque(io.pointee.data).takeUnretainedValue()
        return source.read(offset: offset, size: size, to: output)
      }
      io.pointee.sizeHint = UInt64(max(source.largestItem(readsEXIF: readsEXIF), 1))
      io.pointee.persistent = AVIF_TRUE
      io.pointee.data = Unmanaged.passUnretained(source).toOpaque()
      avifDecoderSetIO(decoder, io)
      if avifCodecName(AVIF_CODEC_CHOICE_DAV1D, AVIF_CODEC_FLAG_CAN_DECODE.rawValue) != nil {
        decoder.pointee.codecChoice = AVIF_CODEC_CHOICE_DAV1D
      }
      decoder.pointee.maxThreads = Int32(threadCount)
      decoder.pointee.ignoreXMP = readsXMP ? AVIF_FALSE : AVIF_TRUE
      decoder.pointee.ignoreExif = readsEXIF ? AVIF_FALSE : AVIF_TRUE
      decoder.pointee.strictFlags = AVIF_STRICT_DISABLED.rawValue
      decoder.pointee.imageDimensionLimit = 0
      decoder.pointee.imageCountLimit = UInt32(clamping: max(limits.maximumFrameCount, 1))
      try check(avifDecoderParse(decoder), limits)
    }

    deinit {
      avifDecoderDestroy(decoder)
      io.deallocate()
    }

    var fields: avifDecoder { decoder.pointee }
    /// The properties of the image, and after decoding a frame, its planes.
    var image: avifImage { decoder.pointee.image.pointee }

    /// The maximum number of pixels of a frame, regardless of the size in the boxes.
    func limitFrames(to pixelCount: Int) {
      decoder.pointee.imageSizeLimit = UInt32(clamping: min(max(pixelCount, 1), Int(decoder.pointee.imageSizeLimit)))
    }

    /// Returns the delay of a frame in seconds.
    func delay(ofFrame index: Int) throws(CodecError) -> TimeInterval {
      var timing = avifImageTiming()
      try check(avifDecoderNthImageTiming(decoder, UInt32(index), &timing))
      return Animation.delay(stated: timing.duration)
    }

    /// Decodes the planes of the next frame.
    func nextFrame() throws(CodecError) { try check(avifDecoderNextImage(decoder)) }

    func rewind() throws(CodecError) { try check(avifDecoderReset(decoder)) }

    /// Converts the planes to straight RGBA with 8 or 16 bits per channel.
    func convert(to pixels: UnsafeMutableRawPointer, bytesPerRow: Int, bits: Int) throws(CodecError) {
      var output = avifRGBImage()
      avifRGBImageSetDefaults(&output, decoder.pointee.image)
      output.format = AVIF_RGB_FORMAT_RGBA
      output.depth = UInt32(bits)
      output.pixels = pixels.assumingMemoryBound(to: UInt8.self)
      output.rowBytes = UInt32(bytesPerRow)
      try check(avifImageYUVToRGB(decoder.pointee.image, &output))
    }

    private func check(_ result: avifResult, _ limits: CodecLimits = .init()) throws(CodecError) {
      if result == AVIF_RESULT_OK { return }
      let details = String(characters: decoder.pointee.diag.error)
      let words = String(cString: avifResultToString(result))
      switch result {
      case AVIF_RESULT_WAITING_ON_IO, AVIF_RESULT_TRUNCATED_DATA, AVIF_RESULT_IO_ERROR:
        throw .truncated(.avif, byteCount: source.count)
      case AVIF_RESULT_OUT_OF_MEMORY:
        let pixelCount = decoder.pointee.image.map { Int($0.pointee.width) * Int($0.pointee.height) }
        throw .outOfMemory(.avif, byteCount: (pixelCount ?? 0) * 4)
      case AVIF_RESULT_NO_CODEC_AVAILABLE, AVIF_RESULT_UNSUPPORTED_DEPTH, AVIF_RESULT_NOT_IMPLEMENTED:
        throw .unsupported(.avif, feature: details.isEmpty ? words.lowercased() : details)
      case _ where details.contains("imageCountLimit"):
        let (count, isBeyondCounting) = limits.maximumFrameCount.addingReportingOverflow(1)
        throw .tooManyFrames(.avif, count: isBeyondCounting ? .max : count, limit: limits.maximumFrameCount)
      case _ where source.isTruncated:
        throw .truncated(.avif, byteCount: source.count)
      case _ where details.contains("too large"):
        try source.checkExtents(limits)
        throw .unsupported(.avif, feature: "an image of this size")
      default:
        throw .malformed(.avif, reason: details.isEmpty ? words.lowercased() : details, offset: nil)
      }
    }
  }

  /// The bytes of a file at a stable address.
  private final class ByteSource {
    private let bytes: NSData
    private let isWhole: Bool
    var count: Int { bytes.length }

    init(_ data: Data, isWhole: Bool) {
      bytes = data as NSData
      self.isWhole = isWhole
    }

    func read(offset: UInt64, size: Int, to output: UnsafeMutablePointer<avifROData>) -> avifResult {
      guard let offset = Int(exactly: offset), offset <= count else {
        return isWhole ? AVIF_RESULT_IO_ERROR : AVIF_RESULT_WAITING_ON_IO
      }
      let rest = count - offset
      // A size_t that the file states, of which large values are negative here.
      let fits = 0...rest ~= size
      if !isWhole, !fits { return AVIF_RESULT_WAITING_ON_IO }
      output.pointee.data = bytes.bytes.assumingMemoryBound(to: UInt8.self) + offset
      output.pointee.size = fits ? size : rest
      return AVIF_RESULT_OK
    }

    private var buffer: UnsafeRawBufferPointer { .init(start: bytes.bytes, count: count) }

    /// `true` if the file ends in the middle of a box.
    var isTruncated: Bool { ISOBoxes.isTruncated(buffer) }

    /// Returns the maximum size that an item of the file may state, in bytes. libavif joins the parts of an item in
    /// memory of the stated size, so it must not be much larger than the data. A prefix does not reveal the length of
    /// the file.
    func largestItem(readsEXIF: Bool) -> Int {
      if isWhole { return isTruncated ? count * 4 : count }
      return readsEXIF ? count * 4 : 256 << 20
    }

    /// Throws if an image in the file states a size above the limits.
    func checkExtents(_ limits: CodecLimits) throws(CodecError) {
      for extent in ISOBoxes.imageSizes(buffer) {
        try limits.check(.avif, width: extent.width, height: extent.height)
      }
    }
  }

  extension SystemLibrary {
    static let avif = SystemLibrary(.avif, files: nuke_avif_files())
  }
#endif
