import Foundation
import NukeHTTPCaching

/// A stored rendition, with the values needed to evaluate its freshness.
struct RenditionRecord: Sendable {
  /// The rendition as it was rendered.
  private(set) var rendition: Rendition
  private(set) var freshness: RenditionFreshness
  /// Identifies the source data that the rendition was rendered from.
  let source: SourceVersion
  /// The response fields of the source.
  let sourceFields: SourceFields
  /// The failure of the last attempt to validate or load the source, which applies to all nodes for a short time.
  private(set) var failure: SharedFailure?
  /// The last purge of the source before it was loaded; `nil` if it had not been purged.
  var purge: PurgeID?

  init(
    _ rendition: Rendition, freshness: RenditionFreshness, source: SourceVersion,
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
      Rendition(data: Data(), contentType: "", entityTag: ""), freshness: freshness, source: check.version)
  }

  /// The record of a failure, without a rendition. Records with a rendition are preferred to it.
  static func failed(_ failure: SharedFailure) -> RenditionRecord {
    var freshness = RenditionFreshness(checkedAt: Timestamp(milliseconds: 0), freshUntil: failure.until)
    freshness.cacheability = .none
    var record = RenditionRecord(
      Rendition(data: Data(), contentType: "", entityTag: ""), freshness: freshness,
      source: SourceVersion(count: 0, checksum: 0))
    record.failure = failure
    return record
  }

  /// `true` if the record contains a failure and no rendition.
  var hasOnlyFailure: Bool { failure != nil && !isShared }

  /// Returns the record of a stale rendition whose source has failed.
  func failing(_ failure: SharedFailure) -> RenditionRecord {
    var failing = self
    failing.failure = failure
    return failing
  }

  /// The time for which nodes do not wait, in seconds.
  private static let unsharedSeconds = 60

  /// `false` if the record contains no rendition, because shared caches must not store it.
  var isShared: Bool { freshness.cacheability == .shared }

  /// Returns the record after a validation that found the source unchanged.
  func renewed(by check: SourceCheck) -> RenditionRecord {
    var renewed = RenditionRecord(rendition, freshness: check.freshness, source: source, sourceFields: check.fields)
    renewed.purge = purge
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
