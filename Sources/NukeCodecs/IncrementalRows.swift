import NukeImaging

/// An image that is decoded from top to bottom, in the form that the decoder produces: straight alpha, not rotated, in
/// the colors of the file. RGBA8, or with `deepColors` 16 bits per channel.
struct IncrementalRows {
  let buffer: PixelBuffer
  let header: ImageHeader
  let profile: ColorProfile?
  let deepColors: PNGDeepColors?
  let hasAlpha: Bool

  /// Allocates a transparent image.
  init(
    header: ImageHeader, profile: ColorProfile?, deepColors: PNGDeepColors? = nil, hasAlpha: Bool
  ) throws(CodecError) {
    let (width, height) = (header.storedWidth, header.storedHeight)
    buffer =
      deepColors == nil
      ? try .allocate(header.format, width: width, height: height)
      : try .allocateDeep(header.format, width: width, height: height)
    buffer.clear()
    self.header = header
    self.profile = profile
    self.deepColors = deepColors
    self.hasAlpha = hasAlpha
  }

  /// Returns a copy of the first rows, finished like the complete image. The decoder can continue in ``buffer``.
  func preview(rowCount: Int, scanNumber: Int? = nil) throws(CodecError) -> IncrementalPreview {
    let copy = try PixelBuffer.allocate(header.format, width: header.storedWidth, height: header.storedHeight)
    let count = rowCount * copy.width
    (copy.base + count * 4).update(repeating: 0, count: copy.byteCount - count * 4)
    if let deepColors {
      deepColors.convert(buffer.components, to: copy.base, pixelCount: count)
    } else {
      copy.base.update(from: buffer.base, count: count * 4)
      profile?.convertToSRGB(copy.base, pixelCount: count, isOpaque: !hasAlpha)
    }
    let isOpaque = hasAlpha ? PixelKernels.best.premultiply(copy.base, count: count) : true
    let upright = try copy.upright(
      header.orientation, isOpaque: isOpaque && rowCount == buffer.height, header.format)
    return IncrementalPreview(
      bitmap: upright, scanNumber: scanNumber, rowFraction: Double(rowCount) / Double(buffer.height))
  }
}
