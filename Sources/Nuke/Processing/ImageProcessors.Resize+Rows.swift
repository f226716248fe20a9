package import NukeCodecs
package import NukeImaging

extension ImageProcessors.Resize {
  /// Returns the reduction and the sampling by which rows are resized while they are decoded. The pixels are those of
  /// decoding and resizing the whole image.
  ///
  /// - Returns: `nil` if the image is not stored upright, or for linear light.
  package func rowSampling(
    of reader: any ImageReader
  ) throws(ImageProcessors.SizeError) -> (scaleDenominator: Int, sampling: RowSampling)? {
    guard !isLinear, reader.header.orientation == .up else { return nil }
    var denominator = 1
    if let decodeScale {
      let (width, height) = reader.pixelSize(scaleDenominator: 1)
      denominator =
        try geometry(sourceWidth: width, sourceHeight: height)?
        .scaleDenominator(available: reader.scaleDenominators, rule: decodeScale) ?? 1
    }
    let (width, height) = reader.pixelSize(scaleDenominator: denominator)
    let geometry = try geometry(sourceWidth: width, sourceHeight: height)
    return RowSampling(sourceWidth: width, sourceHeight: height, geometry: geometry, filter: filter.resampling)
      .map { (denominator, $0) }
  }
}
