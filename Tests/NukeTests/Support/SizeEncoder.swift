import Foundation
import Nuke

/// An encoder that writes down the size of an image and nothing else.
struct SizeEncoder: ImageEncoding {
  func encode(_ image: PlatformImage) -> Data? { Data("\(image.pixelWidth)x\(image.pixelHeight)".utf8) }
}

extension ImagePipeline {
  /// Returns once everything has been encoded and stored that was to be when this was called.
  func encodingsDone() async { await configuration.imageEncodingQueue.reached() }

  /// Loads an image, and returns once its variants have been encoded and stored.
  @discardableResult
  func loadAndStore(_ request: ImageRequest) async throws -> ImageTask {
    let task = imageTask(with: request)
    _ = try await task.response
    await encodingsDone()
    return task
  }
}
