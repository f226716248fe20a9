package import Foundation
package import FoundationNetworking
package import NukeHTTPCaching

/// The head of a response.
///
/// An `HTTPURLResponse` costs more than all the rest of receiving a small image, so header fields stay bytes until they
/// are asked for.
package struct ResponseHead: Sendable {
  /// The URL that answered, after redirects.
  package let url: URL
  /// The HTTP status; `nil` for other schemes.
  package let status: Int?
  /// The length of the body in bytes, where the response states it.
  package let expectedLength: Int?

  /// How the HTTP cache handled the response; `nil` if there is none.
  package var caching: Caching?

  private let storage: Storage

  private enum Storage: Sendable {
    /// An HTTP head as it was received, from the status line on.
    case block([UInt8])
    case response(URLResponse)
  }

  package init(url: URL, status: Int, expectedLength: Int?, block: [UInt8]) {
    self.url = url
    self.status = status
    self.expectedLength = expectedLength
    storage = .block(block)
  }

  package init(_ response: URLResponse, url: URL) {
    self.url = response.url ?? url
    status = (response as? HTTPURLResponse)?.statusCode
    expectedLength = response.expectedContentLength >= 0 ? Int(response.expectedContentLength) : nil
    storage = .response(response)
  }

  /// A head that was kept.
  package init(url: URL, status: Int, expectedLength: Int?, fields: HTTPFields) {
    var block = Array("HTTP/1.1 \(status)\r\n".utf8)
    block.reserveCapacity(1024)
    for field in fields {
      block += field.name
      block += [UInt8(ascii: ":"), 0x20]
      block += field.value
      block += [0x0D, 0x0A]
    }
    self.init(url: url, status: status, expectedLength: expectedLength, block: block)
  }

  /// Makes the response as Foundation spells it. Keep the result: each call makes a new one.
  package func urlResponse() -> URLResponse {
    switch storage {
    case .response(let response):
      return response
    case .block(let block):
      let fields = HeaderBlock(block)
      // The initializer fails for a URL it cannot take apart; this one has been fetched.
      return HTTPURLResponse(
        url: url, statusCode: status ?? 0, httpVersion: fields.version, headerFields: fields.dictionary)
        ?? URLResponse(url: url, mimeType: nil, expectedContentLength: expectedLength ?? -1, textEncodingName: nil)
    }
  }

  /// The header fields as a cache looks at them.
  package var fields: HTTPFields {
    switch storage {
    case .block(let block): return HTTPFields(head: block)
    case .response(let response):
      var fields = HTTPFields()
      for case (let name as String, let value as String) in (response as? HTTPURLResponse)?.allHeaderFields ?? [:] {
        fields.append(name, value)
      }
      return fields
    }
  }

  /// The value of a header field by its name in any case; repeated fields are joined with a comma.
  package func value(forField name: String) -> String? {
    switch storage {
    case .response(let response): (response as? HTTPURLResponse)?.value(forHTTPHeaderField: name)
    case .block(let block): HeaderBlock(block).value(for: name)
    }
  }
}

/// The header fields in a received HTTP head (RFC 9112 §5).
struct HeaderBlock {
  private let block: [UInt8]

  init(_ block: [UInt8]) { self.block = block }

  /// The version in the status line, such as "HTTP/1.1".
  var version: String {
    String(decoding: block.prefix { $0 > 0x20 }, as: UTF8.self)
  }

  /// The fields under the first spelling of each name; repeated ones are joined with a comma (RFC 9110 §5.3).
  var dictionary: [String: String] {
    var dictionary: [String: String] = [:]
    block.withUnsafeBufferPointer { bytes in
      // Names are few: comparing their bytes is cheaper than folding and hashing each.
      var fields: [(name: Bytes, key: String)] = []
      fields.reserveCapacity(16)
      dictionary.reserveCapacity(16)
      Self.forEachField(in: bytes) { name, value in
        let value = String(decoding: value, as: UTF8.self)
        if let known = fields.first(where: { Self.isSame($0.name, name) }) {
          dictionary[known.key] = "\(dictionary[known.key] ?? ""), \(value)"
        } else {
          let key = String(decoding: name, as: UTF8.self)
          fields.append((name, key))
          dictionary[key] = value
        }
      }
    }
    return dictionary
  }

  func value(for wanted: String) -> String? {
    var found: String?
    var wanted = wanted
    wanted.withUTF8 { wanted in
      block.withUnsafeBufferPointer { bytes in
        Self.forEachField(in: bytes) { name, value in
          guard Self.isSame(name, wanted[...]) else { return }
          let value = String(decoding: value, as: UTF8.self)
          found = found.map { "\($0), \(value)" } ?? value
        }
      }
    }
    return found
  }

  /// The value of the first such field, as it was received.
  func firstValue(for wanted: StaticString) -> [UInt8]? {
    var found: [UInt8]?
    wanted.withUTF8Buffer { wanted in
      block.withUnsafeBufferPointer { bytes in
        Self.forEachField(in: bytes) { name, value in
          if found == nil, Self.isSame(name, wanted[...]) { found = Array(value) }
        }
      }
    }
    return found
  }

  private typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

  private static func isSame(_ left: Bytes, _ right: Bytes) -> Bool {
    left.count == right.count && zip(left, right).allSatisfy { $0 == $1 || lower($0) == lower($1) }
  }

  private static func lower(_ byte: UInt8) -> UInt8 { byte &- 65 < 26 ? byte | 0x20 : byte }

  /// Calls `body` with each field after the status line, in order, the value without white space around it.
  private static func forEachField(
    in bytes: UnsafeBufferPointer<UInt8>, _ body: (_ name: Bytes, _ value: Bytes) -> Void
  ) {
    var start = bytes.firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
      defer { start = end + 1 }
      guard let colon = bytes[start..<end].firstIndex(of: 0x3A), colon > start else { continue }
      var first = colon + 1
      var last = end
      while first < last, bytes[first] <= 0x20 { first += 1 }
      while last > first, bytes[last - 1] <= 0x20 { last -= 1 }
      body(bytes[start..<colon], bytes[first..<last])
    }
  }
}
