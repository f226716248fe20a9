import Nuke
import NukeHTTPCaching

/// The result of asking a source, without its bytes.
struct SourceCheck: Sendable {
  /// The bytes that it has.
  let mark: SourceMark
  let fields: SourceFields
  /// The time of the last change, if its server states one, in seconds since 1970.
  let lastModified: Int?
  let freshness: RenditionFreshness

  /// Creates the result of a response with the whole source.
  ///
  /// - Parameter head: `nil` for a source without header fields.
  init(_ mark: SourceMark, _ head: ResponseHead?, askedAt: Timestamp, now: Timestamp, rules: FreshnessRules) {
    self.init(mark, head.map(SourceFields.init), head?.fields, askedAt: askedAt, now: now, rules: rules)
  }

  /// Creates the result of a response that says that the source has not changed.
  init(
    notModified head: ResponseHead, _ known: RenditionRecord, askedAt: Timestamp, now: Timestamp, rules: FreshnessRules
  ) {
    let fields = known.sourceFields.updated(by: SourceFields(head))
    self.init(known.source, fields, fields.replacing(in: head), askedAt: askedAt, now: now, rules: rules)
  }

  private init(
    _ mark: SourceMark, _ known: SourceFields?, _ fields: HTTPFields?, askedAt: Timestamp, now: Timestamp,
    rules: FreshnessRules
  ) {
    self.mark = mark
    self.fields = known ?? SourceFields()
    lastModified = fields.flatMap { ResponseFacts($0, requestTime: askedAt, responseTime: now).lastModified }
    freshness = rules.freshness(of: fields, askedAt: askedAt, now: now)
  }
}
