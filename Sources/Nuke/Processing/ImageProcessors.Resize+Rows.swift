package import NukeCodecs
package import NukeImaging

/// A processor that can resize rows while they are decoded.
package protocol RowResizing: ImageProcessing {
  /// Returns the reduction and the sampling by which rows are resized while they are decoded. The pixels are those of
  /// decoding and resizing the whole image.
  ///
  /// - Returns: `nil` if the whole image is needed.
  /// - Throws: an error for a size that the image cannot have.
  func rowSampling(of reader: any ImageReader) throws -> (scaleDenominator: Int, sampling: RowSampling)?
}

extension ImageProcessors.Resize: RowResizing {
  package func rowSampling(
    of reader: any ImageReader
  ) throws(ImageProcessors.SizeError) -> (scaleDenominator: Int, sampling: RowSampling)? {
    guard !isLinear else { return nil }
    return try reader.rowSampling(scale: decodeScale, filter: filter.resampling) {
      (width, height) throws(ImageProcessors.SizeError) in
      try geometry(sourceWidth: width, sourceHeight: height)
    }
  }
}

extension ImageReader {
  /// Returns the reduction and the sampling of a resize; `nil` if the image is not stored upright.
  ///
  /// - Parameters:
  ///   - scale: the number of decoded pixels for each pixel of the result; `nil` to decode at full size.
  ///   - geometry: returns the resize of an image with this width and height; `nil` if the image stays unchanged.
  package func rowSampling<Failure: Error>(
    scale: ResizeGeometry.DecodeScale?, filter: ResamplingFilter,
    geometry: (_ width: Int, _ height: Int) throws(Failure) -> ResizeGeometry?
  ) throws(Failure) -> (scaleDenominator: Int, sampling: RowSampling)? {
    guard header.orientation == .up else { return nil }
    var denominator = 1
    if let scale {
      let (width, height) = pixelSize(scaleDenominator: 1)
      denominator = try geometry(width, height)?.scaleDenominator(available: scaleDenominators, rule: scale) ?? 1
    }
    let (width, height) = pixelSize(scaleDenominator: denominator)
    return RowSampling(
      sourceWidth: width, sourceHeight: height, geometry: try geometry(width, height), filter: filter
    ).map { (denominator, $0) }
  }
}
