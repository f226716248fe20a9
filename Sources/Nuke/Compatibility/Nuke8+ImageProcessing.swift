public import NukeImaging

// A processor implements `process(_:)` or the requirement of version 8. The default implementation of each calls the
// other. A type that implements neither gets a compiler warning, and processes nothing.

extension ImageProcessing {
  /// The processed image, by what a processor of version 8 implements.
  @available(*, deprecated, message: "Implement process(_:) in place of process(image:context:)")
  public func process(_ image: PlatformImage) -> PlatformImage? {
    Version8Processing.$type.withValue(ObjectIdentifier(Self.self)) { process(image: image, context: nil) }
  }

  /// The processed image.
  public func process(image: PlatformImage, context: ImageProcessingContext?) -> PlatformImage? {
    // In a type that implements neither, the two default implementations would call each other without end.
    Version8Processing.type == ObjectIdentifier(Self.self) ? nil : process(image)
  }
}

private enum Version8Processing {
  /// The type whose own `process(image:context:)` is wanted, since it has no `process(_:)`.
  @TaskLocal static var type: ObjectIdentifier?
}

/// Calls what is deprecated for users, where the pipeline has to.
protocol Version8ProcessorCalling: Sendable {
  func process(
    _ image: PlatformImage, with processor: any ImageProcessing, _ context: ImageProcessingContext
  ) -> PlatformImage?
}

let version8: any Version8ProcessorCalling = Version8ProcessorCalls()

private struct Version8ProcessorCalls: Version8ProcessorCalling {
  @available(*, deprecated)
  func process(
    _ image: PlatformImage, with processor: any ImageProcessing, _ context: ImageProcessingContext
  ) -> PlatformImage? { processor.process(image: image, context: context) }
}
