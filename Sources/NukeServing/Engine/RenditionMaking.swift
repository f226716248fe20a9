/// Answers requests for images. Tests and programs may bring others.
public protocol RenditionMaking: Sendable {
  /// Returns the response to a request. Canceling the task stops waiting; the work ends with its last waiter.
  func rendition(for request: RenditionRequest) async throws(ServingError) -> Rendition
}

/// A source of renditions that can look in memory without waiting.
package protocol MemoryRenditions: RenditionMaking {
  /// Returns the rendition if it can be sent from memory, and counts it as sent; else `nil`.
  ///
  /// - Parameter byteLimit: a longer file is not given.
  func renditionInMemory(for request: RenditionRequest, byteLimit: Int) -> Rendition?
}
