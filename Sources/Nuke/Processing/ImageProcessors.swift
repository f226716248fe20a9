import NukeImaging

/// The processors that come with the package.
public enum ImageProcessors {}

extension ImageProcessors {
  /// Several processors as one, applied in order.
  public struct Composition: ImageProcessing, Hashable, CustomStringConvertible, DecodeTargeting {
    let processors: [any ImageProcessing]

    /// A processor that applies `processors` one after the other.
    public init(_ processors: [any ImageProcessing]) { self.processors = processors }

    public func process(_ image: PlatformImage) -> PlatformImage? {
      processors.reduce(image as PlatformImage?) { image, processor in image.flatMap(processor.process) }
    }

    public func process(_ container: ImageContainer, context: ImageProcessingContext) throws -> ImageContainer {
      try processors.reduce(container) { container, processor in try processor.process(container, context: context) }
    }

    public var identifier: String { processors.map(\.identifier).joined(separator: ",") }
    public var hashableIdentifier: AnyHashable { AnyHashable(self) }

    var decodeTarget: DecodeTarget? { (processors.first as? any DecodeTargeting)?.decodeTarget }

    public static func == (lhs: Composition, rhs: Composition) -> Bool {
      lhs.processors.elementsEqual(rhs.processors) { $0.hashableIdentifier == $1.hashableIdentifier }
    }

    public func hash(into hasher: inout Hasher) {
      for processor in processors { hasher.combine(processor.hashableIdentifier) }
    }

    public var description: String { "Composition(processors: \(processors))" }
  }

  /// A closure as a processor.
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
