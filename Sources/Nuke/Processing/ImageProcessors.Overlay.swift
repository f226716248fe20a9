public import Foundation
public import NukeImaging

extension ImageProcessors {
  /// Draws a second image, such as a watermark, over an image.
  public struct Overlay: ImageProcessing, CustomStringConvertible {
    private let overlay: PlatformImage
    private let gravity: ImageProcessingOptions.Gravity
    private let margin: Double
    private let opacity: Double
    private let scale: Double?
    private let mode: BlendMode
    private let id: String

    /// Creates a processor that draws `image` over images.
    ///
    /// - Parameters:
    ///   - image: the second image.
    ///   - id: identifies the second image in cache keys. It must differ for different images.
    ///   - gravity: the position of the second image.
    ///   - margin: the distance from the edges. Ignored in directions in which the second image is centered.
    ///   - unit: the unit of `margin`: pixels, or points of the current ``DisplayScale/current``.
    ///   - opacity: the opacity of the second image, from 0 to 1.
    ///   - scale: the width as a fraction of the image's width, with proportional height; `nil` to keep its size.
    ///   - mode: the blend mode.
    public init(
      image: PlatformImage, id: String, gravity: ImageProcessingOptions.Gravity = .bottomRight, margin: CGFloat = 0,
      unit: ImageProcessingOptions.Unit = .points, opacity: CGFloat = 1, scale: CGFloat? = nil,
      mode: BlendMode = .normal
    ) {
      overlay = image
      self.id = id
      self.gravity = gravity
      let pixels = margin * unit.pixelsPerUnit
      self.margin = pixels > 0 ? Double(min(pixels, 1e6)).rounded() : 0
      self.opacity = opacity > 0 ? Double(min(opacity, 1)) : 0
      self.scale = scale.flatMap { $0 > 0 && $0.isFinite ? Double($0) : nil }
      self.mode = mode
    }

    public func process(_ image: PlatformImage) -> PlatformImage? { try? lay(over: image) }

    public func process(_ container: ImageContainer, context: ImageProcessingContext) throws -> ImageContainer {
      try container.map(lay(over:))
    }

    private func lay(over image: PlatformImage) throws -> PlatformImage {
      guard image.pixelWidth > 0 else { throw SizeError.emptyImage }
      guard overlay.pixelWidth > 0, opacity > 0 else { return image }
      var above = overlay
      if let scale {
        let resize = Resize(
          width: Double(image.pixelWidth) * scale, height: nil, contentMode: .aspectFit, crop: false,
          upscale: true)
        above = try resize.resize(overlay)
      }
      let (freeX, freeY) = (image.pixelWidth - above.pixelWidth, image.pixelHeight - above.pixelHeight)
      var (x, y) = gravity.origin(freeX: freeX, freeY: freeY)
      let (left, top) = (Int(margin), Int(margin))
      // A margin pushes away from the edge that the image leans against.
      if x == 0, freeX != 0 { x = left } else if x == freeX, freeX != 0 { x -= left }
      if y == 0, freeY != 0 { y = top } else if y == freeY, freeY != 0 { y -= top }
      let placed = above.placed(x: x, y: y, width: image.pixelWidth, height: image.pixelHeight)
      guard let result = placed?.blended(over: image, mode, opacity: opacity) else {
        throw ImageProcessingError.unknown
      }
      return result.withScale(image.scale)
    }

    /// Lengths in pixels, so that it means the same on every display.
    public var identifier: String {
      let size = scale.map { "\($0)" } ?? "own"
      return "org.nuke.overlay?gravity=\(gravity),margin=\(margin),opacity=\(opacity),scale=\(size)"
        + ",mode=\(mode.rawValue),id=\(id)"
    }

    public var description: String { "Overlay(id: \(id), gravity: .\(gravity), opacity: \(opacity))" }
  }

  /// Blends an image with a solid color. Transparent pixels stay transparent.
  public struct Blend: SimpleProcessing, Hashable, CustomStringConvertible {
    private let color: PlatformColor
    private let mode: BlendMode

    /// Creates a processor that blends images with a color.
    ///
    /// - Parameters:
    ///   - color: the color. Its alpha is the opacity.
    ///   - mode: the blend mode.
    public init(color: PlatformColor, mode: BlendMode = .normal) {
      self.color = color
      self.mode = mode
    }

    public func process(_ image: PlatformImage) -> PlatformImage? { image.tinted(color, mode) }

    public var identifier: String { "org.nuke.blend?color=\(color.hex),mode=\(mode.rawValue)" }
    public var description: String { "Blend(color: \(color.hex), mode: .\(mode.rawValue))" }
  }

  /// Sharpens an image: adds its difference from a blurred version (unsharp mask).
  public struct Sharpen: SimpleProcessing, Hashable, CustomStringConvertible {
    private let radius: Double
    private let amount: Double

    /// Creates a processor that sharpens the luminance of images. Hues do not change.
    ///
    /// - Parameters:
    ///   - radius: the standard deviation of the blur in pixels. Values that are not positive leave images unchanged.
    ///   - amount: the factor for the difference, at most 100.
    public init(radius: CGFloat = 1, amount: CGFloat = 0.5) {
      self.radius = radius > 0 ? Double(radius) : 0
      self.amount = amount > 0 ? Double(min(amount, 100)) : 0
    }

    public func process(_ image: PlatformImage) -> PlatformImage? {
      image.pixelWidth > 0 ? image.sharpened(radius: radius, amount, luminance: true) : nil
    }

    public var identifier: String { "org.nuke.sharpen?radius=\(radius),amount=\(amount)" }
    public var description: String { "Sharpen(radius: \(radius), amount: \(amount))" }
  }
}

extension ImageProcessing where Self == ImageProcessors.Overlay {
  /// Draws a second image over an image. See ``ImageProcessors/Overlay``.
  public static func overlay(
    image: PlatformImage, id: String, gravity: ImageProcessingOptions.Gravity = .bottomRight, margin: CGFloat = 0,
    unit: ImageProcessingOptions.Unit = .points, opacity: CGFloat = 1, scale: CGFloat? = nil,
    mode: BlendMode = .normal
  ) -> ImageProcessors.Overlay {
    ImageProcessors.Overlay(
      image: image, id: id, gravity: gravity, margin: margin, unit: unit, opacity: opacity, scale: scale, mode: mode)
  }
}

extension ImageProcessing where Self == ImageProcessors.Blend {
  /// Blends an image with a solid color. See ``ImageProcessors/Blend``.
  public static func blend(color: PlatformColor, mode: BlendMode = .normal) -> ImageProcessors.Blend {
    ImageProcessors.Blend(color: color, mode: mode)
  }
}

extension ImageProcessing where Self == ImageProcessors.Sharpen {
  /// Sharpens an image. See ``ImageProcessors/Sharpen``.
  public static func sharpen(radius: CGFloat = 1, amount: CGFloat = 0.5) -> ImageProcessors.Sharpen {
    ImageProcessors.Sharpen(radius: radius, amount: amount)
  }
}
