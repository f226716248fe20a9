package import Foundation
package import NukeCodecs
package import NukeServing

/// What a worker does, one order at a time.
package protocol WorkerAnswering {
  /// Bytes of decoded images that a file takes at most.
  func decodedBytes(_ request: RenditionRequest, _ source: Data) throws(ServingError) -> Int
  func render(_ request: RenditionRequest, _ source: Data) throws(ServingError) -> WorkerResult
  func facts(_ source: Data) throws(ServingError) -> ImageFacts
}

/// What is sent for an image.
package enum WorkerResult: Sendable {
  case file(RenderedFile)
  /// The source as it is.
  case source(ImageFormat)
}
