public import Foundation
import Nuke
package import NukeCodecs

/// Renders the file for a request from a source's data. The result depends only on the request, the source and the
/// renderer's settings, so equal requests have equal bytes. A value type that is cheap to copy.
public struct Renderer: Sendable {
  public private(set) var limits: RenderLimits
  public let settings: RenderSettings
  package let watermark: Watermark?
  /// The number of pixels from which a source is decoded in bands.
  var leastPixelCountOfBands: Int?

  /// - Parameters:
  ///   - limits: the limits of sources and results.
  ///   - settings: the settings for everything that a URL leaves open.
  ///   - watermark: the image for ``ImageOptions/watermark``; `nil` for none.
  public init(
    limits: RenderLimits = RenderLimits(), settings: RenderSettings = RenderSettings(), watermark: Watermark? = nil
  ) {
    self.limits = limits
    self.settings = settings
    self.watermark = watermark
  }

  /// Identifies the settings that affect files. Renderers with equal identifiers render equal files, also in other
  /// processes.
  public var identifier: String {
    // Increase this number when the same options produce different pixels.
    let version = 4
    let qualities = settings.qualities.map { "\($0.key.rawValue)\($0.value)" }.sorted().joined(separator: ",")
    let efforts = settings.efforts.map { "\($0.key.rawValue)\($0.value)" }.sorted().joined(separator: ",")
    let switches = [
      settings.writesProgressiveJPEG, settings.stripsMetadata, settings.keepsCopyright, settings.keepsLocation,
      settings.sendsSVG,
    ].map { $0 ? "1" : "0" }.joined()
    let mark = watermark.map { "\($0.id):\($0.opacity)" } ?? ""
    // Left out by default, so that the identifiers of earlier versions remain valid.
    var more = settings.watermarkOpacity == 1 ? "" : ";wmu\(settings.watermarkOpacity)"
    if settings.usesThumbnails { more += ";eth" }
    if let count = settings.colorCountOfPNG { more += ";pngo\(count)" }
    if let count = limits.maximumFramePixels { more += ";mafr\(count)" }
    if settings.preferredFormats != RenderSettings().preferredFormats {
      more += ";pf" + settings.preferredFormats.map(\.rawValue).joined(separator: ",")
    }
    return "\(version);\(qualities);\(efforts);\(settings.longestSide ?? 0);\(switches);"
      + "\(limits.maximumAnimationFrames)x\(limits.maximumAnimationPixels);\(mark)\(more)"
  }

  /// Returns the plan for a request. Reads the source's header and decodes nothing.
  ///
  /// - Parameters:
  ///   - request: the requested file.
  ///   - source: the whole file of the source.
  ///   - watermark: the whole file of ``ImageOptions/watermarkSource``; `nil` to draw the renderer's own watermark.
  /// - Throws: ``ServingError/notAnImage(_:)``, ``ServingError/tooLarge(_:)``, ``ServingError/cannotWrite(_:)``.
  public func plan(
    for request: RenditionRequest, source: Data, watermark: Data? = nil
  ) throws(ServingError) -> RenderPlan {
    try plan(for: request, source: source, watermark: watermark, reader: nil)
  }

  /// - Parameter reader: a reader of the source within the renderer's limits; `nil` to open the source.
  package func plan(
    for request: RenditionRequest, source: Data, watermark: Data?, reader: (any ImageReader)?
  ) throws(ServingError) -> RenderPlan {
    var renderer = self
    renderer.limits = limits.lowered(by: request.options.limits)
    // The limits of a URL may be lower.
    let reader = renderer.limits.source == limits.source ? reader : nil
    var plan = try renderer.plannedWithOwnLimits(request, source, reader)
    guard plan.drawsWatermark else { return plan }
    if let text = request.options.watermarkText {
      let isScaled =
        request.options.watermark?.scale ?? 0 > 0 || request.options.watermarkWidth > 0
        || request.options.watermarkHeight > 0
      plan.draw(try watermarkReader(try WatermarkText(text).drawing(isScaled: isScaled)))
    } else if let watermark {
      plan.draw(try watermarkReader(watermark))
    } else if request.options.watermarkSource != nil {
      throw .failed("the watermark was not loaded")
    }
    return plan
  }

  /// Returns the reader of a watermark. The limits of the server apply, and not those of the URL, which are for sources.
  private func watermarkReader(_ file: Data) throws(ServingError) -> any ImageReader {
    do throws(ServingError) {
      _ = try format(of: file)
      return try reader(of: file)
    } catch {
      throw error.ofWatermark
    }
  }

