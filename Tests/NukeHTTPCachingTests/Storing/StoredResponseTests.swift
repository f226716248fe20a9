import NukeHTTPCaching
import Testing

@Suite("A stored response") struct StoredResponseTests {
  @Test("RFC 9110 §8.8.2.2: A strong tag, or a date at least one minute old, is a strong validator")
  func strongValidator() {
    func validator(_ fields: HTTPFields) -> String? {
      stored(fields).strongValidator.map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(validator(["ETag": "\"a\""]) == "\"a\"")
    let date = httpDate(-60)
    #expect(validator(["Last-Modified": date, "Date": httpDate()]) == date)
    #expect(validator(["Last-Modified": httpDate(-59), "Date": httpDate()]) == nil)
    #expect(validator(["Last-Modified": date]) == nil)
    #expect(validator([:]) == nil)
    // Where the server has a tag, its dates say less than the tag does.
    for tag in ["W/\"a\"", "a", ""] {
      #expect(validator(["ETag": tag, "Last-Modified": date, "Date": httpDate()]) == nil)
    }
    #expect(validator(["ETag": "\"a\"", "etag": "\"b\""]) == nil)
  }

  @Test("Its representation stays the same after validation, and differs for a new body")
  func representation() throws {
    let first = stored(["ETag": "\"a\"", "Cache-Control": "max-age=1"])
    let reception = CachePolicy().receive(
      received(304, ["ETag": "\"a\"", "Cache-Control": "max-age=9"], at: noon + 5), to: request(),
      sending: try #require(CachePolicy().decide(request(), stored: [first], now: noon + 5).forward), stored: [first])
    let renewed = try #require(reception.renewals.first).response
    #expect(renewed != first)
    #expect(renewed.representation == first.representation)
    let others = [
      stored(["ETag": "\"a\""], at: noon + 1), stored(["ETag": "\"b\""]), stored(["Last-Modified": "\"a\""]),
      stored(["ETag": "\"a\"", "Vary": "Accept"], selecting: ["Accept": "x"]),
    ]
    #expect(Set(others.map(\.representation) + [first.representation]).count == 5)
  }
}

@Suite("An encoded stored response") struct StoredResponseCodingTests {
  static let samples = [
    stored([:]), stored(["ETag": "\"a\"", "Age": "", "x": "ä"], status: 404, delay: 3),
    stored(["Vary": "Accept, Foo"], selecting: ["Accept": "a, b"], content: .whole(length: nil)),
    stored(
      ["A": "1", "a": "2"], status: 206, at: Timestamp(seconds: -5), content: .part(first: 0, count: 1, total: nil)),
    stored([:], status: 206, at: Timestamp(milliseconds: .max), content: .part(first: 9, count: 1, total: 1 << 53)),
    StoredResponse(
      key: "", status: 599, fields: [:], requestTime: Timestamp(milliseconds: .min), responseTime: noon,
      bodyTime: noon + 9, content: .whole(length: 0), isDoubtful: true),
  ]

  @Test("It decodes to the same response", arguments: samples)
  func roundTrip(_ response: StoredResponse) throws {
    let bytes = try #require(response.encoded)
    let read = try #require(StoredResponse(encoded: bytes))
    #expect(read == response)
    #expect(read.encoded == bytes)
    #expect(read.representation == response.representation)
  }

  @Test("It is small")
  func size() throws {
    let fields: HTTPFields = [
      "Date": httpDate(), "Content-Type": "image/jpeg", "Content-Length": "48213", "ETag": "\"5f3c-1a2b\"",
      "Cache-Control": "public, max-age=31536000, immutable", "Last-Modified": httpDate(-90_000),
    ]
    #expect(try #require(stored(fields).encoded).count < 300)
  }

  @Test("A truncated or changed encoding is rejected")
  func damage() throws {
    for sample in Self.samples.prefix(3) {
      let bytes = try #require(sample.encoded)
      for count in 0..<bytes.count { #expect(StoredResponse(encoded: Array(bytes.prefix(count))) == nil) }
      for index in bytes.indices {
        for change in [1, 0x80, 0xFF] as [UInt8] {
          var damaged = bytes
          damaged[index] ^= change
          #expect(StoredResponse(encoded: damaged) == nil)
        }
      }
      #expect(StoredResponse(encoded: bytes + [0]) == nil)
    }
  }

  @Test("An encoding with changed bytes and a valid checksum is rejected, or decodes to a response with this encoding")
  func hostile() throws {
    var random = Generator(seed: 7)
    for sample in Self.samples {
      let bytes = Array(try #require(sample.encoded).dropLast(8))
      for _ in 0..<3000 {
        var hostile = bytes
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          hostile[Int.random(in: 4..<hostile.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        let sealed = StoredResponse.sealed(hostile)
        if let response = StoredResponse(encoded: sealed) { #expect(response.encoded == sealed) }
      }
    }
  }

  @Test("Another version, and lengths that exceed the data, are rejected")
  func claims() throws {
    let bytes = Array(try #require(stored([:]).encoded).dropLast(8))
    #expect(StoredResponse(encoded: StoredResponse.sealed(bytes)) != nil)
    var version = bytes
    version[3] += 1
    #expect(StoredResponse(encoded: StoredResponse.sealed(version)) == nil)
    // A key of 2^62 bytes, and one of 2^63 - 1.
    let mark = Array(bytes.prefix(4))
    for length in [
      [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x40], [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F],
    ] as [[UInt8]] {
      #expect(StoredResponse(encoded: StoredResponse.sealed(mark + length)) == nil)
    }
    #expect(StoredResponse(encoded: []) == nil)
  }

  @Test("An encoding of more than a megabyte is neither written nor read")
  func limit() {
    var fields = HTTPFields()
    fields.append("A", String(repeating: "x", count: StoredResponse.longestEncoding))
    #expect(stored(fields).encoded == nil)
    #expect(StoredResponse(encoded: [UInt8](repeating: 0, count: StoredResponse.longestEncoding + 1)) == nil)
  }
}
