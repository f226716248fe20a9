import NukeImaging

extension ImageProcessors {
  /// Several processors as one, applied in order.
  ///
  /// Neighbors that do the same with each pixel, as filters of color do, run in one pass over the image, and nothing is
  /// rounded to 8 bits between them: that is the result of the composition. In a request's own list of processors each
  /// ends with 8 bits, since any of them may be shared with other requests.
  public struct Composition: ImageProcessing, Hashable, CustomStringConvertible, DecodeTargeting {
    let processors: [any ImageProcessing]

    /// A processor that applies `processors` one after the other.
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

    /// Applies all processors, those of neighboring filters of color at once.
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

    public static func == (lhs: Composition, rhs: Composition) -> Bool {
      lhs.processors.elementsEqual(rhs.processors) { $0.hashableIdentifier == $1.hashableIdentifier }
    }

    public func hash(into hasher: inout Hasher) {
      for processor in processors { hasher.combine(processor.hashableIdentifier) }
    }

    public var description: String { "Composition(processors: \(processors))" }
  }
}
