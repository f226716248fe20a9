import Foundation
import NukeHTTPCaching

/// A rendition as it is kept, with what tells whether it is still right.
struct RenditionRecord: Sendable {
  /// The rendition as it was made.
  private(set) var rendition: Rendition
  private(set) var freshness: RenditionFreshness
  /// The bytes that it was made of.
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
  }

  /// The same after the source has been asked and has not changed.
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
