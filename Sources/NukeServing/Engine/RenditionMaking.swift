/// Answers requests for images. Tests and programs may bring others.
public protocol RenditionMaking: Sendable {
  /// The answer to a request. Canceling the task gives up waiting; the work ends when nobody else waits for it.
  func rendition(for request: RenditionRequest) async throws(ServingError) -> Rendition
}
