import NukeImaging

extension ImageProcessors {
  /// Combines several processors, which are applied in order.
  ///
  /// Adjacent color filters run in a single pass over the image, without rounding to 8 bits between them. This
  /// precision is a property of the composition: in a request's list of processors, each result has 8 bits, as other
  /// requests may share it.
  public struct Composition: ImageProcessing, Hashable, CustomStringConvertible, DecodeTargeting {
    let processors: [any ImageProcessing]

    /// Creates a processor that applies `processors` in order.
    public init(_ processors: [any ImageProcessing]) { self.processors = processors }

    public func process(_ image: PlatformImage) -> PlatformImage? {
      try? run(ImageContainer(image: image)) { container, processor in
        guard let image = processor.process(container.image) else { throw ImageProcessingError.unknown }
        return container.map { _ in image }
      }.image
    }

    public func process(_ container: ImageContainer, context: ImageProcessingContext) throws -> ImageContainer {
      try run(container) { container, processor in try processor.process(container, context: context) }
    }

    /// Applies all processors. Adjacent color filters are combined.
    private func run(
      _ container: ImageContainer, apply: (ImageContainer, any ImageProcessing) throws -> ImageContainer
    ) throws -> ImageContainer {
      var container = container
      var index = 0
      while index < processors.count {
        let (stages, next) = try colorStages(from: index, for: container.image)
        if next > index + 1 {
          container = try container.processed(by: { $0.applying(stages) })
          index = next
        } else {
          container = try apply(container, processors[index])
          index += 1
        }
      }
      return container
    }

    /// Returns the stages of the color filters from `index` on, and the index of the first processor that is not one.
    private func colorStages(from index: Int, for image: PlatformImage) throws -> (stages: [ColorStage], next: Int) {
      var stages: [ColorStage] = []
      var next = index
      while next < processors.count, let processor = processors[next] as? any ColorProcessing,
        let more = try processor.colorStages(width: image.pixelWidth, height: image.pixelHeight)
      {
        stages += more
        next += 1
      }
      return (stages, next)
    }

    public var identifier: String { processors.map(\.identifier).joined(separator: ",") }

    package var decodeTarget: DecodeTarget? { (processors.first as? any DecodeTargeting)?.decodeTarget }

    package func resolved(width: Int, height: Int) -> Self {
      guard let first = processors.first as? any DecodeTargeting else { return self }
      return Self([first.resolved(width: width, height: height)] + processors.dropFirst())
    }

    public static func == (lhs: Composition, rhs: Composition) -> Bool {
      lhs.processors.elementsEqual(rhs.processors) { $0.hashableIdentifier == $1.hashableIdentifier }
    }

    public func hash(into hasher: inout Hasher) {
      for processor in processors { hasher.combine(processor.hashableIdentifier) }
    }

    public var description: String { "Composition(processors: \(processors))" }
  }
}
