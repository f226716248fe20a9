/// A type that answers requests for images. Tests and programs can provide their own.
public protocol RenditionMaking: Sendable {
  /// Returns the response to a request. Canceling the task stops waiting; the work ends with its last waiter.
  func rendition(for request: RenditionRequest) async throws(ServingError) -> Rendition
}

/// A source of renditions that can look in memory without suspending.
package protocol MemoryRenditions: RenditionMaking {
  /// Returns the rendition if memory has a fresh one, and counts a memory hit. Otherwise, returns `nil`.
  ///
  /// - Parameter byteLimit: the maximum size in bytes. Returns `nil` for larger files.
  func renditionInMemory(for request: RenditionRequest, byteLimit: Int) -> Rendition?
}
