public import NukeImaging

/// One step of what is done to an image. Called on worker threads, never on the caller's.
///
/// Simple processors implement ``process(_:)`` and ``identifier``; those that need more than the image implement
/// ``process(_:context:)``.
public protocol ImageProcessing: Sendable {
  /// The processed image; `nil` if it cannot be processed.
  func process(_ image: PlatformImage) -> PlatformImage?

  /// The processed container.
  ///
  /// - Throws: whatever says best why the image cannot be processed.
  func process(_ container: ImageContainer, context: ImageProcessingContext) throws -> ImageContainer

  /// The processed image, as version 8 asks for it; `nil` if it cannot be processed. A processor written for that
  /// version implements this in place of ``process(_:)``. The context is `nil` outside of a pipeline.
  @available(*, deprecated, message: "Use process(_:)")
  func process(image: PlatformImage, context: ImageProcessingContext?) -> PlatformImage?

  /// A text that says all that decides the result. It is part of keys on disk, so it must not change between runs.
  var identifier: String { get }

  /// Identifies the processor in memory. Comparing it is cheaper than comparing the ``identifier`` if the processor is
  /// `Hashable`.
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
  /// The container with its image processed by what gives `nil` only where there is no memory.
  func processed(by process: (PlatformImage) -> PlatformImage?) throws -> ImageContainer {
    guard image.pixelWidth > 0 else { throw ImageProcessors.SizeError.emptyImage }
    return try map { image in
      guard let result = process(image) else { throw ImageProcessingError.unknown }
      return result
    }
  }
}

/// The information that a processor has beside the image.
public struct ImageProcessingContext: Sendable {
  /// The request of the load.
  public var request: ImageRequest
  /// The response before this processor.
  public var response: ImageResponse
  /// False for an early, incomplete version of the image.
  public var isCompleted: Bool

  /// A context made by a program itself, as for tests.
  public init(request: ImageRequest, response: ImageResponse, isCompleted: Bool) {
    self.request = request
    self.response = response
    self.isCompleted = isCompleted
  }
}

/// The error of a processor that has no better one.
public enum ImageProcessingError: Error, CustomStringConvertible, Sendable {
  /// The processor returned no image.
  case unknown

  public var description: String { "the processor returned no image" }
}

extension ImageProcessors {
  /// The error of a built-in processor that is given an image or a size it cannot work with.
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
      case .resultTooLarge(let width, let height, let limit):
        "the result would have \(width)x\(height) pixels, more than the \(limit) allowed"
      }
    }
  }
}
