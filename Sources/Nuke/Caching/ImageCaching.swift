/// A memory cache for decoded images. The pipeline calls it frequently and from any thread, so it should be fast.
public protocol ImageCaching: AnyObject, Sendable {
  /// The image of `key`. Setting an image stores it; setting `nil` removes it.
  subscript(key: ImageCacheKey) -> ImageContainer? { get set }
  /// Removes all images.
  func removeAll()
}

/// The key of an image in a memory cache: the original, the scale and the processors.
public struct ImageCacheKey: Hashable, Sendable {
  let identity: RequestIdentity
  let processorCount: Int

  /// Creates a custom key.
  public init(key: String) {
    identity = RequestIdentity(customKey: key)
    processorCount = 0
  }

  /// Creates the key of the image for `request`, with all of its processors applied.
  public init(request: ImageRequest) {
    let identity = request.storage.identity
    self.init(identity, processorCount: identity.processorCount)
  }

  /// Creates a custom key from any hashable value. It never equals a key of another kind.
  package init(value: AnyHashable) { self.init(RequestIdentity(customKey: value), processorCount: 1) }

  /// The value of a custom key.
  package var value: AnyHashable? {
    identity.isCustomKey && processorCount == 1 ? identity.processors[0] : nil
  }

  init(_ identity: RequestIdentity, processorCount: Int) {
    self.identity = identity
    self.processorCount = processorCount
  }

  /// The hash, computed when the identity was created.
  var imageHash: Int { identity.imageHash(processorCount: processorCount) }

  public static func == (lhs: ImageCacheKey, rhs: ImageCacheKey) -> Bool {
    lhs.processorCount == rhs.processorCount
      && lhs.identity.hasSameImage(as: rhs.identity, processorCount: lhs.processorCount)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(imageHash) }
}
