public import NukeImaging

/// Transforms images. Its methods are called on worker threads, never on the caller's thread.
///
/// Simple processors implement ``process(_:)`` and ``identifier``; those that need more than the image implement
/// ``process(_:context:)``.
public protocol ImageProcessing: Sendable {
  /// Returns the processed image; `nil` if it cannot be processed.
  func process(_ image: PlatformImage) -> PlatformImage?

  /// Returns the processed container.
  ///
  /// - Throws: an error that describes why the image cannot be processed.
  func process(_ container: ImageContainer, context: ImageProcessingContext) throws -> ImageContainer

  /// Returns the processed image, by the requirement of version 8; `nil` if it cannot be processed. Processors written
  /// for that version implement it instead of ``process(_:)``. The context is `nil` outside of a pipeline.
  @available(*, deprecated, message: "Use process(_:)")
  func process(image: PlatformImage, context: ImageProcessingContext?) -> PlatformImage?

  /// A string that identifies the processor and all its parameters. It is part of keys on disk, so that it must not
  /// change between runs.
  var identifier: String { get }

  /// A value that identifies the processor in memory. If the processor is `Hashable`, comparing it is cheaper than
  /// comparing the ``identifier``.
  var hashableIdentifier: AnyHashable { get }
}

extension ImageProcessing {
  public func process(_ container: ImageContainer, context: ImageProcessingContext) throws -> ImageContainer {
    guard let image = version8.process(container.image, with: self, context) else { throw ImageProcessingError.unknown }
    var container = container
    container.image = image
    return container
  }

  public var hashableIdentifier: AnyHashable { AnyHashable(identifier) }
}

extension ImageProcessing where Self: Hashable {
  public var hashableIdentifier: AnyHashable { AnyHashable(self) }
}

extension ImageContainer {
  /// Returns the container with its image processed by a closure that returns `nil` only if memory cannot be allocated.
  func processed(by process: (PlatformImage) -> PlatformImage?) throws -> ImageContainer {
    guard image.pixelWidth > 0 else { throw ImageProcessors.SizeError.emptyImage }
    return try map { image in
      guard let result = process(image) else { throw ImageProcessingError.unknown }
      return result
    }
  }
}

/// A processor that fails only if the image is empty, or if memory cannot be allocated.
protocol SimpleProcessing: ImageProcessing {}

extension SimpleProcessing {
  public func process(_ container: ImageContainer, context: ImageProcessingContext) throws -> ImageContainer {
    try container.processed(by: process)
  }
}

/// The information that a processor receives with the image.
public struct ImageProcessingContext: Sendable {
  /// The request of the load.
  public var request: ImageRequest
  /// The response before this processor is applied.
  public var response: ImageResponse
  /// `false` for a preview.
  public var isCompleted: Bool

  /// Creates a context, for example for tests.
  public init(request: ImageRequest, response: ImageResponse, isCompleted: Bool) {
    self.request = request
    self.response = response
    self.isCompleted = isCompleted
  }
}

/// A generic processing error.
public enum ImageProcessingError: Error, CustomStringConvertible, Sendable {
  /// The processor returned no image.
  case unknown

  public var description: String { "the processor returned no image" }
}

extension ImageProcessors {
  /// The error of a built-in processor that cannot work with an image or a size.
  public enum SizeError: Error, Hashable, CustomStringConvertible, Sendable {
    /// The image has no pixels.
    case emptyImage
    /// A side of the requested size is zero, negative, infinite or not a number.
    case invalidSize(String)
    /// The requested area lies outside the image.
    case outsideImage
    /// The result would have more pixels than `limit`.
    case resultTooLarge(width: Int, height: Int, limit: Int)

    public var description: String {
      switch self {
      case .emptyImage: "the image has no pixels"
      case .invalidSize(let size): "the size \(size) is invalid; its sides must be positive numbers of pixels"
      case .outsideImage: "the requested area lies outside the image"
      case .resultTooLarge(let width, let height, _) where max(width, height) > ResizeGeometry.longestSide:
        "the result would have \(width)x\(height) pixels, and a side may have at most \(ResizeGeometry.longestSide)"
      case .resultTooLarge(let width, let height, let limit):
        "the result would have \(width)x\(height) pixels, more than the \(limit) allowed"
      }
    }
  }
}
