import NukeImaging

/// The built-in processors.
public enum ImageProcessors {}

extension ImageProcessors {
  /// A processor that calls a closure.
  public struct Anonymous: ImageProcessing, CustomStringConvertible {
    public let identifier: String
    private let closure: @Sendable (PlatformImage) -> PlatformImage?

    /// A processor that calls `closure`, on worker threads. `id` must differ for closures that do different things.
    public init(id: String, _ closure: @escaping @Sendable (PlatformImage) -> PlatformImage?) {
      identifier = id
      self.closure = closure
    }

    public func process(_ image: PlatformImage) -> PlatformImage? { closure(image) }

    public var description: String { "AnonymousProcessor(identifier: \(identifier))" }
  }
}

extension ImageProcessing where Self == ImageProcessors.Anonymous {
  /// A processor that calls `closure`, on worker threads. `id` must differ for closures that do different things.
  public static func process(
    id: String, _ closure: @escaping @Sendable (PlatformImage) -> PlatformImage?
  ) -> ImageProcessors.Anonymous {
    ImageProcessors.Anonymous(id: id, closure)
  }
}
