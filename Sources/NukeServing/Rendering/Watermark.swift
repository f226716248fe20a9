public import Nuke
import NukeImaging

/// An image that a ``Renderer`` draws over its results.
public struct Watermark: Sendable {
  /// Identifies the image in keys. Different images must have different IDs.
  public let id: String
  package let image: PlatformImage
  package let opacity: Double

  /// - Parameters:
  ///   - image: the image, which may be transparent.
  ///   - id: identifies the image in keys. Different images must have different IDs.
  ///   - opacity: from 0 to 1. It is multiplied by the opacity in the URL.
  public init(image: PlatformImage, id: String, opacity: Double = 1) {
    self.image = image
    self.id = id
    self.opacity = opacity > 0 ? min(opacity, 1) : 0
  }

  /// Returns the image with the watermark drawn over it. Returns the image itself if the watermark is invisible, and
  /// `nil` if memory cannot be allocated.
  func laid(over base: PlatformImage, _ wanted: ImageOptions.Watermark, density: Double) -> PlatformImage? {
    let opacity = opacity * (wanted.opacity > 0 ? min(wanted.opacity, 1) : 0)
    guard opacity > 0, image.pixelWidth > 0 else { return base }
    guard let above = scaled(wanted.scale, of: base) else { return nil }
    let whole = RenditionGeometry.Size(base.pixelWidth, base.pixelHeight)
    let size = RenditionGeometry.Size(above.pixelWidth, above.pixelHeight)
    switch wanted.position {
    case .at(let place):
      let gravity = ImageOptions.Gravity(place, offset: wanted.offset)
      let corner = gravity.corner(of: size, in: whole, density: density)
      guard !corner.x.isNaN, !corner.y.isNaN else { return base }
      // At least one pixel stays visible.
      let x = Int(min(max(corner.x, Double(1 - size.width)), Double(whole.width - 1)))
      let y = Int(min(max(corner.y, Double(1 - size.height)), Double(whole.height - 1)))
      return base.covered(with: above, at: CollectionOfOne((x: x, y: y)), opacity: opacity)
    case .repeated, .chessboard:
      func gap(_ length: Double, _ side: Int) -> Int {
        ImageOptions.Gravity.pixels(length, of: side, density).bounded(to: side)
      }
      let tiles = Tiles(
        size: size, gapX: gap(wanted.offset.x, whole.width), gapY: gap(wanted.offset.y, whole.height),
        isChessboard: wanted.position == .chessboard)
      return base.covered(with: above, at: tiles.positions(in: whole), opacity: opacity)
    }
  }

  /// Returns the watermark scaled to fit into a fraction of the image; unscaled if the fraction is 0.
  private func scaled(_ part: Double, of base: PlatformImage) -> PlatformImage? {
    guard part > 0 else { return image }
    let part = min(part, 1)
    func side(_ length: Int) -> Double { max((Double(length) * part).rounded(.toNearestOrEven), 1) }
    let factor = min(
      side(base.pixelWidth) / Double(image.pixelWidth), side(base.pixelHeight) / Double(image.pixelHeight))
    return image.sampled(
      PixelRegion(x: 0, y: 0, width: Double(image.pixelWidth), height: Double(image.pixelHeight)),
      width: max(Int((Double(image.pixelWidth) * factor).rounded()), 1),
      height: max(Int((Double(image.pixelHeight) * factor).rounded()), 1))
  }
}

/// The positions of a repeated image, one of which is in the center.
private struct Tiles {
  let size: RenditionGeometry.Size
  /// The pixels between two images.
  let gapX: Int
  let gapY: Int
  /// `true` if every second row is shifted by half a step.
  let isChessboard: Bool

  func positions(in whole: RenditionGeometry.Size) -> some Sequence<(x: Int, y: Int)> {
    let (stepX, stepY) = (size.width + gapX, size.height + gapY)
    let (left, top) = (Self.start(stepX, gapX, in: whole.width), Self.start(stepY, gapY, in: whole.height))
    return stride(from: top, to: whole.height, by: stepY).lazy.flatMap { y in
      let isMoved = isChessboard && (y - top) / stepY % 2 == 1
      return stride(from: isMoved ? left + stepX / 2 - stepX : left, to: whole.width, by: stepX).lazy.map {
        (x: $0, y: y)
      }
    }
  }

  /// Returns the position of the first image. There is an odd number of them, each in the middle of its gap.
  private static func start(_ step: Int, _ gap: Int, in side: Int) -> Int {
    let count = (side - 1) / step + 1
    return gap / 2 - ((count | 1) * step - side) / 2
  }
}
