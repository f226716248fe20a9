/// A maker that may have an answer at hand, for those who cannot wait.
package protocol RenditionsAtHand: RenditionMaking {
  /// Returns the rendition if it can be sent from memory, and counts it as sent; else `nil`.
  ///
  /// - Parameter byteLimit: a longer file is not given.
  func renditionAtHand(for request: RenditionRequest, byteLimit: Int) -> Rendition?
}
