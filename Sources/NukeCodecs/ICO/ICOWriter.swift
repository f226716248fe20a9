public import Foundation
public import NukeImaging

/// Writes Windows icons with one image of at most 256 x 256 pixels, encoded as PNG.
public struct ICOWriter: ImageWriter {
  public static let format = ImageFormat.ico

  /// The maximum side of an icon, in pixels.
  public static let longestSide = 256

  private let png: PNGWriter

  /// Creates a writer with the default compression.
  public init() { png = PNGWriter() }

  public init(_ options: EncodeOptions) { png = PNGWriter(options) }

  /// Encodes an image.
  ///
  /// - Throws: ``CodecError/encodingFailed(_:reason:)`` for an empty image, and for a side of more than 256 pixels.
  public func encode(_ image: Bitmap) throws(CodecError) -> Data {
    let (width, height) = (image.pixelWidth, image.pixelHeight)
    try Self.format.checkWritable(width: width, height: height, maximumSide: Self.longestSide)
    let content = try png.encode(image)
    // The directory, with one entry. A side of 256 is written as 0.
    var directory = Data([0, 0, 1, 0, 1, 0, UInt8(width & 0xFF), UInt8(height & 0xFF), 0, 0, 1, 0, 32, 0])
    for number in [content.count, Self.directorySize] {
      withUnsafeBytes(of: UInt32(number).littleEndian) { directory.append(contentsOf: $0) }
    }
    return Data(joining: [directory, content])
  }

  /// The size of the header and of one entry, in bytes.
  private static let directorySize = 22
}
