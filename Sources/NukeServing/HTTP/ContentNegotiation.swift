import NukeCodecs
import NukeImaging

/// Chooses the format of an image whose URL names none.
enum ContentNegotiation {
  struct Choice: Hashable, Sendable {
    var format: ImageFormat?
    /// For sources that move, where ``format`` stands still; `nil` if it moves too.
    var moving: ImageFormat?
  }

  /// The formats for a client that accepts this. What every client can show of what moves is GIF.
  static func choice(accepting accept: String?, offered: [ImageFormat]) -> Choice {
    let format = format(accepting: accept, offered: offered)
    guard let format, !format.isMovable else { return Choice(format: format) }
    let moving = self.format(accepting: accept, offered: offered.filter(\.isMovable))
    return Choice(format: format, moving: moving ?? .gif)
  }

  /// The format of `offered` that the client likes best, of several the first; `nil` for the source's own, or what
  /// every client can show.
  ///
  /// `image/*` and `*/*` say nothing of a format: clients sent them before it existed. So a format counts where it is named,
  /// and where the client does not like JPEG and PNG better.
  static func format(accepting accept: String?, offered: [ImageFormat]) -> ImageFormat? {
    guard let accept, !offered.isEmpty else { return nil }
    let types = AcceptedTypes(accept)
    var best: (format: ImageFormat, weight: Int)?
    for format in offered {
      guard let weight = types.weightByName(of: format.mediaType), weight > best?.weight ?? 0 else { continue }
      best = (format, weight)
    }
    guard let best else { return nil }
    let plain = max(types.weight(of: ImageFormat.jpeg.mediaType), types.weight(of: ImageFormat.png.mediaType))
    return best.weight >= plain ? best.format : nil
  }
}

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
      // A client that sends ever new values gains nothing.
      if formats.count >= Self.capacity { formats = [:] }
      formats[accept] = choice
    }
    return choice
  }

  var count: Int { formats.withLock { $0.count } }
}
