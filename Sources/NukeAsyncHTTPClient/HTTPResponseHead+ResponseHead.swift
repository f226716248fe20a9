#if AsyncHTTPClient
  import Foundation
  import NIOHTTP1
  import Nuke

  extension HTTPResponseHead {
    /// Returns the head in the form in which loaders deliver it.
    ///
    /// If the client inflates the body, the received bytes are not those that the server describes: the length, the
    /// content coding and the accepted ranges are removed, and the entity tag becomes a weak one (RFC 9110 §8.8.3.3).
    /// Otherwise an interrupted body would be resumed at an offset of the inflated data.
    ///
    /// - Parameters:
    ///   - inflates: `true` if the client removes the content coding of the body.
    ///   - condition: the `If-None-Match` of the request. A 304 confirms the body with that tag.
    func responseHead(url: URL, inflates: Bool, condition: String?) -> ResponseHead {
      let isInflated = inflates && isCompressed
      var block: [UInt8] = []
      block.reserveCapacity(512)
      block.append(contentsOf: "HTTP/\(version.major).\(version.minor) \(status.code)\r\n".utf8)
      func add(_ name: String, _ value: String) {
        block.append(contentsOf: name.utf8)
        block.append(contentsOf: ": ".utf8)
        block.append(contentsOf: value.utf8)
        block.append(contentsOf: "\r\n".utf8)
      }
      for (name, value) in headers {
        if isInflated, Self.describesCoded(name) { continue }
        let isWeakened =
          (isInflated || inflates && status == .notModified && condition?.contains("W/" + value) == true)
          && name.lowercased() == "etag" && !value.hasPrefix("W/")
        add(name, isWeakened ? "W/" + value : value)
      }
      if isInflated { add("Accept-Ranges", "none") }
      block.append(contentsOf: "\r\n".utf8)
      return ResponseHead(
        url: url, status: Int(status.code), expectedLength: isInflated ? nil : statedLength, block: block)
    }

    /// The length of the body as sent, in bytes, if the head states it.
    var statedLength: Int? {
      headers.contains(name: "Transfer-Encoding") ? nil : headers.first(name: "Content-Length").flatMap { Int($0) }
    }

    /// `true` if the transfer coding marks the end of the body.
    var isChunked: Bool { headers[canonicalForm: "Transfer-Encoding"].last?.lowercased() == "chunked" }

    /// `true` for the codings that a client inflates.
    private var isCompressed: Bool {
      switch headers.first(name: "Content-Encoding")?.lowercased() {
      case "gzip", "deflate": true
      default: false
      }
    }

    private static func describesCoded(_ name: String) -> Bool {
      switch name.lowercased() {
      case "content-encoding", "content-length", "content-range", "accept-ranges": true
      default: false
      }
    }
  }
#endif
