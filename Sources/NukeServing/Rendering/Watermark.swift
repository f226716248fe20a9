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
  ///
  /// - Parameter options: the size, the rotation and the shadow of the watermark.
  func laid(
    over base: PlatformImage, _ wanted: ImageOptions.Watermark, _ options: ImageOptions = ImageOptions(),
    density: Double
  ) -> PlatformImage? {
    let opacity = opacity * (wanted.opacity > 0 ? min(wanted.opacity, 1) : 0)
    guard opacity > 0, image.pixelWidth > 0 else { return base }
    guard let scaled = scaled(wanted.scale, options, density, of: base),
      let turned = scaled.rotated(degrees: options.watermarkRotation.isFinite ? options.watermarkRotation : 0)
    else { return nil }
    let sigma = options.watermarkShadow * density
    let whole = RenditionGeometry.Size(base.pixelWidth, base.pixelHeight)
    // Without the margin for the shadow.
    let size = RenditionGeometry.Size(turned.pixelWidth, turned.pixelHeight)
    switch wanted.position {
    case .at(let place):
      let gravity = ImageOptions.Gravity(place, offset: wanted.offset)
      let corner = gravity.corner(of: size, in: whole, density: density)
      guard !corner.x.isNaN, !corner.y.isNaN else { return base }
      // At least one pixel stays visible.
      let x = Int(min(max(corner.x, Double(1 - size.width)), Double(whole.width - 1)))
      let y = Int(min(max(corner.y, Double(1 - size.height)), Double(whole.height - 1)))
      guard let (above, margin) = turned.shadowed(sigma: sigma) else { return nil }
      return base.covered(with: above, at: CollectionOfOne((x: x - margin, y: y - margin)), opacity: opacity)
    case .repeated, .chessboard:
      func gap(_ length: Double, _ side: Int) -> Int {
        ImageOptions.Gravity.pixels(length, of: side, density).bounded(to: side)
      }
      let tiles = Tiles(
        size: size, gapX: gap(wanted.offset.x, whole.width), gapY: gap(wanted.offset.y, whole.height),
        isChessboard: wanted.position == .chessboard)
      let positions = tiles.positions(in: whole)
      guard sigma > 0 else { return base.covered(with: turned, at: positions, opacity: opacity) }
      guard let (shadow, margin) = turned.shadow(sigma: min(sigma, tiles.longestSigma)) else { return nil }
      // On a layer of their own, so that no shadow falls on another mark, or is seen through marks that are not opaque.
      let shadows = positions.lazy.map { (x: $0.x - margin, y: $0.y - margin) }
      guard
        let layer = Bitmap(pixelWidth: whole.width, pixelHeight: whole.height, fill: { _ in })?
          .covered(with: shadow, at: shadows, opacity: 1)?
          .covered(with: turned, at: positions, opacity: 1)
      else { return nil }
      return base.covered(with: layer, at: CollectionOfOne((x: 0, y: 0)), opacity: opacity)
    }
  }

  /// Returns the watermark scaled to fit into a fraction of the image, or into the size of the options if the fraction is
  /// 0; unscaled if there is no size either. A size is at most that of the image.
  private func scaled(
    _ part: Double, _ options: ImageOptions, _ density: Double, of base: PlatformImage
  ) -> PlatformImage? {
    func side(_ length: Int) -> Double { max((Double(length) * min(part, 1)).rounded(.toNearestOrEven), 1) }
    func side(_ length: Int, _ longest: Int) -> Double {
      length > 0 ? min(max((Double(length) * density).rounded(), 1), Double(longest)) : Double(longest)
    }
    let box: (width: Double, height: Double)
    if part > 0 {
      box = (side(base.pixelWidth), side(base.pixelHeight))
    } else if options.watermarkWidth > 0 || options.watermarkHeight > 0 {
      box = (side(options.watermarkWidth, base.pixelWidth), side(options.watermarkHeight, base.pixelHeight))
    } else {
      return image
    }
    let factor = min(box.width / Double(image.pixelWidth), box.height / Double(image.pixelHeight))
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

  private var stepX: Int { size.width + gapX }
  private var stepY: Int { size.height + gapY }

  /// The largest standard deviation of a shadow: its width is then the distance of two images. So each pixel of the result
  /// is drawn at most nine times, however small the images are.
  var longestSigma: Double { Double(min(stepX, stepY)) / 3 }

  func positions(in whole: RenditionGeometry.Size) -> some Sequence<(x: Int, y: Int)> {
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
