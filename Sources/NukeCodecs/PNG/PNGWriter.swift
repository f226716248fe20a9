internal import CNukeCodecs
public import Foundation
public import NukeImaging

/// Writes PNG through libpng, 8 bits a channel, tagged sRGB, in the fewest channels that lose nothing: gray where all
/// pixels are gray, without alpha where all are opaque.
///
/// Read again the pixels are the same, also where they are transparent.
public struct PNGWriter: ImageWriter {
  public static let format = ImageFormat.png

  /// The compression level, from 0 (none) to 9 (slowest, smallest).
  public let compressionLevel: Int
  /// The metadata to write: see ``ImageMetadata/keeping(_:)``.
  public var metadata = ImageMetadata()

  /// A writer; a level outside 0...9 is clamped.
  public init(compressionLevel: Int = 6) {
    self.compressionLevel = min(max(compressionLevel, 0), 9)
  }

  public init(_ options: EncodeOptions) {
    self.init()
    metadata = options.writtenMetadata
  }

  public func encode(_ image: Bitmap) throws(CodecError) -> Data {
    let (width, height) = (image.pixelWidth, image.pixelHeight)
    guard width > 0, height > 0 else { throw .encodingFailed(.png, reason: "the image is empty") }
    guard max(width, height) <= Int(Int32.max) else {
      throw .encodingFailed(.png, reason: "a side of \(max(width, height)) pixels is too long")
    }
    var bytes: UnsafeMutablePointer<UInt8>?
    var count = 0
    let result = image.withUnsafeBytes { pixels in
      let rows = RowSource(pixels: pixels, width: width)
      return withExtendedLifetime(rows) {
        nuke_png_encode(
          UInt32(width), UInt32(height), rows.layout.rawValue, Int32(compressionLevel),
          { context, y, row in
            guard let context, let row else { return }
            Unmanaged<RowSource>.fromOpaque(context).takeUnretainedValue().fill(row, y: Int(y))
          }, Unmanaged.passUnretained(rows).toOpaque(), &bytes, &count)
      }
    }
    switch result.status {
    case NUKE_PNG_OK: break
    case NUKE_PNG_NO_MEMORY: throw .outOfMemory(.png, byteCount: result.offset)
    default: throw .encodingFailed(.png, reason: result.words)
    }
    guard let bytes else { throw .encodingFailed(.png, reason: "nothing was written") }
    return metadata.embedded(inPNG: Data(bytesNoCopy: bytes, count: count, deallocator: .free))
  }
}

/// The rows of a bitmap in the layout of the file.
private final class RowSource {
  /// By the number of channels.
  enum Layout: Int32 {
    case gray = 1
    case grayAlpha = 2
    case rgb = 3
    case rgbAlpha = 4
  }

  let layout: Layout
  private let pixels: UnsafeRawBufferPointer
  private let width: Int
  /// One row of straight RGBA.
  private var straight: [UInt8] = []

  init(pixels: UnsafeRawBufferPointer, width: Int) {
    self.pixels = pixels
    self.width = width
    layout = Self.smallestLayout(pixels)
    if layout == .grayAlpha { straight = [UInt8](repeating: 0, count: width * 4) }
  }

  private static func smallestLayout(_ pixels: UnsafeRawBufferPointer) -> Layout {
    let pixels = pixels.assumingMemoryBound(to: UInt8.self)
    guard let base = pixels.baseAddress else { return .rgb }
    let isOpaque = PixelKernels.best.isOpaque(base, count: pixels.count / 4)
    let isGray = stride(from: 0, to: pixels.count, by: 4).allSatisfy {
      base[$0] == base[$0 + 1] && base[$0] == base[$0 + 2]
    }
    return isGray ? (isOpaque ? .gray : .grayAlpha) : (isOpaque ? .rgb : .rgbAlpha)
  }

  func fill(_ row: UnsafeMutablePointer<UInt8>, y: Int) {
    guard let base = pixels.assumingMemoryBound(to: UInt8.self).baseAddress else { return }
    let source = base + y * width * 4
    switch layout {
    case .gray:
      for x in 0..<width { row[x] = source[x * 4] }
    case .grayAlpha:
      straight.withUnsafeMutableBufferPointer { straight in
        guard let straight = straight.baseAddress else { return }
        PixelKernels.best.unpremultiply(source, to: straight, count: width)
        for x in 0..<width {
          row[x * 2] = straight[x * 4]
          row[x * 2 + 1] = straight[x * 4 + 3]
        }
      }
    case .rgb:
      PixelKernels.dropAlpha(source, to: row, count: width)
    case .rgbAlpha:
      PixelKernels.best.unpremultiply(source, to: row, count: width)
    }
  }
}
