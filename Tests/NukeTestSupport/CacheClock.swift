package import Foundation
package import Nuke
package import NukeHTTPCaching
package import NukeOrigin

/// The time that a test has come to.
package final class CacheClock: Sendable {
  private let time: Lock<Int64>

  package init(seconds: Int64 = 1_790_000_000) { time = Lock(seconds * 1_000_000_000) }

  package var nanoseconds: Int64 { time.withLock { $0 } }

  /// The time as a pipeline asks for it.
  package var now: @Sendable () -> Timestamp { { Timestamp(milliseconds: Int(self.nanoseconds / 1_000_000)) } }

  package func pass(seconds: Double) { time.withLock { $0 += Int64(seconds * 1e9) } }

  /// The time as a header field says it, some seconds later.
  package func date(in seconds: Int64 = 0) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return formatter.string(from: Date(timeIntervalSince1970: Double(nanoseconds / 1_000_000_000 + seconds)))
  }
}

extension DiskFolder {
  /// An HTTP cache of 1 MiB in it, whose time is that of the clock.
  package func httpCache(_ clock: CacheClock) throws -> HTTPCache {
    var options = DiskStore.Options()
    options.now = { clock.nanoseconds }
    return try HTTPCache(path: url.appendingPathComponent("http"), diskCapacity: 1 << 20, options: options)
  }
}

extension NukeOrigin.Response {
  /// 200 with a body and these header fields.
  package static func fields(_ body: Data, _ fields: (name: String, value: String)...) -> Self {
    Self(headers: fields, body: body)
  }

  package static func notModified(_ fields: (name: String, value: String)...) -> Self {
    Self(status: 304, headers: fields)
  }
}
