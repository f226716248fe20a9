public import Foundation
public import NukeImaging

extension ImageProcessors {
  /// Rounds the corners of an image.
  ///
  /// Resize the image to the size of its view first, as the radius applies to the image. Edges are antialiased.
  public struct RoundedCorners: SimpleProcessing, Hashable, CustomStringConvertible {
    /// The radii in pixels.
    private let topLeft: Double
    private let topRight: Double
    private let bottomLeft: Double
    private let bottomRight: Double
    private let border: ImageProcessingOptions.Border?

    /// Creates a processor that rounds all corners by the same radius.
    ///
    /// - Parameters:
    ///   - radius: the corner radius, at most half of the shorter side. Values that are not positive leave corners
    ///     square.
    ///   - unit: the unit of `radius`: pixels, or points of the current ``DisplayScale/current``.
    ///   - border: a line along the inside of the edge.
    public init(
      radius: CGFloat, unit: ImageProcessingOptions.Unit = .points, border: ImageProcessingOptions.Border? = nil
    ) {
      self.init(
        topLeft: radius, topRight: radius, bottomLeft: radius, bottomRight: radius, unit: unit, border: border)
    }

    /// Creates a processor that rounds each corner by its own radius.
    ///
    /// If two radii exceed the length of a side, all are reduced by the same factor, as in CSS.
    ///
    /// - Parameters:
    ///   - topLeft: the radius. Values that are not positive leave the corner square; likewise for the others.
    ///   - topRight: a radius.
    ///   - bottomLeft: a radius.
    ///   - bottomRight: a radius.
    ///   - unit: the unit of the radii: pixels, or points of the current ``DisplayScale/current``.
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
