import Foundation
import Nuke
import NukeCodecs
import NukeImaging

/// Applies all ``ImageOptions`` of a request to a source's pixels, as one step of the pipeline.
///
/// A processor is used for one rendition. For an animated image, decisions that depend on pixels are made with the
/// first frame and apply to all frames.
struct RenditionProcessor: ImageProcessing, DecodeTargeting {
  /// The geometry of the whole source; computed again for a trimmed one.
  let geometry: RenditionGeometry
  let options: ImageOptions
  /// The orientation of the pixels in the file, if it is applied.
  let stored: Orientation
  let isVector: Bool
  let limits: RenderLimits
  var watermark: Watermark?
  /// `true` if borders are trimmed, as ``ImageOptions/trim`` says. Borders of animated images are not trimmed.
  let trims: Bool
  private let decision = Decision()

  init(
    geometry: RenditionGeometry, options: ImageOptions, stored: Orientation = .up, isVector: Bool = false,
    isMoving: Bool = false, limits: RenderLimits = RenderLimits(), watermark: Watermark? = nil
  ) {
    self.geometry = geometry
    self.options = options
    self.stored = stored
    self.isVector = isVector
    self.limits = limits
    self.watermark = watermark
    trims = options.trim != nil && !isMoving
  }

  func process(_ image: PlatformImage) -> PlatformImage? { try? rendition(of: image) }

  func process(_ container: ImageContainer, context: ImageProcessingContext) throws -> ImageContainer {
    try container.map(rendition)
  }

  func rendition(of image: PlatformImage) throws -> PlatformImage {
    guard image.pixelWidth > 0 else { throw ImageProcessors.SizeError.emptyImage }
    let (area, geometry) = try regionAndGeometry(of: image)
    let corners = corners(in: image, area, geometry)
    guard let sampled = sampled(image, area, geometry, corners) else { throw ImageProcessingError.unknown }
    // Areas to blur are fractions of the whole image, also if it is trimmed.
    let whole =
      trims ? PixelRegion(x: 0, y: 0, width: Double(image.pixelWidth), height: Double(image.pixelHeight)) : area
    return try finished(sampled, geometry, blurring: blurredParts(of: whole, area, geometry, corners))
  }

  /// Returns the sampled image with effects, on its canvas.
  private func finished(
    _ sampled: PlatformImage, _ geometry: RenditionGeometry, blurring parts: [PixelRegion]
  ) throws -> PlatformImage {
    guard let blurred = sampled.blurred(parts, sigma: options.blurAreas?.sigma ?? 0),
      let adjusted = adjusted(blurred, geometry), let result = laidOut(adjusted, geometry)
    else { throw ImageProcessingError.unknown }
    return result
  }

  /// Returns the image that was sampled while it was decoded, with effects, on its canvas. The position of its parts does
  /// not depend on the pixels.
  func finished(_ sampled: PlatformImage) throws -> PlatformImage {
    let whole = PixelRegion(
      x: 0, y: 0, width: Double(geometry.source.width), height: Double(geometry.source.height))
    let parts = geometry.corners.map { blurredParts(of: whole, whole, geometry, $0) }
    return try finished(sampled, geometry, blurring: parts ?? [])
  }

  /// Returns the parts of the sampled image to blur.
  ///
  /// - Parameters:
  ///   - whole: the region of the decoded pixels whose fractions the options contain.
  ///   - area: the region of the decoded pixels that the source of the geometry covers.
  private func blurredParts(
    of whole: PixelRegion, _ area: PixelRegion, _ geometry: RenditionGeometry, _ corners: Corners
  ) -> [PixelRegion] {
    (options.blurAreas?.areas ?? []).map { part in
      let region = PixelRegion(
        x: whole.x + part.x * whole.width, y: whole.y + part.y * whole.height, width: part.width * whole.width,
        height: part.height * whole.height)
      return geometry.sampled(region, of: area, corners)
    }
  }

