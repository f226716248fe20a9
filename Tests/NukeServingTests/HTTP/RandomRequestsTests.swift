import Foundation
import NukeCodecs
import NukeTesting
import Testing

@testable import NukeServing

@Suite("Random requests") struct RandomRequestsTests {
  private static let words = [
    "bytes=0-9", "bytes=500-", "bytes", "=", "-", ",", "0", "1", "99", "100", "9223372036854775807",
    "99999999999999999999", "\"abc\"", "W/", "\"",
    "*", "*/*", "image/", "webp", "avif", ";", "q=", "0.5", "1.", " ", "\t", "Tue, 14 Nov 2023 21:56:40 GMT", "on",
    "https://a.example", "GET", "\u{0}", "\r\n", "ä", "\u{10FFFF}", "\\", "/", "text/plain", "application/json", "nan",
  ]

  @Test("The responses to 10,000 random heads have correct lengths and well-formed fields")
  func random() throws {
    var generator = SeededGenerator(seed: 42)
    let data = Data((0..<100).map { UInt8($0) })
    let statuses: Set<Int> = [200, 204, 206, 304, 412, 416, 404, 429]
    var seen: Set<Int> = []
    for _ in 0..<10_000 {
      var head = RequestHead(RequestHead.Method.allCases.randomElement(using: &generator)!)
      for _ in 0..<Int.random(in: 0...5, using: &generator) {
        let count = Bool.random(using: &generator) ? 1 : Int.random(in: 0...8, using: &generator)
        let value = (0..<count).map { _ in Self.words.randomElement(using: &generator)! }.joined()
        head.append(RequestHead.Name.allCases.randomElement(using: &generator)!, value)
      }
      let rules = Sample.rules {
        $0.clientHints = ClientHints(rawValue: Int.random(in: 0...15, using: &generator))
        $0.allowedOrigins = Bool.random(using: &generator) ? .any : .only(["https://a.example"])
      }
      var options = ImageOptions()
      if Bool.random(using: &generator) { options.filename = Self.words.randomElement(using: &generator)! }
      let negotiated = rules.negotiate(
        RenditionRequest(source: Sample.source, options: options), hasDPR: false, isSigned: true, head)
      let response: ServedResponse
      switch Int.random(in: 0...9, using: &generator) {
      case _ where head.method == .options: response = rules.responseToOptions(head, requestID: "1")
      case 0: response = rules.response(head, failing: .sourceNotFound(""), requestID: "1")
      case 1: response = rules.response(head, failing: .overloaded(retryAfter: 1), requestID: "1")
      default:
        let rendition = Sample.rendition(
          data, freshUntil: Int.random(in: .min ... .max, using: &generator),
          isDegraded: Int.random(in: 0...9, using: &generator) == 0)
        response = rules.response(head, negotiated, with: rendition, requestID: "1", now: Sample.now)
      }
      seen.insert(response.status)
      try #require(statuses.contains(response.status))
      let bytes = response.bytes(of: data)
      if head.method == .get, response.status != 304 {
        try #require(response[.contentLength] == String(bytes.count))
      } else {
        try #require(bytes.isEmpty)
      }
      let fields = rules.fields(response.constant) + response.fields
      for field in fields { try #require(field.value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }) }
      try #require(Set(fields.map(\.name)).count == fields.count)
    }
    #expect(seen == statuses)
  }
}
