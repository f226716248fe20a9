public import Foundation
public import NukeImaging

extension ImageProcessors {
  /// Rounds the corners of an image.
  ///
  /// Resize the image to the size of its view first: the radius counts on the image. Edges are smooth: a pixel keeps as
  /// much as the shape covers of it.
  public struct RoundedCorners: ImageProcessing, Hashable, CustomStringConvertible {
    /// In pixels.
    private let topLeft: Double
    private let topRight: Double
    private let bottomLeft: Double
    private let bottomRight: Double
    private let border: ImageProcessingOptions.Border?

    /// A processor that rounds corners.
    ///
    /// - Parameters:
    ///   - radius: of the quarters of circles at the corners. At most half of the shorter side is used; zero, a negative
    ///     value, and what is no number, leave corners square.
    ///   - unit: whether `radius` is in points (of ``DisplayScale/current`` at this moment) or pixels.
    ///   - border: a line along the inside of the edge.
    public init(
      radius: CGFloat, unit: ImageProcessingOptions.Unit = .points, border: ImageProcessingOptions.Border? = nil
    ) {
      self.init(
        topLeft: radius, topRight: radius, bottomLeft: radius, bottomRight: radius, unit: unit, border: border)
    }

    /// A processor that rounds each corner by a radius of its own.
    ///
    /// Where two of them would meet all are made smaller by the same factor, as CSS does.
    ///
    /// - Parameters:
    ///   - topLeft: a radius; zero, a negative value, and what is no number, leave the corner square, as in the others.
    ///   - topRight: a radius.
    ///   - bottomLeft: a radius.
    ///   - bottomRight: a radius.
    ///   - unit: whether radii are in points (of ``DisplayScale/current`` at this moment) or pixels.
    ///   - border: a line along the inside of the edge.
    public init(
      topLeft: CGFloat = 0, topRight: CGFloat = 0, bottomLeft: CGFloat = 0, bottomRight: CGFloat = 0,
      unit: ImageProcessingOptions.Unit = .points, border: ImageProcessingOptions.Border? = nil
    ) {
      let factor = unit.pixelsPerUnit
      func pixels(_ radius: CGFloat) -> Double { radius > 0 ? Double(radius * factor) : 0 }
      self.topLeft = pixels(topLeft)
      self.topRight = pixels(topRight)
      self.bottomLeft = pixels(bottomLeft)
      self.bottomRight = pixels(bottomRight)
      self.border = border
    }

    public func process(_ image: PlatformImage) -> PlatformImage? {
      let corners = RoundedShape.Corners(
        topLeft: .init(radius: topLeft), topRight: .init(radius: topRight), bottomLeft: .init(radius: bottomLeft),
        bottomRight: .init(radius: bottomRight))
      return image.clipped(to: corners, outline: border?.outline)
    }

    public func process(_ container: ImageContainer, context: ImageProcessingContext) throws -> ImageContainer {
      try container.processed(by: process)
    }

    /// One number where all are equal.
    private var radii: String {
      let all = [topLeft, topRight, bottomLeft, bottomRight]
      return (Set(all).count == 1 ? [topLeft] : all).map { "\($0)" }.joined(separator: "/")
    }

    /// Lengths in pixels, so that it means the same on every display.
    public var identifier: String {
      "org.nuke.rounded_corners?radius=\(radii),border=\(border?.identifier ?? "none")"
    }

    public var description: String {
      "RoundedCorners(radius: \(radii) pixels, border: \(border?.description ?? "nil"))"
    }
  }
}

extension ImageProcessing where Self == ImageProcessors.RoundedCorners {
  /// Rounds the corners of an image. See ``ImageProcessors/RoundedCorners``.
  public static func roundedCorners(
    radius: CGFloat, unit: ImageProcessingOptions.Unit = .points, border: ImageProcessingOptions.Border? = nil
  ) -> ImageProcessors.RoundedCorners {
    ImageProcessors.RoundedCorners(radius: radius, unit: unit, border: border)
  }
}
