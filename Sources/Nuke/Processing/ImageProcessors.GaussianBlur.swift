public import NukeImaging

extension ImageProcessors {
  /// Blurs an image.
  ///
  /// The time it takes hardly depends on the radius. The image keeps its size; beyond its edges it goes on as the
  /// pixels there, so an opaque image stays opaque.
  public struct GaussianBlur: ImageProcessing, Hashable, CustomStringConvertible {
    private let radius: Int

    /// A processor that blurs images.
    ///
    /// - Parameter radius: the standard deviation of the Gaussian in pixels, as Core Image counts it: what lies up to
    ///   three times as far away is mixed in. Zero and below leave images as they are.
    public init(radius: Int = 8) { self.radius = max(radius, 0) }

    public func process(_ image: PlatformImage) -> PlatformImage? {
      image.pixelWidth > 0 ? image.gaussianBlurred(sigma: Double(radius)) : nil
    }

    public func process(_ container: ImageContainer, context: ImageProcessingContext) throws -> ImageContainer {
      try container.processed(by: process)
    }

    public var identifier: String { "org.nuke.gaussian_blur?radius=\(radius)" }

    public var description: String { "GaussianBlur(radius: \(radius))" }
  }
}

extension ImageProcessing where Self == ImageProcessors.GaussianBlur {
  /// Blurs an image. See ``ImageProcessors/GaussianBlur``.
  public static func gaussianBlur(radius: Int = 8) -> ImageProcessors.GaussianBlur {
    ImageProcessors.GaussianBlur(radius: radius)
  }
}
