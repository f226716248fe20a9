public import NukeImaging

extension ImageProcessors {
  /// Blurs an image.
  ///
  /// The duration hardly depends on the radius. The image keeps its size. Edge pixels are repeated beyond the edges, so
  /// that an opaque image stays opaque.
  public struct GaussianBlur: SimpleProcessing, Hashable, CustomStringConvertible {
    private let radius: Int

    /// Creates a processor that blurs images.
    ///
    /// - Parameter radius: the standard deviation of the Gaussian in pixels, as in Core Image. Pixels up to three times
    ///   as far away contribute. Zero and negative values leave images unchanged.
    public init(radius: Int = 8) { self.radius = max(radius, 0) }

    public func process(_ image: PlatformImage) -> PlatformImage? {
      image.pixelWidth > 0 ? image.gaussianBlurred(sigma: Double(radius)) : nil
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
