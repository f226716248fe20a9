import NukeBase
import NukeCodecs

/// Chooses the format of an image whose URL does not name one.
enum ContentNegotiation {
  struct Choice: Hashable, Sendable {
    var format: ImageFormat?
    /// The format for animated sources if ``format`` does not support animation; otherwise `nil`.
    var moving: ImageFormat?
  }

  /// Returns the formats for a client with this `Accept` field. The animated format that every client supports is GIF.
  static func choice(accepting accept: String?, offered: [ImageFormat]) -> Choice {
    let format = format(accepting: accept, offered: offered)
    guard let format, !format.isMovable else { return Choice(format: format) }
    let moving = self.format(accepting: accept, offered: offered.filter(\.isMovable))
    return Choice(format: format, moving: moving ?? .gif)
  }

  /// Returns the elements of `offered` that a client accepts by name, and then the formats that every client supports.
  static func all(accepting accept: String?, offered: [ImageFormat]) -> [ImageFormat] {
    let types = AcceptedTypes(accept ?? "")
    let named = offered.filter { types.weightByName(of: $0.mediaType) ?? 0 > 0 }
    let plain: [ImageFormat] = [.jpeg, .png, .gif]
    return named + plain.filter { !named.contains($0) }
  }

  /// Returns the element of `offered` with the highest weight; the first of several with the same. Returns `nil` for
  /// a format that every client supports.
  ///
  /// `image/*` and `*/*` do not mean that a client supports a new format. So a format must be named, with a weight no
  /// lower than that of JPEG and PNG.
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

/// Caches negotiated formats: there are few browsers, and each sends the same `Accept` field with every request.
final class NegotiatedFormats: Sendable {
  private static let capacity = 256
  /// Longer values are not cached. No browser sends them.
  private static let lengthLimit = 512

  private let formats = Lock<[String: ContentNegotiation.Choice]>([:])

  /// Returns ``ContentNegotiation/choice(accepting:offered:)``, from the cache if possible.
  ///
  /// - Parameter offered: must be the same in every call.
  func choice(accepting accept: String, offered: [ImageFormat]) -> ContentNegotiation.Choice {
    if let known = formats.withLock({ $0[accept] }) { return known }
    let choice = ContentNegotiation.choice(accepting: accept, offered: offered)
    guard accept.utf8.count <= Self.lengthLimit else { return choice }
    formats.withLock { formats in
      // A client that keeps sending new values only empties the cache.
      if formats.count >= Self.capacity { formats = [:] }
      formats[accept] = choice
    }
    return choice
  }

  var count: Int { formats.withLock { $0.count } }
}
