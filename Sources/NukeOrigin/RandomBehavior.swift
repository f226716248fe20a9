package import Foundation

/// A server that behaves well or badly depending on the number in the path, in a reproducible way.
package enum RandomBehavior {
  package enum Kind: CaseIterable, Sendable {
    case fine, large, chunked, untilClose, redirected, trickled, resumable
    case refused, closed, reset, garbage, brokenHead, short, brokenChunk, brokenOff, resetMidway, stalled, circle

    /// `true` if the complete body arrives. A resumable one is interrupted the first time.
    package var isFine: Bool {
      switch self {
      case .fine, .large, .chunked, .untilClose, .redirected, .trickled: true
      default: false
      }
    }
  }

  /// Returns the behavior of `/<number>`.
  package static func kind(of number: Int) -> Kind {
    var mixed = UInt64(bitPattern: Int64(number)) &* 0x9E37_79B9_7F4A_7C15
    mixed ^= mixed >> 29
    return Kind.allCases[Int(mixed % UInt64(Kind.allCases.count))]
  }

  /// Returns the complete body of `/<number>`.
  package static func body(of number: Int) -> Data {
    let period = Data((0..<256).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ number) })
    let count = kind(of: number) == .large ? 200_000 : 3000
    return (0...count / period.count).reduce(into: Data(capacity: count)) { body, _ in body += period }.prefix(count)
  }

  package static func response(to request: NukeOrigin.Request) -> NukeOrigin.Response {
    let name = request.path.dropFirst()
    if name.hasPrefix("end/"), let number = Int(name.dropFirst(4)) { return .data(body(of: number)) }
    guard let number = Int(name) else { return .status(404) }
    let body = body(of: number)
    switch kind(of: number) {
    case .fine, .large: return .data(body)
    case .chunked: return .data(body).framed(.chunked).trickled(700, .bytes(0))
    case .untilClose: return .data(body).framed(.untilClose)
    case .redirected: return .redirect(to: "/end/\(number)")
    case .trickled: return .data(body).trickled(1000, .delay(0.002))
    case .resumable:
      let answer = NukeOrigin.Response.ranged(body, etag: "\"\(number)\"", for: request)
      return request.header("Range") == nil ? answer.scripted(.head, .bytes(1000), .close) : answer
    case .refused: return .status([404, 410, 429, 500, 503][number % 5])
    case .closed: return .closed
    case .reset: return NukeOrigin.Response().scripted(.reset)
    case .garbage: return .garbage()
    case .brokenHead: return NukeOrigin.Response().scripted(.raw(Data("HTTP/1.1 200 OK\r\nX: ".utf8)), .close)
    case .short: return .data(body).framed(.declared(body.count + 1)).closing()
    case .brokenChunk: return .data(body).framed(.brokenChunked)
    case .brokenOff: return .data(body).framed(.chunked).scripted(.head, .bytes(1000), .close)
    case .resetMidway: return .data(body).scripted(.head, .bytes(1000), .reset)
    case .stalled: return .data(body).scripted(.head, .bytes(1000), .stall)
    case .circle: return .redirect(to: "/\(number)")
    }
  }
}
