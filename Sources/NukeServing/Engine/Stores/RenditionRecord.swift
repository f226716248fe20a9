import Foundation
import NukeHTTPCaching

/// A stored rendition, with the values needed to evaluate its freshness.
struct RenditionRecord: Sendable {
  /// The rendition as it was rendered.
  private(set) var rendition: Rendition
  private(set) var freshness: RenditionFreshness
  /// Identifies the source data that the rendition was rendered from.
  let source: SourceMark
  /// The response fields of the source.
  let sourceFields: SourceFields

  init(
    _ rendition: Rendition, freshness: RenditionFreshness, source: SourceMark,
    sourceFields: SourceFields = SourceFields()
  ) {
    self.rendition = rendition
    self.freshness = freshness
    self.source = source
    self.sourceFields = sourceFields
    self.rendition.freshUntil = freshness.freshUntil.seconds
    self.rendition.cacheability = freshness.cacheability
    self.rendition.sourceByteCount = source.count
  }

  /// The record of a rendition that must not be shared, without the rendition itself. In a shared store, it tells other
  /// nodes not to wait for each other's renditions.
  static func unshared(_ check: SourceCheck, now: Timestamp) -> RenditionRecord {
    var freshness = RenditionFreshness(
      checkedAt: now, freshUntil: Timestamp(milliseconds: now.milliseconds + unsharedSeconds * 1000))
    freshness.cacheability = check.freshness.cacheability
    return RenditionRecord(
      Rendition(data: Data(), contentType: "", entityTag: ""), freshness: freshness, source: check.mark)
  }

  /// The time for which nodes do not wait, in seconds.
  private static let unsharedSeconds = 60

  /// `false` if the record contains no rendition, because shared caches must not store it.
  var isShared: Bool { freshness.cacheability == .shared }

  /// Returns the record after a validation that found the source unchanged.
  func renewed(by check: SourceCheck) -> RenditionRecord {
    var renewed = RenditionRecord(rendition, freshness: check.freshness, source: source, sourceFields: check.fields)
    if let lastModified = check.lastModified { renewed.rendition.lastModified = lastModified }
    return renewed
  }

  func rendition(from origin: Rendition.Origin, isDegraded: Bool = false) -> Rendition {
    var rendition = rendition
    rendition.origin = origin
    rendition.isDegraded = isDegraded
    return rendition
  }
}
