public import NukeImaging

extension ImageProcessors {
  /// Cuts the middle of an image to a circle.
  ///
  /// The result is a square of the image's shorter side, transparent around the circle that fills it. Edges are smooth:
  /// a pixel keeps as much as the circle covers of it.
  public struct Circle: ImageProcessing, Hashable, CustomStringConvertible {
    private let border: ImageProcessingOptions.Border?

    /// A processor that cuts images to circles.
    ///
    /// - Parameter border: a line along the inside of the circle.
    public init(border: ImageProcessingOptions.Border? = nil) { self.border = border }

    public func process(_ image: PlatformImage) -> PlatformImage? {
      let radius = RoundedShape.Corner(radius: .infinity)
      return image.croppedToSquare()?.clipped(to: .init(all: radius), outline: border?.outline)
    }

    public func process(_ container: ImageContainer, context: ImageProcessingContext) throws -> ImageContainer {
      try container.processed(by: process)
    }

    /// Lengths in pixels, so that it means the same on every display.
    public var identifier: String { "org.nuke.circle?border=\(border?.identifier ?? "none")" }

    public var description: String { "Circle(border: \(border?.description ?? "nil"))" }
  }
}

extension ImageProcessing where Self == ImageProcessors.Circle {
  /// Cuts the middle of an image to a circle. See ``ImageProcessors/Circle``.
  public static func circle(border: ImageProcessingOptions.Border? = nil) -> ImageProcessors.Circle {
    ImageProcessors.Circle(border: border)
  }
}
