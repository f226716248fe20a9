import Foundation
import Nuke
import NukeHTTPCaching

/// The result of validating a source, without the source's data.
struct SourceCheck: Sendable {
  /// Identifies the source's current data.
  let version: SourceVersion
  let fields: SourceFields
  /// The time of the last change, if its server states one, in seconds since 1970.
  let lastModified: Int?
  private(set) var freshness: RenditionFreshness

  /// Creates the result of a response that contains the whole source.
  ///
  /// - Parameter head: the response head; `nil` for a source without header fields.
  init(_ version: SourceVersion, _ head: ResponseHead?, requestedAt: Timestamp, now: Timestamp, rules: FreshnessRules) {
    self.init(version, head.map(SourceFields.init), head?.fields, requestedAt: requestedAt, now: now, rules: rules)
  }

  /// Creates the result of a 304 response: the source has not changed.
  init(
    notModified head: ResponseHead, _ known: RenditionRecord, requestedAt: Timestamp, now: Timestamp,
    rules: FreshnessRules
  ) {
    let fields = known.sourceFields.updated(by: SourceFields(head))
    self.init(known.source, fields, fields.replacing(in: head), requestedAt: requestedAt, now: now, rules: rules)
  }

  private init(
    _ version: SourceVersion, _ known: SourceFields?, _ fields: HTTPFields?, requestedAt: Timestamp, now: Timestamp,
    rules: FreshnessRules
  ) {
    self.version = version
    self.fields = known ?? SourceFields()
    lastModified = fields.flatMap { ResponseFacts($0, requestTime: requestedAt, responseTime: now).lastModified }
    freshness = rules.freshness(of: fields, requestedAt: requestedAt, now: now)
  }

  /// Returns the result for a source over which a watermark is drawn: only caches that may store both may store the
  /// image.
  func restricted(by watermark: SourceCheck) -> SourceCheck {
    var check = self
    switch watermark.freshness.cacheability {
    case .shared: break
    case .private: if freshness.cacheability == .shared { check.freshness.cacheability = .private }
    case .none: check.freshness.cacheability = .none
    }
    return check
  }
}

/// Remembers recent validations, so that all renditions of an unchanged source share one validation.
final class SourceChecks: Sendable {
  private let checks = Lock(RecentTable<String, SourceCheck>(limit: 8192))

  func note(_ check: SourceCheck, of source: String) {
    checks.withLock { $0[source] = check.freshness.cacheability == .shared ? check : nil }
  }

  /// Returns the last validation of the source if it is still fresh and is for the version that the rendition was
  /// rendered from.
  func check(of source: String, for record: RenditionRecord, now: Timestamp) -> SourceCheck? {
    guard let check = checks.withLock({ $0[source] }), check.freshness.state(at: now) == .fresh,
      check.version == record.source || check.fields.isSameVersion(as: record.sourceFields)
    else { return nil }
    return check
  }
}

/// A source's data, its version, and the fields of its response.
struct SourceFile: Sendable {
  let data: Data
  let check: SourceCheck
}

/// Identifies the version of a source.
struct SourceVersion: Equatable, Sendable {
  let count: Int
  let checksum: UInt64

  init(_ data: Data) { self.init(count: data.count, checksum: Digest.checksum(of: data)) }

  init(count: Int, checksum: UInt64) {
    self.count = count
    self.checksum = checksum
  }
}
