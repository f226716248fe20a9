import NukeCodecs
import NukeImaging

extension RenderPlan {
  /// The plan to decode and sample a large source in bands of rows, without all of its pixels in memory.
  struct Bands: Sendable {
    let reader: any RowReader
    let scaleDenominator: Int
    let sampling: RowSampling
    /// Decodes, samples and encodes in bands; `nil` if effects, the canvas or the format need the whole result.
    let transcoder: BandTranscoder?

    /// The memory of all steps, in bytes.
    var byteCount: Int {
      if let transcoder { return transcoder.byteCount }
      return reader.rowByteCount(scaleDenominator: scaleDenominator) + sampling.byteCount
    }

    /// Returns `nil` if the source is small, if its pixels are needed as a whole, or if they are turned.
    init?(_ processor: RenditionProcessor, _ reader: any ImageReader, writer: (any ImageWriter)?, leastPixelCount: Int?)
    {
      let (geometry, header) = (processor.geometry, reader.header)
      guard let reader = reader as? any RowReader, reader.decodesRows, !processor.trims, geometry.turn == .up,
        header.orientation == .up || !processor.options.autoRotates, let corners = geometry.corners
      else { return nil }
      let denominator = geometry.scaleDenominator(of: reader.scaleDenominators)
      let width = (header.storedWidth - 1) / denominator + 1
      let height = (header.storedHeight - 1) / denominator + 1
      guard let sampling = RowSampling(geometry, corners, decodedAs: width, height) else { return nil }
      (self.reader, self.sampling, scaleDenominator) = (reader, sampling, denominator)
      transcoder = writer.flatMap {
        processor.changesOnlySize(hasAlpha: header.hasAlpha)
          ? BandTranscoder(reader, scaleDenominator: denominator, sampling: sampling, writer: $0) : nil
      }
      let format = transcoder == nil ? nil : writer.map { type(of: $0).format }
      guard width * height >= leastPixelCount ?? BandTranscoder.leastPixelCount(writing: format) else { return nil }
    }
  }
}

extension RowSampling {
  /// Creates the sampling of ``RenditionProcessor`` for a decoded image that is not turned.
  fileprivate init?(_ geometry: RenditionGeometry, _ corners: Corners, decodedAs width: Int, _ height: Int) {
    let area = geometry.area(decodedAs: width, height)
    let crop = geometry.croppedRegion(of: area, corners).touchedPixels(of: width, height)
    let region = geometry.sampledRegion(of: area, corners)
    let output = geometry.cut.size
    if let part = region.wholePixels, (part.width, part.height) == (output.width, output.height) {
      self.init(
        sourceWidth: width, sourceHeight: height,
        crop: .init(x: part.x, y: part.y, width: part.width, height: part.height))
      return
    }
    self.init(
      sourceWidth: width, sourceHeight: height, crop: crop,
      geometry: ResizeGeometry(
        sourceWidth: crop.width, sourceHeight: crop.height,
        region: .init(
          x: region.x - Double(crop.x), y: region.y - Double(crop.y), width: region.width, height: region.height),
        outputWidth: output.width, outputHeight: output.height))
  }
}

extension RenditionProcessor {
  /// `true` if the result is the sampled image.
  fileprivate func changesOnlySize(hasAlpha: Bool) -> Bool {
    geometry.canvas == .init(geometry.cut.size.width, geometry.cut.size.height) && !options.hasEffects
      && options.watermark == nil && (options.background == nil || !hasAlpha)
  }
}
