public import Foundation
public import NukeImaging

extension ImageProcessors {
  /// Rounds the corners of a picture.
  ///
  /// Resize the picture to the size of its view first: the radius counts on the picture. Edges are smooth: a pixel keeps
  /// as much as the shape covers of it.
  public struct RoundedCorners: ImageProcessing, Hashable, CustomStringConvertible {
    /// In pixels.
    private let radius: Double
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
      let pixels = Double(radius * unit.pixelsPerUnit)
      self.radius = pixels > 0 ? pixels : 0
      self.border = border
    }

    public func process(_ image: PlatformImage) -> PlatformImage? {
      image.clipped(to: .init(all: .init(radius: radius)), outline: border?.outline)
    }

    public func process(_ container: ImageContainer, context: ImageProcessingContext) throws -> ImageContainer {
      try container.processed(by: process)
    }

    /// Lengths in pixels, so that it means the same on every display.
    public var identifier: String {
      "org.nuke.rounded_corners?radius=\(radius),border=\(border?.identifier ?? "none")"
    }

    public var hashableIdentifier: AnyHashable { AnyHashable(self) }

    public var description: String {
      "RoundedCorners(radius: \(radius) pixels, border: \(border?.description ?? "nil"))"
    }
  }
}

extension ImageProcessing where Self == ImageProcessors.RoundedCorners {
  /// Rounds the corners of a picture. See ``ImageProcessors/RoundedCorners``.
  public static func roundedCorners(
    radius: CGFloat, unit: ImageProcessingOptions.Unit = .points, border: ImageProcessingOptions.Border? = nil
  ) -> ImageProcessors.RoundedCorners {
    ImageProcessors.RoundedCorners(radius: radius, unit: unit, border: border)
  }
}
