package import Foundation
import NukeHTTPCaching

/// The time that a server asks clients to wait (RFC 9110 §10.2.3).
package enum RetryAfter {
  /// Seconds from now; `nil` if the response does not tell.
  ///
  /// A date is compared with the server's own, where it sends that: its clock may differ from ours.
  ///
  /// - Parameter now: seconds since 1970.
  package static func seconds(in head: ResponseHead, now: Int) -> TimeInterval? {
    guard let field = head.value(forField: "Retry-After") else { return nil }
    // Digits alone: `Double` would take a sign, and words. More of them than fit are as good as for ever.
    if !field.isEmpty, field.utf8.allSatisfy({ $0 &- 0x30 < 10 }) { return TimeInterval(field) }
    let clock = Timestamp(seconds: now)
    guard let date = HTTPDate.seconds(field, now: clock) else { return nil }
    let sent = head.value(forField: "Date").flatMap { HTTPDate.seconds($0, now: clock) } ?? now
    return TimeInterval(max(0, date - sent))
  }
}
