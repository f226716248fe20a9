import NukeHTTPCaching
import NukeImaging

/// Remembers what sources said lately, so that one that has not changed is asked once for all that is made of it.
final class SourceChecks: Sendable {
  private let checks = Lock(RecentTable<String, SourceCheck>(limit: 8192))

  func note(_ check: SourceCheck, of source: String) {
    checks.withLock { $0[source] = check.freshness.cacheability == .shared ? check : nil }
  }

  /// Returns the result of the last validation of the version that a rendition was made of, if it is still fresh.
  func check(of source: String, for record: RenditionRecord, now: Timestamp) -> SourceCheck? {
    guard let check = checks.withLock({ $0[source] }), check.freshness.state(at: now) == .fresh,
      check.mark == record.source || check.fields.isSameVersion(as: record.sourceFields)
    else { return nil }
    return check
  }
}
