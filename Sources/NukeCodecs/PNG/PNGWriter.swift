internal import CNukeCodecs
public import Foundation
public import NukeImaging

/// Writes PNG files, tagged sRGB, with the smallest color type and bit depth that store all pixels exactly: gray of 1
/// to 8 bits, a palette for at most 256 colors, no alpha channel for an opaque image.
///
/// Encoding is lossless, also for transparent pixels, unless ``maximumColorCount`` reduces the colors.
///
/// Encoding needs at most 8 bytes of memory per pixel for the filtered rows and the compressed file, and a few hundred
/// kilobytes, or 6 MB at level 8. Reducing colors needs another 5 bytes per pixel. Encoding cannot be canceled.
public struct PNGWriter: ImageWriter {
  public static let format = ImageFormat.png

  /// The compression level, from 0 (none) to 9 (slowest, smallest).
  ///
  /// Levels 1 and 2 select the filter of each row by the sum of absolute differences, or no filter, whichever compresses
  /// a sample of the image better. Levels 3 to 9 consider the entropy as well. The sample also selects how rows are
  /// compressed:
  /// - Photographs: by Huffman codes and runs of a byte.
  /// - Graphics without a filter, at levels 1 to 8: by matches of whole pixels. Each pixel is compared with 1 (levels 1
  ///   and 2) to 8 earlier ones (level 7). Level 8 compares it with 40, and selects among all matches by their number of
  ///   bits. This is two to five times as fast as matches of any bytes.
  /// - Other images: by matches of any bytes, which libdeflate finds, at its levels 1 to 7 for levels 1 to 7, and at its
  ///   levels 10 and 11 for levels 8 and 9. Levels 1 and 2 use them only if they save a fifth of the sample.
  ///
  /// Level 9 uses a larger sample, and takes up to a second per megapixel.
  public let compressionLevel: Int
  /// The maximum number of colors, 2...256, including transparent; `nil`, the default, for no limit.
  ///
  /// An image with more colors is written with a palette, selected as by ``GIFWriter``, but with alpha.
  public var maximumColorCount: Int? {
    didSet { maximumColorCount = Self.clamped(maximumColorCount) }
  }
  /// A Boolean value that indicates whether reduced colors are dithered (Floyd-Steinberg). Files without dithering are
  /// smaller.
  public var isDithered: Bool
  /// The metadata to write: see ``ImageMetadata/keeping(_:)``.
  public var metadata = ImageMetadata()

  /// Creates a writer. Values out of range are clamped.
  public init(compressionLevel: Int = 6, maximumColorCount: Int? = nil, isDithered: Bool = true) {
    self.compressionLevel = min(max(compressionLevel, 0), 9)
    self.maximumColorCount = Self.clamped(maximumColorCount)
    self.isDithered = isDithered
  }

  public init(_ options: EncodeOptions) {
    self.init(
      compressionLevel: options.effort(in: 0...9) ?? 6,
      maximumColorCount: options.isLossless ? nil : options.maximumColorCount, isDithered: options.isDithered)
    metadata = options.writtenMetadata
  }

  private static func clamped(_ count: Int?) -> Int? { count.map { min(max($0, 2), 256) } }

  /// Encodes an image.
  ///
  /// - Throws: ``CodecError/encodingFailed(_:reason:)`` for an empty image or a side of more than 2,147,483,647 pixels,
  ///   ``CodecError/outOfMemory(_:byteCount:)``.
  public func encode(_ image: Bitmap) throws(CodecError) -> Data {
    let (width, height) = (image.pixelWidth, image.pixelHeight)
    try Self.check(width: width, height: height)
    let file = image.withUnsafeBytes { pixels in
      let layout = layout(pixels.bindMemory(to: UInt32.self), width: width)
      return encode(layout, width: width, height: height, chunks: chunks(layout.form))
    }
    guard let file else { throw Self.outOfMemory(width: width, height: height) }
    return file
  }

  static let maximumSide = Int(Int32.max)

  static func check(width: Int, height: Int) throws(CodecError) {
    try format.checkWritable(width: width, height: height, maximumSide: maximumSide)
  }

  static func outOfMemory(width: Int, height: Int) -> CodecError {
    .outOfMemory(.png, byteCount: width.multipliedReportingOverflow(by: height * 4).partialValue)
  }

  /// Encodes rows to a file; `nil` if memory cannot be allocated.
  ///
  /// - Parameters:
  ///   - chunks: the chunks before the image data.
  ///   - longestChunk: the maximum size of a chunk of image data, in bytes.
  func encode(
    _ layout: PNGLayout, width: Int, height: Int, chunks: Data, longestChunk: Int = Int(Int32.max)
  ) -> Data? {
    var bytes: UnsafeMutablePointer<UInt8>?
    var count = 0
    let status = chunks.withUnsafeBytes { chunks in
      var description = description(layout.form, width: width, height: height, chunks: chunks)
      description.longest_chunk = longestChunk
      description.fill = { context, y, row in
        guard let context, let row else { return }
        Unmanaged<PNGLayout>.fromOpaque(context).takeUnretainedValue().fill(row, y: Int(y))
      }
      description.context = Unmanaged.passUnretained(layout).toOpaque()
      return withExtendedLifetime(layout) { nuke_png_encode(&description, &bytes, &count) }
    }
    guard status == NUKE_PNG_OK, let bytes else { return nil }
    return Data(bytesNoCopy: bytes, count: count, deallocator: .free)
  }

  /// The image to encode, without its pixels.
  func description(_ form: PNGForm, width: Int, height: Int, chunks: UnsafeRawBufferPointer) -> nuke_png_image {
    var description = nuke_png_image()
    description.width = UInt32(width)
    description.height = UInt32(height)
    description.bit_depth = form.bitDepth
    description.samples = form.colorType.sampleCount
    description.color_type = form.colorType.rawValue
    description.level = Int32(compressionLevel)
    description.chunks = chunks.assumingMemoryBound(to: UInt8.self).baseAddress
    description.chunk_bytes = chunks.count
    return description
  }

  /// Reduces colors only if the image has too many; for fewer, a palette may not be the smallest.
  private func layout(_ pixels: UnsafeBufferPointer<UInt32>, width: Int) -> PNGLayout {
    guard let maximumColorCount, ColorTable(pixels, limit: maximumColorCount, countsTransparent: true) == nil else {
      return PNGLayout(pixels, width: width)
    }
    return PNGLayout(pixels, width: width, colorCount: maximumColorCount, isDithered: isDithered)
  }

  /// The chunks before the image data.
  func chunks(_ form: PNGForm) -> Data {
    // The rendering intent is perceptual, as for photographs (PNG specification, 11.3.3.5).
    var chunks = PNGChunks.encoded("sRGB", Data([0]))
    if !form.palette.isEmpty {
      chunks += PNGChunks.encoded("PLTE", Data(form.palette.flatMap { [$0.x, $0.y, $0.z] }))
      let alphas = Data(form.palette.map(\.w).prefix { $0 < 255 })
      if !alphas.isEmpty { chunks += PNGChunks.encoded("tRNS", alphas) }
    }
    return chunks + metadata.pngChunks()
  }
}