  private func plannedWithOwnLimits(
    _ request: RenditionRequest, _ source: Data, _ opened: (any ImageReader)?
  ) throws(ServingError) -> RenderPlan {
    var (source, opened) = (source, opened)
    let sourceFormat = try format(of: source)
    if request.output == .facts {
      return RenderPlan(
        source: source, sourceFormat: sourceFormat, format: nil, predictedByteCount: 0,
        work: .facts(try facts(of: source)), options: request.options, reader: nil)
    }
    var options = request.options
    options.format = request.format ?? options.format
    // A format that was negotiated, and that the URL does not name, is no reason to process a source that is skipped.
    if sendsSource(sourceFormat, request.options) {
      return RenderPlan(
        source: source, sourceFormat: sourceFormat, format: sourceFormat, predictedByteCount: 0, work: .none,
        options: options, reader: nil)
    }
    if let style = options.style, sourceFormat == .svg { (source, opened) = (try styled(source, style), nil) }
    let reader = if let opened { opened } else { try reader(of: source) }
    try limits.check(framesOf: reader.header)
    guard let thumbnail = thumbnail(in: reader, options) else {
      return try plan(for: request, options, reader, source, sourceFormat)
    }
    var plan = try plan(for: request, options, thumbnail, source, sourceFormat)
    plan.isOfThumbnail = true
    return plan
  }

  /// Returns a drawing with a style sheet.
  private func styled(_ source: Data, _ style: String) throws(ServingError) -> Data {
    #if SVG
      do throws(CodecError) {
        return try SVGReader.styled(source, style)
      } catch {
        throw ServingError(loading: error)
      }
    #else
      return source
    #endif
  }

  /// Returns the reader of the thumbnail in a HEIC or AVIF file, if it is to be rendered in place of the image; `nil` if
  /// there is none, or if its orientation is not known.
  private func thumbnail(in reader: any ImageReader, _ options: ImageOptions) -> (any ImageReader)? {
    guard options.usesThumbnail ?? settings.usesThumbnails, [.heic, .avif].contains(reader.header.format),
      let thumbnail = reader.thumbnailReader(limits: limits.source),
      reader.header.orientation == .up || thumbnail.header.exif?.orientation != nil
    else { return nil }
    return thumbnail
  }

  /// - Parameter options: the options of the request, with its format.
  private func plan(
    for request: RenditionRequest, _ options: ImageOptions, _ reader: any ImageReader, _ source: Data,
    _ sourceFormat: ImageFormat
  ) throws(ServingError) -> RenderPlan {
    var options = options
    var reader = try videoFrames(of: reader, options)
    if let placeholder = options.placeholder {
      // A placeholder needs few pixels.
      if options.width == 0, options.height == 0 { (options.width, options.height) = (128, 128) }
      let reader = try pages(of: reader, options)
      let processor = try processor(for: options, reader, isMoving: false)
      return RenderPlan(
        source: source, sourceFormat: sourceFormat, format: nil,
        predictedByteCount: predictedByteCount(processor, reader, frameCount: 1),
        work: .placeholder(placeholder, processor), options: options, reader: reader)
    }
    if let formats = options.bestFormats { return try plan(forBestOf: formats, options, reader, source, sourceFormat) }
    if let moving = request.movingFormat, try movingFrameCount(reader, moving, options) > 1 { options.format = moving }
    // By default GIF, the animated format that every client supports.
    if options.format == nil, !settings.preferredFormats.contains(sourceFormat),
      let moving = settings.preferredFormats.first(where: \.isMovable),
      try movingFrameCount(reader, moving, options) > 1
    {
      options.format = moving
    }
    let format = try writtenFormat(sourceFormat, options)
    let frameCount = try movingFrameCount(reader, format, options)
    if frameCount == 1 { reader = try pages(of: reader, options) }
    let written = format.map { [$0] } ?? [true, false].map(settings.preferredFormat(isOpaque:))
    let processor = try processor(
      for: options, reader, isMoving: frameCount > 1, longestSide: written.compactMap(\.longestSide).min())
    let bands = frameCount > 1 ? nil : bands(processor, reader, format, options)
    var plan = RenderPlan(
      source: source, sourceFormat: sourceFormat, format: format,
      predictedByteCount: predictedByteCount(processor, reader, frameCount: frameCount, bands),
      work: .image(processor, frameCount: frameCount), options: options, reader: reader)
    plan.bands = bands
    return plan
  }

  /// Returns the plan for the smallest of several files.
  private func plan(
    forBestOf formats: [ImageFormat], _ options: ImageOptions, _ reader: any ImageReader, _ source: Data,
    _ sourceFormat: ImageFormat
  ) throws(ServingError) -> RenderPlan {
    let writable = formats.filter { $0.isWritable && $0.libraryFailure == nil }
    let movable = writable.filter(\.isMovable)
    let frameCount = try movingFrameCount(reader, movable.first, options)
    // A still GIF has at most 256 colors.
    let candidates = frameCount > 1 ? movable : writable.filter { $0 != .gif }
    let reader = frameCount > 1 ? reader : try pages(of: reader, options)
    let processor = try processor(
      for: options, reader, isMoving: frameCount > 1, longestSide: candidates.compactMap(\.longestSide).min())
    var plan = RenderPlan(
      source: source, sourceFormat: sourceFormat, format: nil,
      predictedByteCount: predictedByteCount(processor, reader, frameCount: frameCount),
      work: .image(processor, frameCount: frameCount), options: options, reader: reader)
    plan.candidates = candidates
    return plan
  }

