#if TIFF
  import CNukeTIFF
  public import Foundation
  import NukeBase
  public import NukeImaging

  /// Writes TIFF images with libtiff: 8-bit RGB if the image is opaque, otherwise with straight alpha, marked as sRGB.
  ///
  /// The file decodes to the same pixels.
  public struct TIFFWriter: ImageWriter {
    /// The compression of the pixels. All are lossless.
    public enum Compression: Sendable {
      case none, lzw, deflate
    }

    public static let format = ImageFormat.tiff

    /// The compression of the pixels.
    public var compression: Compression
    /// The number of pixels per inch, for printing.
    public var resolution: Double
    /// A Boolean value that indicates whether the file contains an sRGB profile of about 500 bytes. Most programs
    /// assume sRGB without one.
    public var embedsProfile: Bool
    /// The metadata to write: the EXIF texts that TIFF has fields for, and XMP.
    public var metadata = ImageMetadata()

    /// Creates a writer. The defaults are Deflate compression, 72 pixels per inch, and a profile.
    public init(compression: Compression = .deflate, resolution: Double = 72, embedsProfile: Bool = true) {
      self.compression = compression
      self.resolution = resolution
      self.embedsProfile = embedsProfile
    }

    public init(_ options: EncodeOptions) {
      self.init()
      metadata = options.writtenMetadata
    }

    public func encode(_ image: Bitmap) throws(CodecError) -> Data {
      guard let pixels = image.buffer else { throw .encodingFailed(.tiff, reason: "the image is empty") }
      let output = try TIFFOutput()
      let sampleCount = image.isOpaque ? 3 : 4
      let rowsPerStrip = max(1, min(pixels.height, 65_536 / (pixels.width * sampleCount)))
      output.set(TIFFTAG_IMAGEWIDTH, pixels.width)
      output.set(TIFFTAG_IMAGELENGTH, pixels.height)
      output.set(TIFFTAG_BITSPERSAMPLE, 8)
      output.set(TIFFTAG_SAMPLESPERPIXEL, sampleCount)
      output.set(TIFFTAG_PHOTOMETRIC, Int(PHOTOMETRIC_RGB))
      output.set(TIFFTAG_PLANARCONFIG, Int(PLANARCONFIG_CONTIG))
      output.set(TIFFTAG_ORIENTATION, Int(ORIENTATION_TOPLEFT))
      output.set(TIFFTAG_COMPRESSION, Int(compression.number))
      // Differences between neighbors compress better.
      if compression != .none { output.set(TIFFTAG_PREDICTOR, Int(PREDICTOR_HORIZONTAL)) }
      output.set(TIFFTAG_ROWSPERSTRIP, rowsPerStrip)
      if !image.isOpaque { output.setAlpha() }
      if resolution.isFinite, resolution > 0 { output.setResolution(resolution) }
      if embedsProfile || metadata.hasColorProfile { output.set(TIFFTAG_ICCPROFILE, ColorProfile.sRGBData) }
      output.set(metadata)

      var row = [UInt8](repeating: 0, count: pixels.width * 4)
      for y in 0..<pixels.height {
        let isWritten = row.withUnsafeMutableBufferPointer { row in
          guard let row = row.baseAddress else { return false }
          if image.isOpaque {
            PixelKernels.dropAlpha(pixels.row(y), to: row, count: pixels.width)
          } else {
            PixelKernels.best.unpremultiply(pixels.row(y), to: row, count: pixels.width)
          }
          return output.write(row, y)
        }
        guard isWritten else { throw .encodingFailed(.tiff, reason: output.words) }
      }
      return try output.finish()
    }
  }

  extension TIFFWriter.Compression {
    fileprivate var number: Int32 {
      switch self {
      case .none: COMPRESSION_NONE
      case .lzw: COMPRESSION_LZW
      case .deflate: COMPRESSION_ADOBE_DEFLATE
      }
    }
  }

  /// A TIFF that libtiff writes to memory.
  private final class TIFFOutput {
    private let handle: OpaquePointer
    private let memory: UnsafeMutablePointer<nuke_tiff_memory>
    private var isOpen = true

    init() throws(CodecError) {
      try SystemLibrary.tiff.require(for: .tiff)
      let capacity = 4096
      let memory = UnsafeMutablePointer<nuke_tiff_memory>.allocate(capacity: 1)
      memory.initialize(to: nuke_tiff_memory())
      memory.pointee.data = malloc(capacity)?.assumingMemoryBound(to: UInt8.self)
      memory.pointee.capacity = UInt64(capacity)
      guard memory.pointee.data != nil, let handle = nuke_tiff_open(memory, "w", 0) else {
        free(memory.pointee.data)
        memory.deallocate()
        throw .outOfMemory(.tiff, byteCount: capacity)
      }
      self.handle = handle
      self.memory = memory
    }

    deinit {
      if isOpen { TIFFClose(handle) }
      free(memory.pointee.data)
      memory.deallocate()
    }

    var words: String { memory.pointee.words }

    func set(_ tag: Int32, _ value: Int) { _ = nuke_tiff_set(handle, UInt32(tag), UInt32(value)) }

    func set(_ tag: Int32, _ data: Data) {
      _ = data.withUnsafeBytes { nuke_tiff_set_bytes(handle, UInt32(tag), UInt32($0.count), $0.baseAddress) }
    }

    func set(_ metadata: ImageMetadata) {
      for (tag, text) in metadata.exif.flatMap({ EXIFBlock.texts(in: $0, EXIFTag.ofTIFF) }) ?? [] {
        _ = nuke_tiff_set_text(handle, UInt32(tag.rawValue), text)
      }
      if let xmp = metadata.xmp { set(TIFFTAG_XMLPACKET, xmp) }
    }

    func setAlpha() { _ = nuke_tiff_set_alpha(handle) }

    func setResolution(_ pixelsPerInch: Double) {
      _ = nuke_tiff_set_number(handle, UInt32(TIFFTAG_XRESOLUTION), pixelsPerInch)
      _ = nuke_tiff_set_number(handle, UInt32(TIFFTAG_YRESOLUTION), pixelsPerInch)
      set(TIFFTAG_RESOLUTIONUNIT, Int(RESUNIT_INCH))
    }

    func write(_ row: UnsafeMutablePointer<UInt8>, _ y: Int) -> Bool {
      TIFFWriteScanline(handle, row, UInt32(y), 0) >= 0
    }

    /// Returns the complete file. The directory must have been written.
    func finish() throws(CodecError) -> Data {
      let isWritten = TIFFFlush(handle) != 0
      isOpen = false
      TIFFClose(handle)
      guard isWritten, memory.pointee.message.0 == 0, let data = memory.pointee.data else {
        throw .encodingFailed(.tiff, reason: words)
      }
      memory.pointee.data = nil
      let count = Int(memory.pointee.size)
      return Data(bytesNoCopy: realloc(data, count) ?? UnsafeMutableRawPointer(data), count: count, deallocator: .free)
    }
  }
#endif
