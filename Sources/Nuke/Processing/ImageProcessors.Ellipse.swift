public import NukeImaging

extension ImageProcessors {
  /// Crops an image to the ellipse that fills it, transparent outside of it. Edges are antialiased.
  public struct Ellipse: SimpleProcessing, Hashable, CustomStringConvertible {
    private let border: ImageProcessingOptions.Border?

    /// Creates a processor that crops images to ellipses.
    ///
    /// - Parameter border: a line along the inside of the ellipse.
    public init(border: ImageProcessingOptions.Border? = nil) { self.border = border }

    public func process(_ image: PlatformImage) -> PlatformImage? {
      let corner = RoundedShape.Corner(width: Double(image.pixelWidth) / 2, height: Double(image.pixelHeight) / 2)
      return image.clipped(to: .init(all: corner), outline: border?.outline)
    }

    public var identifier: String { "org.nuke.ellipse?border=\(border?.identifier ?? "none")" }
    public var description: String { "Ellipse(border: \(border?.description ?? "nil"))" }
  }

  /// Draws a line along the inside of an image's edges.
  public struct Border: SimpleProcessing, Hashable, CustomStringConvertible {
    private let border: ImageProcessingOptions.Border

    /// Creates a processor that draws `border`. Its width is limited to half of the shorter side.
    public init(_ border: ImageProcessingOptions.Border) { self.border = border }

    public func process(_ image: PlatformImage) -> PlatformImage? {
      image.clipped(to: .init(all: .init(radius: 0)), outline: border.outline)
    }

    public var identifier: String { "org.nuke.border?border=\(border.identifier)" }
    public var description: String { "Border(\(border))" }
  }
}

extension ImageProcessing where Self == ImageProcessors.Ellipse {
  /// Crops an image to the ellipse that fills it. See ``ImageProcessors/Ellipse``.
  public static func ellipse(border: ImageProcessingOptions.Border? = nil) -> ImageProcessors.Ellipse {
    ImageProcessors.Ellipse(border: border)
  }
}

extension ImageProcessing where Self == ImageProcessors.Border {
  /// Draws a line along the inside of an image's edges. See ``ImageProcessors/Border``.
  public static func border(_ border: ImageProcessingOptions.Border) -> ImageProcessors.Border {
    ImageProcessors.Border(border)
  }
}
