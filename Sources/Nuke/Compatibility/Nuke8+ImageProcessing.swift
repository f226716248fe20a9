public import NukeImaging

// A processor implements `process(_:)` or the requirement of version 8. The default implementation of each calls the
// other. A type that implements neither gets a compiler warning, and processes nothing.

extension ImageProcessing {
  /// Returns the image that `process(image:context:)` returns, for processors that implement the requirement of
  /// version 8.
  @available(*, deprecated, message: "Implement process(_:) in place of process(image:context:)")
  public func process(_ image: PlatformImage) -> PlatformImage? {
    Version8Processing.$type.withValue(ObjectIdentifier(Self.self)) { process(image: image, context: nil) }
  }

  /// Returns the image that `process(_:)` returns; `nil` if the processor implements neither method.
  public func process(image: PlatformImage, context: ImageProcessingContext?) -> PlatformImage? {
    // In a type that implements neither, the two default implementations would call each other without end.
    Version8Processing.type == ObjectIdentifier(Self.self) ? nil : process(image)
  }
}

private enum Version8Processing {
  /// The type whose own `process(image:context:)` is wanted, since it has no `process(_:)`.
  @TaskLocal static var type: ObjectIdentifier?
}

/// Calls a method that is deprecated for programs, without a warning in the pipeline.
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
