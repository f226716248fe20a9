import Foundation
import NukeImaging

/// An image of an icon in bitmap format: colors, followed by a mask with one bit per pixel.
struct ICOBitmap: Sendable {
  let header: DIBHeader
  private let data: Data

  /// Returns `nil` if the data ends before the header does.
  init?(_ data: Data) throws(CodecError) {
    let header = try data.reading { bytes throws(CodecError) in try DIBHeader(bytes, at: 0, in: .icon) }
    guard let header else { return nil }
    guard header.compression == .none else { throw .unsupported(.ico, feature: "runs") }
    self.header = header
    self.data = data
  }

  func decode(_ options: DecodeOptions) throws(CodecError) -> Bitmap {
    let buffer = try data.reading { bytes throws(CodecError) in try drawn(bytes, options.isCancelled) }
    let isOpaque = buffer.premultiply()
    return try buffer.upright(options.orientation ?? .up, isOpaque: isOpaque, .ico)
  }

  /// Returns the image as straight RGBA.
  private func drawn(
    _ bytes: UnsafeRawBufferPointer, _ isCancelled: (() -> Bool)?
  ) throws(CodecError) -> PixelBuffer {
    let pixels = DIBPixels(header, in: bytes, start: header.palette.upperBound, format: .ico)
    try pixels.check()
    let buffer = try PixelBuffer.allocate(.ico, width: header.width, height: header.height)
    let showsAnything = try pixels.draw(into: buffer, isCancelled: isCancelled)
    if header.hasAlpha, showsAnything { return buffer }
    PixelKernels.best.setOpaque(buffer.base, count: header.width * header.height)
    try cut(by: bytes, at: pixels.start + header.bytesPerRow * header.height, from: buffer)
    return buffer
  }

  /// Clears the pixels whose mask bit is 1. Without a mask, the image is opaque.
  private func cut(
    by bytes: UnsafeRawBufferPointer, at start: Int, from buffer: PixelBuffer
  ) throws(CodecError) {
    guard start < bytes.count else { return }
    let bytesPerRow = (header.width + 31) / 32 * 4
    guard start + bytesPerRow * (header.height - 1) + (header.width + 7) / 8 <= bytes.count else {
      throw .truncated(.ico, byteCount: data.count)
    }
    for stored in 0..<header.height {
      let row = buffer.row(header.isTopDown ? stored : header.height - 1 - stored)
      for x in 0..<header.width where bytes[start + stored * bytesPerRow + x / 8] & (0x80 >> UInt8(x % 8)) != 0 {
        row[x * 4 + 3] = 0
      }
    }
  }
}
