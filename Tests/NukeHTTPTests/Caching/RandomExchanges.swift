import Foundation
import FoundationNetworking
import NukeOrigin
import NukeTesting

/// Requests and answers with random header fields, sound and not, whose bodies say what they are of.
struct RandomExchanges: Sendable {
  private static let size = 3000

  func request(_ seed: Int, _ origin: NukeOrigin) -> URLRequest {
    var random = SeededGenerator(seed: UInt64(seed))
    func pick<Value>(_ values: [Value]) -> Value { values[Int(random.next() % UInt64(values.count))] }
    var request = URLRequest(
      url: origin.url("/\(random.next() % 12)?\(seed)".replacingOccurrences(of: "?\(seed)", with: "")))
    request.httpMethod = pick(["GET", "GET", "GET", "GET", "GET", "HEAD", "POST"])
    if request.httpMethod == "POST" { request.httpBody = Data("x".utf8) }
    request.cachePolicy = pick([
      .useProtocolCachePolicy, .useProtocolCachePolicy, .reloadIgnoringLocalCacheData, .returnCacheDataElseLoad,
      .returnCacheDataDontLoad, .reloadRevalidatingCacheData,
    ])
    let fields: [(String, [String])] = [
      (
        "Cache-Control", ["no-cache", "no-store", "max-stale=3", "max-age=0", "only-if-cached", "min-fresh=2", "=,\"x"]
      ),
      ("Range", ["bytes=0-99", "bytes=100-", "bytes=-50", "bytes=9999-", "bytes=5-1", "lines=1-2"]),
      ("If-None-Match", ["\"v1\"", "*", "W/\"v2\"", "v3"]),
      ("If-Range", ["\"v1\"", "\"v2\"", "Sun, 06 Nov 1994 08:49:37 GMT"]),
      ("Accept", ["image/png", "image/webp;q=0.5, */*"]),
      ("Authorization", ["Basic eDp5"]),
      // Tells the origin what to answer with.
    ]
    for (name, values) in fields where random.next() % 5 == 0 {
      request.setValue(pick(values), forHTTPHeaderField: name)
    }
    request.setValue("\(seed)", forHTTPHeaderField: "X-Seed")
    return request
  }

  func answer(_ request: NukeOrigin.Request) -> NukeOrigin.Response {
    let seed = Int(request.header("X-Seed") ?? "0") ?? 0
    var random = SeededGenerator(seed: UInt64(seed) ^ 0xFFFF_0000)
    func pick<Value>(_ values: [Value]) -> Value { values[Int(random.next() % UInt64(values.count))] }
    let version = Int(random.next() % 3)
    let body = Self.body(request.path, version)
    var headers: [(name: String, value: String)] = []
    let fields: [(String, [String])] = [
      (
        "Cache-Control",
        [
          "max-age=5", "max-age=3, stale-while-revalidate=10", "no-cache", "no-store", "must-revalidate, max-age=2",
          "max-age=1, stale-if-error=20", "private=\"x\", max-age=9", "max-age=abc", "immutable, max-age=4",
        ]
      ),
      ("Vary", ["Accept", "*", "Accept, Authorization", "Accept-Language"]),
      ("Expires", ["0", "Sun, 06 Nov 2094 08:49:37 GMT", "soon"]),
      ("Last-Modified", ["Sun, 06 Nov 1994 08:49:3\(version) GMT", "yesterday"]),
      ("Age", ["0", "3", "-1", "99999999999999999999"]),
      ("Date", ["Sun, 06 Nov 1994 08:49:37 GMT", "Tue, 22 Sep 2026 00:00:00 GMT"]),
      ("Set-Cookie", ["a=b"]),
    ]
    for (name, values) in fields where random.next() % 2 == 0 { headers.append((name, pick(values))) }
    let tag: String? = random.next() % 3 == 0 ? nil : "\"v\(version)\""
    if let tag, request.header("If-None-Match")?.contains(tag) == true, request.method == "GET" {
      return NukeOrigin.Response(status: 304, headers: headers + [("ETag", tag)])
    }
    var response: NukeOrigin.Response
    switch random.next() % 16 {
    case 0: return .closed
    case 1: return .status(503)
    case 2: return .status(404)
    case 3: return .redirect(to: "/elsewhere")
    case 4: return .garbage()
    case 5:
      response = .fields(body)
      response.headers = headers + (tag.map { [("ETag", $0)] } ?? [])
      return response.scripted(.head, .bytes(1000), .close)
    case 6:
      response = .fields(body)
      response.headers = headers
      return response.framed(.chunked)
    default: return .ranged(body, etag: tag, headers: headers, for: request)
    }
  }

  static func body(_ path: String, _ version: Int) -> Data {
    Data(String(repeating: "\(path) v\(version);", count: 1000).utf8.prefix(size))
  }

  func isBody(_ body: Data, of url: URL) -> Bool {
    (0..<3).contains { body == Self.body(url.path, $0) || body == Self.body("/elsewhere", $0) }
  }
}
