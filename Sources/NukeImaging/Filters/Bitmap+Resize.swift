import CNukeKernels

extension Bitmap {
  /// The image resampled as `geometry` says, or `nil` if there is no memory for the result.
  ///
  /// Opaque images stay opaque, and ``scale`` is kept. A geometry that changes nothing gives this very image.
  ///
  /// - Parameters:
  ///   - geometry: made for an image of this size; of a region that reaches outside, the part within is sampled.
  ///   - filter: how pixels are weighed.
  ///   - light: whether premultiplied sRGB is mixed as it is, or linear light.
  ///   - bands: how many parts run at the same time; `nil` for as many as gain by it. The pixels are the same.
  ///   - kernels: the variant that does it; all give the same pixels.
  package func resized(
    _ geometry: ResizeGeometry, filter: ResamplingFilter = .lanczos3, light: ResamplingLight = .encoded,
    bands: Int? = nil, kernels: PixelKernels = .best
  ) -> Bitmap? {
    let region = geometry.region
    let (left, top) = (max(region.x, 0), max(region.y, 0))
    let width = min(region.x + region.width, Double(pixelWidth)) - left
    let height = min(region.y + region.height, Double(pixelHeight)) - top
    let (outputWidth, outputHeight) = (geometry.outputWidth, geometry.outputHeight)
    // The kernels count in 31 bits, and the weights of an axis take a dozen bytes a pixel.
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
      // Rows are resampled along first. Where that would enlarge what is reduced afterwards, it is done in two steps.
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
