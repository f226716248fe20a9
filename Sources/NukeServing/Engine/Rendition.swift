public import Foundation

/// The file for a ``RenditionRequest``, and the values that its response states.
public struct Rendition: Sendable {
  /// The file: an image, or the text of a placeholder.
  public var data: Data
  /// The media type of ``data``, such as `image/webp`.
  public var contentType: String
  /// The strong entity tag of ``data`` with its quotation marks. Equal data has equal tags on all machines.
  public var entityTag: String
  /// The time of the source's last change, if its server states one, in seconds since 1970.
  public var lastModified: Int?
  /// The time until which the source is fresh, in seconds since 1970; `nil` if it is not known.
  public var freshUntil: Int?
  /// The caches that the source allows to store the rendition.
  public var cacheability: Cacheability
  /// The origin of the rendition: a cache, or rendering.
  public var origin: Origin
  /// A Boolean value that indicates whether this is a degraded response: a stale or smaller rendition, because the
  /// requested one could not be rendered in time.
  public var isDegraded: Bool
  /// The sizes in pixels; `nil` for text, for a source that is sent unchanged, and for a file that an earlier version
  /// has stored.
  public var sizes: RenditionSizes?
  /// The size of the source's file in bytes; `nil` if it is not known.
  public var sourceByteCount: Int?

  public enum Origin: String, Sendable, Hashable, CaseIterable {
    /// The memory cache of this process.
    case memory
    /// A store: the disk, Redis, or S3.
    case store
    /// Rendered for another request that arrived at the same time.
    case joined
    /// Rendered for this request.
    case made
  }

  public enum Cacheability: Sendable, Hashable, CaseIterable {
    /// Shared caches and the client's own cache may store the rendition.
    case shared
    /// Only the client's own cache may store the rendition.
    case `private`
    /// No cache may store the rendition.
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