  private func bands(
    _ processor: RenditionProcessor, _ reader: any ImageReader, _ format: ImageFormat?, _ options: ImageOptions
  ) -> RenderPlan.Bands? {
    let result = processor.geometry.result
    var writer: (any ImageWriter)?
    // With a maximum size, the result is encoded several times.
    if let format, options.maximumBytes == nil, options.autoQuality == nil {
      let encoding = encoding(for: format, options, reader, width: result.width, height: result.height)
      writer = try? ImageWriters.writer(for: format, options: encoding)
    }
    return RenderPlan.Bands(processor, reader, writer: writer, leastPixelCount: leastPixelCountOfBands)
  }

  // MARK: The source

  private func format(of source: Data) throws(ServingError) -> ImageFormat {
    try limits.check(sourceBytes: source.count)
    guard let format = ImageFormat(sniffing: source) else {
      throw ServingError(loading: CodecError.unrecognizedFormat(looksLike: ImageFormat.name(ofUnrecognized: source)))
    }
    return format
  }

  package func reader(of source: Data) throws(ServingError) -> any ImageReader {
    do throws(CodecError) {
      return try ImageReaders.reader(for: source, limits: limits.source)
    } catch {
      throw ServingError(loading: error)
    }
  }

  /// Returns `true` if the URL requests the unchanged source, and the settings allow it.
  private func sendsSource(_ format: ImageFormat, _ options: ImageOptions) -> Bool {
    let isAsked =
      options.isRaw || options.skippedFormats.contains(format) && (options.format ?? format) == format
    return isAsked && (format != .svg || settings.sendsSVG)
  }

  // MARK: The result

  /// The requested format, or the source's own if it is preferred, or that of a transparent image for a drawing, whose
  /// edges JPEG would blur; `nil` if transparency decides, by default between JPEG and PNG.
  private func writtenFormat(_ own: ImageFormat, _ options: ImageOptions) throws(ServingError) -> ImageFormat? {
    guard let wanted = options.format else {
      if settings.preferredFormats.contains(own) { return own }
      let transparent = settings.preferredFormat(isOpaque: false)
      return own == .svg || settings.preferredFormat(isOpaque: true) == transparent ? transparent : nil
    }
    guard wanted.isWritable else { throw .cannotWrite(wanted.displayName) }
    return wanted
  }

  /// Returns the number of frames of the result: 1 if the source or the format is not animated, if the options disable
  /// animation, or if all frames together have too many pixels. A video has one frame in the result, unless the options select several.
  private func movingFrameCount(
    _ reader: any ImageReader, _ format: ImageFormat?, _ options: ImageOptions
  ) throws(ServingError) -> Int {
    guard let format, !options.disablesAnimation,
      !reader.header.format.isVideo || reader is VideoFramesReader,
      let count = reader.header.frameCount.map({ min($0, limits.maximumAnimationFrames) }), count > 1, format.isMovable
    else { return 1 }
    let result = try processor(
      for: options, reader, isMoving: true, longestSide: format.longestSide
    ).geometry.result
    let pixels = max(
      Double(reader.header.storedWidth) * Double(reader.header.storedHeight),
      Double(result.width) * Double(result.height))
    return pixels * Double(count) <= Double(limits.maximumAnimationPixels) ? count : 1
  }

  /// - Parameter longestSide: the maximum side of the result. A larger result is scaled down.
  func processor(
    for options: ImageOptions, _ reader: any ImageReader, isMoving: Bool, longestSide: Int? = nil
  ) throws(ServingError) -> RenditionProcessor {
    let header = reader.header
    var options = options
    let size =
      options.autoRotates
      ? RenditionGeometry.Size(header.pixelWidth, header.pixelHeight)
      : RenditionGeometry.Size(header.storedWidth, header.storedHeight)
    if let longest = [options.limits.resultSide, settings.longestSide, longestSide].compactMap({ $0 }).min() {
      options = try options.scaledDown(to: longest, of: size, isVector: reader.isVector)
    }
    let stored = options.autoRotates ? header.orientation : .up
    let geometry = try RenditionGeometry(
      source: size, options: options, stored: stored, isVector: reader.isVector, limits: limits)
    return RenditionProcessor(
      geometry: geometry, options: options, stored: stored, isVector: reader.isVector, isMoving: isMoving,
      limits: limits,
      watermark: watermark)
  }