  /// Returns the region of the decoded pixels that the source covers, and its geometry.
  private func regionAndGeometry(of image: PlatformImage) throws -> (PixelRegion, RenditionGeometry) {
    guard trims, let trim = options.trim else {
      return (geometry.area(decodedAs: image.pixelWidth, image.pixelHeight), geometry)
    }
    if let part = image.withoutBorder(trim) {
      let geometry = try RenditionGeometry(
        source: .init(part.width, part.height), options: options, stored: stored, isVector: isVector, limits: limits)
      try limits.check(trimmed: geometry, of: image)
      let area = PixelRegion(
        x: Double(part.x), y: Double(part.y), width: Double(part.width), height: Double(part.height))
      return (area, geometry)
    }
    try limits.check(trimmed: geometry, of: image)
    return (geometry.area(decodedAs: image.pixelWidth, image.pixelHeight), geometry)
  }

  /// Returns the image after cropping, scaling, cutting and rotating.
  private func sampled(
    _ image: PlatformImage, _ area: PixelRegion, _ geometry: RenditionGeometry, _ corners: Corners
  ) -> PlatformImage? {
    // Crop before sampling, so that pixels outside the crop are not blended into its edges.
    let (crop, part) = (geometry.croppedRegion(of: area, corners), geometry.sampledRegion(of: area, corners))
    guard let (image, x, y) = image.view(of: crop) else { return nil }
    let region = PixelRegion(x: part.x - Double(x), y: part.y - Double(y), width: part.width, height: part.height)
    let swaps = geometry.turn.swapsAxes
    let (width, height) = (geometry.cut.size.width, geometry.cut.size.height)
    return image.sampled(region, width: swaps ? height : width, height: swaps ? width : height)?.turned(geometry.turn)
  }

  private func corners(in image: PlatformImage, _ area: PixelRegion, _ geometry: RenditionGeometry) -> Corners {
    if let known = geometry.corners { return known }
    return decision.corners { geometry.corners(in: image, area) }
  }

  /// Returns the image on its canvas, with the background, the colors over it, and the watermark.
  private func laidOut(_ image: PlatformImage, _ geometry: RenditionGeometry) -> PlatformImage? {
    let canvas = geometry.canvas
    let fill = options.background?.premultipliedBytes ?? [0, 0, 0, 0]
    let result = options.background.map(image.laid) ?? image
    let placed = result?.placed(
      x: canvas.x, y: canvas.y, width: canvas.size.width, height: canvas.size.height,
      fill: (fill[0], fill[1], fill[2], fill[3]))
    let covered = placed.flatMap(covered)
    guard let wanted = options.watermark, let watermark else { return covered }
    return covered.flatMap { watermark.laid(over: $0, wanted, options, density: geometry.density) }
  }

  // MARK: Decoding

  var decodeTarget: DecodeTarget? {
    // Borders are detected in the full-size pixels of the source.
    if trims {
      return DecodeTarget(isAsStored: !options.autoRotates, reduction: { _, _, _ in 1 }, drawing: { _, _ in nil })
    }
    return DecodeTarget(isAsStored: !options.autoRotates) { [geometry] available, _, _ in
      geometry.scaleDenominator(of: available)
    } drawing: { [geometry] _, _ in
      geometry.drawnSize
    }
  }

  // MARK: Identifier

  var identifier: String {
    "org.nuke.rendition?" + options.pixelText + (watermark.map { ",id=\($0.id)" } ?? "")
  }

  var hashableIdentifier: AnyHashable { AnyHashable(identifier) }
}

/// The decision made with the first frame, which all other frames share.
private final class Decision: Sendable {
  private let corners = Lock<Corners?>(nil)

  func corners(_ find: () -> Corners) -> Corners {
    corners.withLock { decided in
      let result = decided ?? find()
      decided = result
      return result
    }
  }
}

extension Bitmap {
  /// Returns the image over a uniform color, which may be transparent. Returns `nil` if memory cannot be allocated.
  fileprivate func laid(over color: Color) -> Bitmap? {
    isOpaque ? self : Bitmap.even(color, width: pixelWidth, height: pixelHeight).flatMap { blended(over: $0, .normal) }
  }
}
