#if AsyncHTTPClient
  import Foundation
  import NIOHTTP1
  import Nuke

  extension HTTPResponseHead {
    /// The head as loaders tell it.
    ///
    /// An inflated body is not the one that the server has: what is said of the length, the coding and the ranges of that
    /// is not told, and its entity tag is told as a weak one (RFC 9110 §8.8.3.3). Else the rest of a body that broke off
    /// would be asked for from a byte on that was counted in another.
    ///
    /// - Parameters:
    ///   - inflates: whether the body comes without its coding.
    ///   - condition: the request's `If-None-Match`. A 304 is about the body that the tag stands for there.
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

    /// The length of the body as it is sent, in bytes, where the head states it.
    var statedLength: Int? {
      headers.contains(name: "Transfer-Encoding") ? nil : headers.first(name: "Content-Length").flatMap { Int($0) }
    }

    /// `true` if the body tells its own end.
    var isChunked: Bool { headers[canonicalForm: "Transfer-Encoding"].last?.lowercased() == "chunked" }

    /// In a way that a client inflates.
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
