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
    guard buffer != nil,
      let passes = geometry.passes(sourceWidth: pixelWidth, sourceHeight: pixelHeight, filter: filter)
    else { return nil }
    var result = self
    for pass in passes {
      let next =
        filter == .nearest
        ? result.picked(pass.horizontal, pass.vertical)
        : result.resampled(pass.horizontal, pass.vertical, light: light, bands: bands, kernels: kernels)
      guard let next else { return nil }
      result = next
    }
    return result
  }
}

/// One resampling of an image along both axes.
struct ResamplingPass {
  let horizontal: ResamplingAxis
  let vertical: ResamplingAxis
}

extension ResizeGeometry {
  /// Returns the steps of the resize, none if it changes nothing; `nil` if an image of this size has no pixels in the
  /// region, or if a side is too long.
  func passes(sourceWidth: Int, sourceHeight: Int, filter: ResamplingFilter) -> [ResamplingPass]? {
    let (left, top) = (max(region.x, 0), max(region.y, 0))
    let width = min(region.x + region.width, Double(sourceWidth)) - left
    let height = min(region.y + region.height, Double(sourceHeight)) - top
    // The kernels use 31-bit arithmetic, and the weights of an axis take a dozen bytes per pixel.
    let longest = 1 << 24
    guard width > 0, height > 0, max(sourceWidth, sourceHeight, outputWidth, outputHeight) <= longest else {
      return nil
    }
    if (outputWidth, outputHeight) == (sourceWidth, sourceHeight), (left, top) == (0, 0),
      (width, height) == (Double(sourceWidth), Double(sourceHeight))
    {
      return []
    }
    func horizontal() -> ResamplingAxis {
      .cached(
        .init(
          inputCount: sourceWidth, start: left, length: width, outputCount: outputWidth, filter: filter, alignment: 4))
    }
    func vertical() -> ResamplingAxis {
      .cached(
        .init(
          inputCount: sourceHeight, start: top, length: height, outputCount: outputHeight, filter: filter,
          alignment: 1))
    }
    if Double(outputWidth) > width, Double(outputHeight) < height, filter != .nearest {
      // Rows are resampled horizontally first. If that would enlarge rows that are reduced vertically afterwards,
      // resize in two steps.
      func unchanged(_ count: Int, alignment: Int) -> ResamplingAxis {
        .cached(
          .init(
            inputCount: count, start: 0, length: Double(count), outputCount: count, filter: filter,
            alignment: alignment))
      }
      return [
        ResamplingPass(horizontal: unchanged(sourceWidth, alignment: 4), vertical: vertical()),
        ResamplingPass(horizontal: horizontal(), vertical: unchanged(outputHeight, alignment: 1)),
      ]
    }
    return [ResamplingPass(horizontal: horizontal(), vertical: vertical())]
  }
}
