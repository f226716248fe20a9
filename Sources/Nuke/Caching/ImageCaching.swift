/// A cache of decoded images in memory for the pipeline. It is called on any thread, and often, so it should be fast.
public protocol ImageCaching: AnyObject, Sendable {
  /// The image of `key`. Setting stores it, `nil` removes it.
  subscript(key: ImageCacheKey) -> ImageContainer? { get set }
  /// Removes all images.
  func removeAll()
}

/// The key of an image in a memory cache: the original, the scale and the processors.
public struct ImageCacheKey: Hashable, Sendable {
  let identity: RequestIdentity
  let processorCount: Int

  /// A key of the program's own.
  public init(key: String) {
    identity = RequestIdentity(customKey: key)
    processorCount = 0
  }

  /// The key of the image that `request` asks for, with all its processors applied.
  public init(request: ImageRequest) {
    let identity = request.storage.identity
    self.init(identity, processorCount: identity.processorCount)
  }

  /// A key of the program's own that is not a text. It equals no other kind of key.
  package init(value: AnyHashable) { self.init(RequestIdentity(customKey: value), processorCount: 1) }

  /// The value of a key that was made of one.
  package var value: AnyHashable? {
    identity.isCustomKey && processorCount == 1 ? identity.processors[0] : nil
  }

  init(_ identity: RequestIdentity, processorCount: Int) {
    self.identity = identity
    self.processorCount = processorCount
  }

  /// Worked out when the identity was made; the hash of a dictionary is made of it.
  var imageHash: Int { identity.imageHash(processorCount: processorCount) }

  public static func == (lhs: ImageCacheKey, rhs: ImageCacheKey) -> Bool {
    lhs.processorCount == rhs.processorCount
      && lhs.identity.hasSameImage(as: rhs.identity, processorCount: lhs.processorCount)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(imageHash) }
}