  // MARK: Memory

  /// Predicts the memory for the decoded pixels, the cropped and sampled pixels, and two images of the result's size,
  /// the input and output of one step. An animated image has two canvases and three frames at a time.
  private func predictedByteCount(
    _ processor: RenditionProcessor, _ reader: any ImageReader, frameCount: Int, _ bands: RenderPlan.Bands? = nil
  ) -> Int {
    let geometry = processor.geometry
    if let bands {
      let result = geometry.result.width * geometry.result.height
      let sampled = bands.sampling.outputWidth * bands.sampling.outputHeight
      return bands.byteCount + (bands.transcoder == nil ? (sampled + 2 * result) * 4 : 0)
    }
    let source = Double(geometry.source.width) * Double(geometry.source.height)
    if processor.trims { return predictedByteCount(trimming: processor, reader, pixelCount: source) }
    let decoded =
      if reader.isVector {
        Double(geometry.drawnSize.width) * Double(geometry.drawnSize.height)
      } else {
        reader.pixelCount(scaleDenominator: geometry.scaleDenominator(of: reader.scaleDenominators))
      }
    let crop = Double(geometry.crop.size.width) * Double(geometry.crop.size.height)
    let cropped = crop < source ? decoded * crop / source : 0
    let sampled = Double(geometry.cut.size.width) * Double(geometry.cut.size.height)
    let result = Double(geometry.result.width) * Double(geometry.result.height)
    let working = Double(reader.workingByteCount) * (reader.isVector ? decoded / source : 1)
    // Turned, a watermark has up to twice its pixels, and a shadow needs three images of this size and its margin.
    let marks = processor.options.watermark != nil && processor.options.turnsWatermark ? 8 * result + 1_500_000 : 0
    let pixels = marks + decoded * (frameCount > 1 ? 3 : 1) + cropped + sampled + result * (frameCount > 1 ? 3 : 2)
    return Int(min(pixels * 4 + working, 1e18))
  }

  /// Predicts the memory if borders are trimmed: for the largest possible result, but at most the limit. The actual
  /// size is checked after trimming, before more memory is allocated.
  private func predictedByteCount(
    trimming processor: RenditionProcessor, _ reader: any ImageReader, pixelCount: Double
  ) -> Int {
    let geometry = processor.geometry
    let result = max(
      Double(geometry.result.width) * Double(geometry.result.height),
      RenditionGeometry.largestTrimmedPixelCount(
        of: geometry.source, processor.options, isVector: reader.isVector, limits))
    let most = RenditionGeometry.trimmedByteCount(source: pixelCount, result: result)
    let least = RenditionGeometry.trimmedByteCount(source: pixelCount, result: 1)
    let pixels = max(min(most, Double(limits.maximumTrimmingBytes)), least)
    return Int(min(pixels + Double(reader.workingByteCount), 1e18))
  }
}

extension ImageReader {
  fileprivate func pixelCount(scaleDenominator: Int) -> Double {
    let (width, height) = pixelSize(scaleDenominator: scaleDenominator)
    return Double(width) * Double(height)
  }
}

extension ImageFormat {
  /// `true` if animations stay animated in this format. This excludes PNG, whose files are many times as large as WebP,
  /// and for which clients may expect a still image, as imgproxy sends it. It excludes AVIF and JPEG XL
  /// too, which take many times as long to encode.
  var isMovable: Bool {
    ![.png, .avif, .jxl].contains(self) && (try? ImageWriters.writer(for: self)) is any AnimationWriter
  }

  /// The maximum side of an image in the format, in pixels; `nil` if it is larger than all results.
  fileprivate var longestSide: Int? {
    switch self {
    case .ico: ICOWriter.longestSide
    case .webp: 16_383
    case .jpeg: 65_500
    case .gif: 65_535
    default: nil
    }
  }
}

extension ImageOptions {
  /// Returns the options with ``dpr`` reduced so that no side of the result is longer.
  fileprivate func scaledDown(
    to longest: Int, of source: RenditionGeometry.Size, isVector: Bool
  ) throws(ServingError) -> ImageOptions {
    var limits = RenderLimits()
    (limits.maximumResultSide, limits.maximumResultPixels) = (.max, .max)
    var options = self
    // Sides are rounded, so that it takes more than one step at times.
    for _ in 1...8 {
      let geometry = try RenditionGeometry(source: source, options: options, isVector: isVector, limits: limits)
      let side = max(geometry.result.width, geometry.result.height)
      guard side > longest else { return options }
      options.dpr = geometry.density / geometry.densityPerDPR * Double(longest) / Double(side)
    }
    throw .tooLarge("it cannot be scaled down to \(longest) pixels a side")
  }
}
