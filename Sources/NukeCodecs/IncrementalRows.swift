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
    buffer = try .allocate(header.format, width: width, height: height)
    buffer.clear()
    self.header = header
    self.profile = profile
    self.hasAlpha = hasAlpha
  }

  /// A copy of the first rows, finished like the complete image. The decoder can go on in ``buffer``.
  func preview(rowCount: Int, scanNumber: Int? = nil) throws(CodecError) -> IncrementalPreview {
    let copy = try PixelBuffer.allocate(header.format, width: buffer.width, height: buffer.height)
    let count = rowCount * buffer.width
    copy.base.update(from: buffer.base, count: count * 4)
    (copy.base + count * 4).update(repeating: 0, count: copy.byteCount - count * 4)
    profile?.convertToSRGB(copy.base, pixelCount: count, isOpaque: !hasAlpha)
    let isOpaque = hasAlpha ? PixelKernels.best.premultiply(copy.base, count: count) : true
    let upright = try copy.upright(
      header.orientation, isOpaque: isOpaque && rowCount == buffer.height, header.format)
    return IncrementalPreview(
      bitmap: upright, scanNumber: scanNumber, rowFraction: Double(rowCount) / Double(buffer.height))
  }
}
