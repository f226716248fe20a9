/// A maker that may have an answer at hand, for those who cannot wait.
package protocol RenditionsAtHand: RenditionMaking {
  /// What may be sent at once, and counts as sent; `nil` if that takes more than a look into memory.
  ///
  /// - Parameter byteLimit: a longer file is not given.
  func renditionAtHand(for request: RenditionRequest, byteLimit: Int) -> Rendition?
}
