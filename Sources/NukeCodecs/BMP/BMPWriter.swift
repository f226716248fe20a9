public import Foundation
public import NukeImaging

/// Writes uncompressed Windows bitmaps. Opaque images have 24 bits per pixel. Others have 32 bits with straight alpha,
/// and a header that states alpha and sRGB (`BITMAPV4HEADER`).
///
/// The file decodes to the same pixels.
public struct BMPWriter: ImageWriter {
  public static let format = ImageFormat.bmp

  /// Creates a writer. The format has no options.
  public init() {}

  public init(_ options: EncodeOptions) {}

  public func encode(_ image: Bitmap) throws(CodecError) -> Data {
    guard let pixels = image.buffer else { throw .encodingFailed(.bmp, reason: "the image is empty") }
    let (width, height, isOpaque) = (pixels.width, pixels.height, image.isOpaque)
    let headerSize = isOpaque ? 40 : 108
    let bytesPerRow = isOpaque ? (width * 3 + 3) / 4 * 4 : width * 4
    let start = 14 + headerSize
    // Sizes have 32 bits, and sides are signed.
    guard max(width, height) <= Int(Int32.max), start + bytesPerRow * height <= Int(UInt32.max) else {
      throw .encodingFailed(.bmp, reason: "a file of \(width)x\(height) pixels would be too large for the format")
    }
    return Data(exactly: start + bytesPerRow * height) { file in
      // Rows may end with padding, and the headers have fields that are zero.
      file.initializeMemory(as: UInt8.self, repeating: 0)
      func put(_ value: UInt32, _ offset: Int) {
        file.storeBytes(of: value.littleEndian, toByteOffset: offset, as: UInt32.self)
      }
      file.copyBytes(from: "BM".utf8)
      put(UInt32(file.count), 2)
      put(UInt32(start), 10)
      put(UInt32(headerSize), 14)
      put(UInt32(width), 18)
      put(UInt32(height), 22)
      put((isOpaque ? 24 : 32) << 16 | 1, 26)
      put(UInt32(bytesPerRow * height), 34)
      // 72 pixels per inch, in pixels per meter.
      put(2835, 38)
      put(2835, 42)
      if !isOpaque {
        put(3, 30)
        for (index, mask) in [0xFF_0000, 0xFF00, 0xFF, 0xFF00_0000].enumerated() { put(UInt32(mask), 54 + index * 4) }
        put(0x7352_4742, 70)
      }
      for y in 0..<height {
        guard let row = file.baseAddress?.advanced(by: start + (height - 1 - y) * bytesPerRow) else { return }
        fill(row.assumingMemoryBound(to: UInt8.self), from: pixels.row(y), width: width, isOpaque: isOpaque)
      }
    }
  }

  private func fill(
    _ row: UnsafeMutablePointer<UInt8>, from source: UnsafePointer<UInt8>, width: Int, isOpaque: Bool
  ) {
    if isOpaque {
      for x in 0..<width {
        row[x * 3] = source[x * 4 + 2]
        row[x * 3 + 1] = source[x * 4 + 1]
        row[x * 3 + 2] = source[x * 4]
      }
    } else {
      PixelKernels.best.unpremultiply(source, to: row, count: width)
      PixelKernels.best.swapRedBlue(row, to: row, count: width)
    }
  }
}
