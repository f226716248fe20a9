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
  func laid(over picture: PlatformImage, _ wanted: ImageOptions.Watermark, density: Double) -> PlatformImage? {
    let opacity = opacity * (wanted.opacity > 0 ? min(wanted.opacity, 1) : 0)
    guard opacity > 0, image.pixelWidth > 0 else { return picture }
    guard let above = scaled(wanted.scale, of: picture) else { return nil }
    let whole = RenditionGeometry.Size(picture.pixelWidth, picture.pixelHeight)
    let size = RenditionGeometry.Size(above.pixelWidth, above.pixelHeight)
    switch wanted.position {
    case .at(let place):
      let gravity = ImageOptions.Gravity(place, offset: wanted.offset)
      let (x, y) = gravity.corner(of: size, in: whole, density: density)
      guard let x = Int(exactly: x), let y = Int(exactly: y) else { return picture }
      return picture.covered(with: above, at: CollectionOfOne((x: x, y: y)), opacity: opacity)
    case .repeated, .chessboard:
      func gap(_ length: Double, _ side: Int) -> Int {
        ImageOptions.Gravity.pixels(length, of: side, density).bounded(to: side)
      }
      let tiles = Tiles(
        stepX: size.width + gap(wanted.offset.x, whole.width), stepY: size.height + gap(wanted.offset.y, whole.height),
        isChessboard: wanted.position == .chessboard)
      return picture.covered(with: above, at: tiles.places(in: whole), opacity: opacity)
    }
  }

  /// Returns the watermark scaled to fit into a fraction of the image; unscaled if the fraction is 0.
  private func scaled(_ part: Double, of picture: PlatformImage) -> PlatformImage? {
    guard part > 0 else { return image }
    let part = min(part, 1)
    let factor = min(
      Double(picture.pixelWidth) * part / Double(image.pixelWidth),
      Double(picture.pixelHeight) * part / Double(image.pixelHeight))
    return image.sampled(
      PixelRegion(x: 0, y: 0, width: Double(image.pixelWidth), height: Double(image.pixelHeight)),
      width: max(Int((Double(image.pixelWidth) * factor).rounded()), 1),
      height: max(Int((Double(image.pixelHeight) * factor).rounded()), 1))
  }
}

/// The positions of a repeated image, starting at the upper left.
private struct Tiles {
  let stepX: Int
  let stepY: Int
  /// `true` if every second row is shifted by half a step.
  let isChessboard: Bool

  func places(in whole: RenditionGeometry.Size) -> some Sequence<(x: Int, y: Int)> {
    stride(from: 0, to: whole.height, by: stepY).lazy.flatMap { y in
      let isMoved = isChessboard && y / stepY % 2 == 1
      return stride(from: isMoved ? stepX / 2 - stepX : 0, to: whole.width, by: stepX).lazy.map { (x: $0, y: y) }
    }
  }
}
