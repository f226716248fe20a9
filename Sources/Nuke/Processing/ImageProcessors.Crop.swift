public import Foundation
public import NukeImaging

extension ImageProcessors {
  /// Crops an image, without scaling.
  public struct Crop: ImageProcessing, Hashable, CustomStringConvertible {
    private enum Part: Hashable {
      case rect(x: Double, y: Double, width: Double, height: Double)
      case size(width: Double, height: Double, ImageProcessingOptions.Gravity)
    }

    private let part: Part

    /// Creates a processor that crops to a rectangle.
    ///
    /// - Parameters:
    ///   - rect: the rectangle, relative to the upper left corner of the image and rounded to whole pixels. Parts
    ///     outside of the image are ignored. If it does not intersect the image, processing fails.
    ///   - unit: the unit of `rect`: pixels, or points of the current ``DisplayScale/current``.
    public init(rect: CGRect, unit: ImageProcessingOptions.Unit = .points) {
      let factor = Double(unit.pixelsPerUnit)
      func length(_ value: CGFloat) -> Double { value.isNaN ? 0 : Double(value) * factor }
      part = .rect(
        x: length(rect.origin.x), y: length(rect.origin.y), width: length(rect.size.width),
        height: length(rect.size.height))
    }

    /// Creates a processor that crops to a size.
    ///
    /// - Parameters:
    ///   - size: the size, rounded to whole pixels, at least 1. A side that is longer than that of the image, or not a
    ///     positive number, leaves that side unchanged.
    ///   - unit: the unit of `size`: pixels, or points of the current ``DisplayScale/current``.
    ///   - gravity: the part of the image to keep.
    public init(
      size: CGSize, unit: ImageProcessingOptions.Unit = .points, gravity: ImageProcessingOptions.Gravity = .center
    ) {
      let factor = Double(unit.pixelsPerUnit)
      func length(_ value: CGFloat) -> Double { value > 0 ? Double(value) * factor : .infinity }
      part = .size(width: length(size.width), height: length(size.height), gravity)
    }

    public func process(_ image: PlatformImage) -> PlatformImage? { try? crop(image) }

    public func process(_ container: ImageContainer, context: ImageProcessingContext) throws -> ImageContainer {
      try container.map(crop)
    }

    private func crop(_ image: PlatformImage) throws -> PlatformImage {
      guard image.pixelWidth > 0 else { throw SizeError.emptyImage }
      let (x, y, width, height) = place(in: image)
      guard width > 0, height > 0 else { throw SizeError.outsideImage }
      guard let result = image.cropped(x: x, y: y, width: width, height: height) else {
        throw ImageProcessingError.unknown
      }
      return result
    }

    private func place(in image: PlatformImage) -> (x: Int, y: Int, width: Int, height: Int) {
      switch part {
      case .rect(let x, let y, let width, let height):
        func bounded(_ edge: Double, _ limit: Int) -> Int {
          edge.isNaN ? 0 : Int(min(max(edge.rounded(), 0), Double(limit)))
        }
        let (left, right) = (bounded(x, image.pixelWidth), bounded(x + width, image.pixelWidth))
        let (top, bottom) = (bounded(y, image.pixelHeight), bounded(y + height, image.pixelHeight))
        return (left, top, right - left, bottom - top)
      case .size(let width, let height, let gravity):
        let columns = Int(min(max(width.rounded(), 1), Double(image.pixelWidth)))
        let rows = Int(min(max(height.rounded(), 1), Double(image.pixelHeight)))
        let (x, y) = gravity.origin(width: columns, height: rows, in: image)
        return (x, y, columns, rows)
      }
    }

    /// Lengths in pixels, so that it means the same on every display.
    public var identifier: String {
      switch part {
      case .rect(let x, let y, let width, let height): "org.nuke.crop?x=\(x),y=\(y),s=\(width)x\(height)"
      case .size(let width, let height, let gravity): "org.nuke.crop?s=\(width)x\(height),gravity=\(gravity)"
      }
    }

    public var description: String {
      switch part {
      case .rect(let x, let y, let width, let height): "Crop(rect: \(x), \(y), \(width)x\(height) pixels)"
      case .size(let width, let height, let gravity): "Crop(size: \(width)x\(height) pixels, gravity: .\(gravity))"
      }
    }
  }
}

extension ImageProcessing where Self == ImageProcessors.Crop {
  /// Crops to a rectangle. See ``ImageProcessors/Crop``.
  public static func crop(rect: CGRect, unit: ImageProcessingOptions.Unit = .points) -> ImageProcessors.Crop {
    ImageProcessors.Crop(rect: rect, unit: unit)
  }

  /// Crops to a size. See ``ImageProcessors/Crop``.
  public static func crop(
    size: CGSize, unit: ImageProcessingOptions.Unit = .points, gravity: ImageProcessingOptions.Gravity = .center
  ) -> ImageProcessors.Crop {
    ImageProcessors.Crop(size: size, unit: unit, gravity: gravity)
  }
}
