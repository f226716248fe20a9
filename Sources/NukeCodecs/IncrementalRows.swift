import NukeImaging

/// An image that is filled from the top, as its decoder leaves it: straight RGBA8, not turned, in the file's colors.
struct IncrementalRows {
  let buffer: PixelBuffer
  let header: ImageHeader
  let profile: ColorProfile?
  let hasAlpha: Bool

  /// Memory for an image, all transparent.
  init(header: ImageHeader, profile: ColorProfile?, hasAlpha: Bool) throws(CodecError) {
    let (width, height) = (header.storedWidth, header.storedHeight)
    guard let buffer = PixelBuffer(width: width, height: height) else {
      throw .outOfMemory(header.format, byteCount: width * height * 4)
    }
    buffer.clear()
    self.buffer = buffer
    self.header = header
    self.profile = profile
    self.hasAlpha = hasAlpha
  }

  /// A copy of the first rows, finished like the complete image. The decoder can go on in ``buffer``.
  func preview(rowCount: Int, scanNumber: Int? = nil) throws(CodecError) -> IncrementalPreview {
    guard let copy = PixelBuffer(width: buffer.width, height: buffer.height) else {
      throw .outOfMemory(header.format, byteCount: buffer.byteCount)
    }
    let count = rowCount * buffer.width
    copy.base.update(from: buffer.base, count: count * 4)
    (copy.base + count * 4).update(repeating: 0, count: copy.byteCount - count * 4)
    profile?.convertToSRGB(copy.base, pixelCount: count, isOpaque: !hasAlpha)
    let isOpaque = hasAlpha ? PixelKernels.best.premultiply(copy.base, count: count) : true
    guard let upright = header.orientation.apply(to: copy) else {
      throw .outOfMemory(header.format, byteCount: copy.byteCount)
    }
    return IncrementalPreview(
      bitmap: Bitmap(upright, isOpaque: isOpaque && rowCount == buffer.height), scanNumber: scanNumber,
      rowFraction: Double(rowCount) / Double(buffer.height))
  }
}
