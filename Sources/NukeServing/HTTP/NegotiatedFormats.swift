import NukeCodecs
import NukeImaging

/// Remembers what was negotiated: there are few browsers, and each sends the same `Accept` with every request.
final class NegotiatedFormats: Sendable {
  private static let capacity = 256
  /// Longer values than this are no browser's.
  private static let lengthLimit = 512

  private let formats = Lock<[String: ImageFormat?]>([:])

  /// See ``ContentNegotiation/format(accepting:offered:)``.
  ///
  /// - Parameter offered: the same in every call.
  func format(accepting accept: String, offered: [ImageFormat]) -> ImageFormat? {
    if let known = formats.withLock({ $0[accept] }) { return known }
    let format = ContentNegotiation.format(accepting: accept, offered: offered)
    guard accept.utf8.count <= Self.lengthLimit else { return format }
    formats.withLock { formats in
      // Whoever sends ever new ones gains nothing.
      if formats.count >= Self.capacity { formats = [:] }
      formats[accept] = .some(format)
    }
    return format
  }

  var count: Int { formats.withLock { $0.count } }
}
