import CNukeKernels

extension Bitmap {
  /// Returns the image resampled with `geometry`; `nil` if memory cannot be allocated.
  ///
  /// Opaque images stay opaque, and ``scale`` is kept. If the geometry changes nothing, returns the image itself.
  ///
  /// - Parameters:
  ///   - geometry: a geometry for an image of this size. Of a region that extends outside the image, only the part
  ///     inside is sampled.
  ///   - filter: the filter that weights pixels.
  ///   - light: the values that are averaged: premultiplied sRGB or linear light.
  ///   - bands: the number of parts that are processed in parallel; `nil` to choose it. It does not affect the pixels.
  ///   - kernels: the kernels to use. All variants produce the same pixels.
  package func resized(
    _ geometry: ResizeGeometry, filter: ResamplingFilter = .lanczos3, light: ResamplingLight = .encoded,
    bands: Int? = nil, kernels: PixelKernels = .best
  ) -> Bitmap? {
    let region = geometry.region
    let (left, top) = (max(region.x, 0), max(region.y, 0))
    let width = min(region.x + region.width, Double(pixelWidth)) - left
    let height = min(region.y + region.height, Double(pixelHeight)) - top
    let (outputWidth, outputHeight) = (geometry.outputWidth, geometry.outputHeight)
    // The kernels use 31-bit arithmetic, and the weights of an axis take a dozen bytes per pixel.
    let longest = 1 << 24
    guard buffer != nil, width > 0, height > 0, max(pixelWidth, pixelHeight, outputWidth, outputHeight) <= longest
    else {
      return nil
    }
    if (outputWidth, outputHeight) == (pixelWidth, pixelHeight), (left, top) == (0, 0),
      (width, height) == (Double(pixelWidth), Double(pixelHeight))
    {
      return self
    }
    if Double(outputWidth) > width, Double(outputHeight) < height, filter != .nearest {
      // Rows are resampled horizontally first. If that would enlarge rows that are reduced vertically afterwards,
      // resize in two steps.
      let lower = ResizeGeometry(
        sourceWidth: pixelWidth, sourceHeight: pixelHeight,
        region: .init(x: 0, y: top, width: Double(pixelWidth), height: height),
        outputWidth: pixelWidth, outputHeight: outputHeight)
      let wider = ResizeGeometry(
        sourceWidth: pixelWidth, sourceHeight: outputHeight,
        region: .init(x: left, y: 0, width: width, height: Double(outputHeight)),
        outputWidth: outputWidth, outputHeight: outputHeight)
      return resized(lower, filter: filter, light: light, bands: bands, kernels: kernels)?
        .resized(wider, filter: filter, light: light, bands: bands, kernels: kernels)
    }
    let horizontal = ResamplingAxis.cached(
      .init(
        inputCount: pixelWidth, start: left, length: width, outputCount: outputWidth, filter: filter, alignment: 4))
    let vertical = ResamplingAxis.cached(
      .init(
        inputCount: pixelHeight, start: top, length: height, outputCount: outputHeight, filter: filter, alignment: 1))
    if filter == .nearest { return picked(horizontal, vertical) }
    return resampled(horizontal, vertical, light: light, bands: bands, kernels: kernels)
  }
}
