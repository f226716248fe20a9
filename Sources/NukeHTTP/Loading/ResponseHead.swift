package import Foundation
package import FoundationNetworking
package import NukeHTTPCaching

/// The head of a response.
///
/// Header fields are kept as bytes and parsed on demand. Creating an `HTTPURLResponse` would take longer than the rest
/// of receiving a small image.
package struct ResponseHead: Sendable {
  /// The URL of the response, after redirects.
  package let url: URL
  /// The HTTP status; `nil` for other schemes.
  package let status: Int?
  /// The length of the body in bytes, if the response states it.
  package let expectedLength: Int?

  /// How the HTTP cache handled the response; `nil` if there is none.
  package var caching: Caching?

  private let storage: Storage

  private enum Storage: Sendable {
    /// An HTTP head as it was received, beginning with the status line.
    case block([UInt8])
    /// The header fields of a response that was not received as text, such as a stored one.
    case fields(HTTPFields)
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

  /// Creates a head from its fields, such as that of a stored response.
  package init(url: URL, status: Int, expectedLength: Int?, fields: HTTPFields) {
    self.url = url
    self.status = status
    self.expectedLength = expectedLength
    storage = .fields(fields)
  }

  /// Creates a `URLResponse`. Keep the result: each call creates a new one.
  package func urlResponse() -> URLResponse {
    switch storage {
    case .block(let block): httpResponse(version: String(decoding: block.prefix { $0 > 0x20 }, as: UTF8.self))
    case .fields: httpResponse(version: "HTTP/1.1")
    case .response(let response): response
    }
  }

  private func httpResponse(version: String) -> URLResponse {
    // The initializer fails only for a URL that cannot be parsed, and this one has been loaded.
    HTTPURLResponse(url: url, statusCode: status ?? 0, httpVersion: version, headerFields: fields.dictionary)
      ?? URLResponse(url: url, mimeType: nil, expectedContentLength: expectedLength ?? -1, textEncodingName: nil)
  }

  /// The parsed header fields.
  package var fields: HTTPFields {
    switch storage {
    case .block(let block): return HTTPFields(head: block)
    case .fields(let fields): return fields
    case .response(let response):
      var fields = HTTPFields()
      for case (let name as String, let value as String) in (response as? HTTPURLResponse)?.allHeaderFields ?? [:] {
        fields.append(name, value)
      }
      return fields
    }
  }

  /// Returns the value of a header field, ignoring the case of its name. Repeated fields are joined with a comma.
  package func value(forField name: String) -> String? {
    switch storage {
    case .block, .fields: fields[name]
    case .response(let response): (response as? HTTPURLResponse)?.value(forHTTPHeaderField: name)
    }
  }
}

extension ResponseHead {
  /// How the HTTP cache handled a response.
  package final class Caching: Sendable {
    /// The cache status (RFC 9211).
    package let status: CacheStatus
    /// The stored form of the response, which determines its freshness and its ``StoredResponse/representation``; `nil`
    /// if it must not be stored. While the body is still arriving, it is the form that the complete response will have.
    package let response: StoredResponse?
    /// `true` if the body, or its beginning, comes from the cache.
    package let isFromCache: Bool
    /// `true` if the response is stale and was not validated.
    package let isStale: Bool

    /// `true` if the server has answered this request that a stored response is current.
    package var isValidated: Bool { status.forwardStatus == 304 }

    package init(status: CacheStatus, response: StoredResponse?, isFromCache: Bool, isStale: Bool) {
      self.status = status
      self.response = response
      self.isFromCache = isFromCache
      self.isStale = isStale
    }
  }
}
