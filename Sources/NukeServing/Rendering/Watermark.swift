public import Nuke
import NukeImaging

/// An image that a server lays over those it sends, given to a ``Renderer`` once.
public struct Watermark: Sendable {
  /// Names the image in keys; must differ for different images.
  public let id: String
  package let image: PlatformImage
  package let opacity: Double

  /// - Parameters:
  ///   - image: the image, with its own transparency.
  ///   - id: names it in keys; must differ for different images.
  ///   - opacity: from 0 to 1; what a URL asks for is a part of it.
  public init(image: PlatformImage, id: String, opacity: Double = 1) {
    self.image = image
    self.id = id
    self.opacity = opacity > 0 ? min(opacity, 1) : 0
  }

  /// The image with the watermark over it; itself where nothing of that is to be seen, and `nil` without memory.
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

  /// Returns the watermark scaled to fit into a fraction of the image; unscaled for 0.
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

/// The positions of copies of one image side by side, from the upper left on.
private struct Tiles {
  let stepX: Int
  let stepY: Int
  /// `true` if each second row is moved by half a step.
  let isChessboard: Bool

  func places(in whole: RenditionGeometry.Size) -> some Sequence<(x: Int, y: Int)> {
    stride(from: 0, to: whole.height, by: stepY).lazy.flatMap { y in
      let isMoved = isChessboard && y / stepY % 2 == 1
      return stride(from: isMoved ? stepX / 2 - stepX : 0, to: whole.width, by: stepX).lazy.map { (x: $0, y: y) }
    }
  }
}
