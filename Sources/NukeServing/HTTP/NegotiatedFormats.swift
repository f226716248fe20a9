import NukeCodecs
import NukeImaging

/// Remembers what was negotiated: there are few browsers, and each sends the same `Accept` with every request.
final class NegotiatedFormats: Sendable {
  private static let capacity = 256
  /// Longer values than this are no browser's.
  private static let lengthLimit = 512

  private let formats = Lock<[String: ContentNegotiation.Choice]>([:])

  /// See ``ContentNegotiation/choice(accepting:offered:)``.
  ///
  /// - Parameter offered: the same in every call.
  func choice(accepting accept: String, offered: [ImageFormat]) -> ContentNegotiation.Choice {
    if let known = formats.withLock({ $0[accept] }) { return known }
    let choice = ContentNegotiation.choice(accepting: accept, offered: offered)
    guard accept.utf8.count <= Self.lengthLimit else { return choice }
    formats.withLock { formats in
      // Whoever sends ever new ones gains nothing.
      if formats.count >= Self.capacity { formats = [:] }
      formats[accept] = choice
    }
    return choice
  }

  var count: Int { formats.withLock { $0.count } }
}
