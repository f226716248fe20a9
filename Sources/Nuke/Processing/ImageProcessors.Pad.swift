public import Foundation
public import NukeImaging

extension ImageProcessors {
  /// Extends an image to a larger canvas, without scaling.
  public struct Pad: ImageProcessing, Hashable, CustomStringConvertible {
    private let width: Double
    private let height: Double
    private let color: PlatformColor
    private let gravity: ImageProcessingOptions.Gravity

    /// Creates a processor that extends images to at least `size`.
    ///
    /// - Parameters:
    ///   - size: the size of the canvas, rounded to whole pixels. A side on which the image is longer stays unchanged.
    ///   - unit: the unit of `size`: pixels, or points of the current ``DisplayScale/current``.
    ///   - color: the color around the image. It does not fill transparent pixels of the image.
    ///   - gravity: the position of the image on the canvas.
    public init(
      size: CGSize, unit: ImageProcessingOptions.Unit = .points, color: PlatformColor = .clear,
      gravity: ImageProcessingOptions.Gravity = .center
    ) {
      let factor = unit.pixelsPerUnit
      func length(_ value: CGFloat) -> Double { value > 0 ? Double((value * factor).rounded()) : 0 }
      width = length(size.width)
      height = length(size.height)
      self.color = color
      self.gravity = gravity
    }

    public func process(_ image: PlatformImage) -> PlatformImage? { try? pad(image) }

    public func process(_ container: ImageContainer, context: ImageProcessingContext) throws -> ImageContainer {
      try container.map(pad)
    }

    private func pad(_ image: PlatformImage) throws -> PlatformImage {
      guard image.pixelWidth > 0 else { throw SizeError.emptyImage }
      let (wide, high) = (max(width, Double(image.pixelWidth)), max(height, Double(image.pixelHeight)))
      let limit = ResizeGeometry.defaultPixelLimit
      guard wide * high <= Double(limit), max(wide, high) <= Double(ResizeGeometry.longestSide) else {
        throw SizeError.resultTooLarge(
          width: Int(min(wide, 1e18)), height: Int(min(high, 1e18)), limit: limit)
      }
      let (columns, rows) = (Int(wide), Int(high))
      let (x, y) = gravity.origin(freeX: columns - image.pixelWidth, freeY: rows - image.pixelHeight)
      let fill = color.premultipliedBytes
      guard
        let result = image.placed(
          x: x, y: y, width: columns, height: rows, fill: (fill[0], fill[1], fill[2], fill[3]))
      else { throw ImageProcessingError.unknown }
      return result
    }

    /// Lengths in pixels, so that it means the same on every display.
    public var identifier: String { "org.nuke.pad?s=\(width)x\(height),color=\(color.hex),gravity=\(gravity)" }
    public var description: String {
      "Pad(size: \(width)x\(height) pixels, color: \(color.hex), gravity: .\(gravity))"
    }
  }

  /// Composites an image over a solid color, so that the result is opaque. An opaque image is unchanged.
  public struct Flatten: SimpleProcessing, Hashable, CustomStringConvertible {
    private let color: PlatformColor

    /// Creates a processor that composites images over `color`. The alpha of the color is ignored.
    public init(color: PlatformColor = .white) { self.color = color.withAlphaComponent(1) }

    public func process(_ image: PlatformImage) -> PlatformImage? {
      image.pixelWidth > 0 ? image.flattened(color) : nil
    }

    public var identifier: String { "org.nuke.flatten?color=\(color.hex)" }
    public var description: String { "Flatten(color: \(color.hex))" }
  }
}

extension ImageProcessing where Self == ImageProcessors.Pad {
  /// Extends an image to a larger canvas. See ``ImageProcessors/Pad``.
  public static func pad(
    size: CGSize, unit: ImageProcessingOptions.Unit = .points, color: PlatformColor = .clear,
    gravity: ImageProcessingOptions.Gravity = .center
  ) -> ImageProcessors.Pad {
    ImageProcessors.Pad(size: size, unit: unit, color: color, gravity: gravity)
  }
}

extension ImageProcessing where Self == ImageProcessors.Flatten {
  /// Composites an image over a solid color. See ``ImageProcessors/Flatten``.
  public static func flatten(color: PlatformColor = .white) -> ImageProcessors.Flatten {
    ImageProcessors.Flatten(color: color)
  }
}
