package import Foundation
import NukeHTTPCaching

/// The time that a server asks clients to wait (RFC 9110 §10.2.3).
package enum RetryAfter {
  /// Returns the delay in seconds; `nil` if the response does not state one.
  ///
  /// A date is compared with the response's `Date` field if there is one, because the clocks of server and client may
  /// differ.
  ///
  /// - Parameter now: seconds since 1970.
  package static func seconds(in head: ResponseHead, now: Int) -> TimeInterval? {
    guard let field = head.value(forField: "Retry-After") else { return nil }
    // Only digits are valid. `Double` would also accept a sign and words. A number that is too large counts as
    // infinite.
    if !field.isEmpty, field.utf8.allSatisfy({ $0 &- 0x30 < 10 }) { return TimeInterval(field) }
    let clock = Timestamp(seconds: now)
    guard let date = HTTPDate.seconds(field, now: clock) else { return nil }
    let sent = head.value(forField: "Date").flatMap { HTTPDate.seconds($0, now: clock) } ?? now
    return TimeInterval(max(0, date - sent))
  }
}
