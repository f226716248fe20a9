internal import CNukeCodecs
public import Foundation
public import NukeImaging

/// Writes PNG by an encoder of our own, tagged sRGB, in the smallest form that loses nothing: 1 to 8 bits of gray, a
/// palette where there are at most 256 colors, without alpha where all pixels are opaque.
///
/// Read again the pixels are the same, also where they are transparent, unless ``maximumColorCount`` reduces them.
///
/// Beside the image, an encoder holds the rows in the form of the file and what they are compressed to, in memory: at
/// most 8 bytes a pixel, and for less than that a few hundred kilobytes more. A reduction of colors takes 5 bytes a
/// pixel more. Encoding cannot be canceled.
public struct PNGWriter: ImageWriter {
  public static let format = ImageFormat.png

  /// The compression level, from 0 (none) to 9 (slowest, smallest).
  ///
  /// Levels 1 and 2 choose the filter of a row by its sum of absolute differences, higher ones by its entropy or that
  /// sum, whichever suits the image. Matches are searched for by libdeflate at its levels 1 to 7, and for our levels 8
  /// and 9 at its levels 10 and 12. Photographs are compressed without matches where that is smaller, at all
  /// levels alike. Level 9 tries every combination.
  public let compressionLevel: Int
  /// The most colors, 2...256, among them the one for transparent pixels; `nil`, the default, keeps all colors.
  ///
  /// An image of more colors loses some. The others are chosen by ``GIFWriter``'s method, with their alpha.
  public var maximumColorCount: Int? {
    didSet { maximumColorCount = Self.clamped(maximumColorCount) }
  }
  /// A Boolean value that indicates whether colors that are lost are mixed of pixels (Floyd-Steinberg). Without it
  /// files are smaller.
  public var isDithered: Bool
  /// The metadata to write: see ``ImageMetadata/keeping(_:)``.
  public var metadata = ImageMetadata()

  /// A writer; values out of range count as the nearest.
  public init(compressionLevel: Int = 6, maximumColorCount: Int? = nil, isDithered: Bool = true) {
    self.compressionLevel = min(max(compressionLevel, 0), 9)
    self.maximumColorCount = Self.clamped(maximumColorCount)
    self.isDithered = isDithered
  }

  public init(_ options: EncodeOptions) {
    self.init(
      compressionLevel: options.compressionLevel ?? 6,
      maximumColorCount: options.isLossless ? nil : options.maximumColorCount, isDithered: options.isDithered)
    metadata = options.writtenMetadata
  }

  private static func clamped(_ count: Int?) -> Int? { count.map { min(max($0, 2), 256) } }

  /// The encoded file.
  ///
  /// - Throws: ``CodecError/encodingFailed(_:reason:)`` for an empty image or a side of more than 2,147,483,647 pixels,
  ///   ``CodecError/outOfMemory(_:byteCount:)``.
  public func encode(_ image: Bitmap) throws(CodecError) -> Data {
    let (width, height) = (image.pixelWidth, image.pixelHeight)
    guard width > 0, height > 0 else { throw .encodingFailed(.png, reason: "the image is empty") }
    guard max(width, height) <= Int(Int32.max) else {
      throw .encodingFailed(.png, reason: "a side of \(max(width, height)) pixels is too long")
    }
    var bytes: UnsafeMutablePointer<UInt8>?
    var count = 0
    let status = image.withUnsafeBytes { pixels in
      let layout = layout(pixels.bindMemory(to: UInt32.self), width: width)
      let chunks = chunks(layout)
      return chunks.withUnsafeBytes { chunks in
        var description = nuke_png_image()
        description.width = UInt32(width)
        description.height = UInt32(height)
        description.bit_depth = layout.bitDepth
        description.samples = layout.colorType.sampleCount
        description.color_type = layout.colorType.rawValue
        description.level = Int32(compressionLevel)
        description.chunks = chunks.assumingMemoryBound(to: UInt8.self).baseAddress
        description.chunk_bytes = chunks.count
        description.longest_chunk = Int(Int32.max)
        description.fill = { context, y, row in
          guard let context, let row else { return }
          Unmanaged<PNGLayout>.fromOpaque(context).takeUnretainedValue().fill(row, y: Int(y))
        }
        description.context = Unmanaged.passUnretained(layout).toOpaque()
        return withExtendedLifetime(layout) { nuke_png_encode(&description, &bytes, &count) }
      }
    }
    guard status == NUKE_PNG_OK, let bytes else {
      throw .outOfMemory(.png, byteCount: width.multipliedReportingOverflow(by: height * 4).partialValue)
    }
    return Data(bytesNoCopy: bytes, count: count, deallocator: .free)
  }

  /// Colors are reduced where that loses some; where it loses none, the smallest form may be another than a palette.
  private func layout(_ pixels: UnsafeBufferPointer<UInt32>, width: Int) -> PNGLayout {
    guard let maximumColorCount, ColorTable(pixels, limit: maximumColorCount, countsTransparent: true) == nil else {
      return PNGLayout(pixels, width: width)
    }
    return PNGLayout(pixels, width: width, colorCount: maximumColorCount, isDithered: isDithered)
  }

  /// The chunks before the image data.
  private func chunks(_ layout: PNGLayout) -> Data {
    // Perceptual, as photographs are (PNG specification, 11.3.3.5).
    var chunks = PNGChunks.encoded("sRGB", Data([0]))
    if !layout.palette.isEmpty {
      chunks += PNGChunks.encoded("PLTE", Data(layout.palette.flatMap { [$0.x, $0.y, $0.z] }))
      let alphas = Data(layout.palette.map(\.w).prefix { $0 < 255 })
      if !alphas.isEmpty { chunks += PNGChunks.encoded("tRNS", alphas) }
    }
    return chunks + metadata.pngChunks()
  }
}
