/// Answers requests for images. Tests and programs may bring others.
public protocol RenditionMaking: Sendable {
  /// The answer to a request. Canceling the task gives up waiting; the work ends when nobody else waits for it.
  func rendition(for request: RenditionRequest) async throws(ServingError) -> Rendition
}

/// A maker that may have an answer at hand, for those who cannot wait.
package protocol MemoryRenditions: RenditionMaking {
  /// Returns the rendition if it can be sent from memory, and counts it as sent; else `nil`.
  ///
  /// - Parameter byteLimit: a longer file is not given.
  func renditionInMemory(for request: RenditionRequest, byteLimit: Int) -> Rendition?
}
