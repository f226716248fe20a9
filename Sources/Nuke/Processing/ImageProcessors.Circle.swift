public import NukeImaging

extension ImageProcessors {
  /// Crops the center of an image to a circle.
  ///
  /// The result is a square with the length of the shorter side, transparent outside of the circle. Edges are
  /// antialiased.
  public struct Circle: SimpleProcessing, Hashable, CustomStringConvertible {
    private let border: ImageProcessingOptions.Border?

    /// Creates a processor that crops images to circles.
    ///
    /// - Parameter border: a line along the inside of the circle.
    public init(border: ImageProcessingOptions.Border? = nil) { self.border = border }

    public func process(_ image: PlatformImage) -> PlatformImage? {
      let radius = RoundedShape.Corner(radius: .infinity)
      return image.croppedToSquare()?.clipped(to: .init(all: radius), outline: border?.outline)
    }

    /// Lengths in pixels, so that it means the same on every display.
    public var identifier: String { "org.nuke.circle?border=\(border?.identifier ?? "none")" }

    public var description: String { "Circle(border: \(border?.description ?? "nil"))" }
  }
}

extension ImageProcessing where Self == ImageProcessors.Circle {
  /// Crops the center of an image to a circle. See ``ImageProcessors/Circle``.
  public static func circle(border: ImageProcessingOptions.Border? = nil) -> ImageProcessors.Circle {
    ImageProcessors.Circle(border: border)
  }
}
