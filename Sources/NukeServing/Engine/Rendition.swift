public import Foundation

/// The file for a ``RenditionRequest``, and the facts that its response states.
public struct Rendition: Sendable {
  /// The file: an image, or text for a placeholder.
  public var data: Data
  /// Its media type, such as `image/webp`.
  public var contentType: String
  /// The strong entity tag of ``data`` with its quotation marks: equal bytes have equal tags, on all machines.
  public var entityTag: String
  /// The time of the source's last change, if its server states one, in seconds since 1970.
  public var lastModified: Int?
  /// Until when the source is fresh, in seconds since 1970; `nil` if nothing is known of it.
  public var freshUntil: Int?
  /// The caches that may store it, as the source says.
  public var cacheability: Cacheability
  /// The place where it was found, or that it was rendered.
  public var origin: Origin
  /// A Boolean value that indicates whether less was made than was asked for because there was no time: a stale or a
  /// smaller one.
  public var isDegraded: Bool

  public enum Origin: String, Sendable, Hashable, CaseIterable {
    /// In this process.
    case memory
    /// In a store: on disk, in Redis, or in S3.
    case store
    /// Made for another client that asked at the same time.
    case joined
    /// Made for this request.
    case made
  }

  public enum Cacheability: Sendable, Hashable, CaseIterable {
    /// Caches that serve many clients too.
    case shared
    /// The client that asked, alone.
    case `private`
    case none
  }

  public init(
    data: Data, contentType: String, entityTag: String, lastModified: Int? = nil, freshUntil: Int? = nil,
    cacheability: Cacheability = .shared, origin: Origin = .made, isDegraded: Bool = false
  ) {
    self.data = data
    self.contentType = contentType
    self.entityTag = entityTag
    self.lastModified = lastModified
    self.freshUntil = freshUntil
    self.cacheability = cacheability
    self.origin = origin
    self.isDegraded = isDegraded
  }
}
