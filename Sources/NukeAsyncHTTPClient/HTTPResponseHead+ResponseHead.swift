#if AsyncHTTPClient
  import Foundation
  import NIOHTTP1
  import Nuke

  extension HTTPResponseHead {
    /// Returns the head in the form in which loaders deliver it.
    func responseHead(url: URL) -> ResponseHead {
      var block: [UInt8] = []
      block.reserveCapacity(512)
      block.append(contentsOf: "HTTP/\(version.major).\(version.minor) \(status.code)\r\n".utf8)
      for (name, value) in headers {
        block.append(contentsOf: name.utf8)
        block.append(contentsOf: ": ".utf8)
        block.append(contentsOf: value.utf8)
        block.append(contentsOf: "\r\n".utf8)
      }
      block.append(contentsOf: "\r\n".utf8)
      return ResponseHead(url: url, status: Int(status.code), expectedLength: statedLength, block: block)
    }

    /// The length of the body as sent, in bytes, if the head states it.
    var statedLength: Int? {
      headers.contains(name: "Transfer-Encoding") ? nil : headers.first(name: "Content-Length").flatMap { Int($0) }
    }

    /// `true` if the transfer coding marks the end of the body.
    var isChunked: Bool { headers[canonicalForm: "Transfer-Encoding"].last?.lowercased() == "chunked" }

    /// `true` for the codings that a client inflates.
    var isCompressed: Bool {
      switch headers.first(name: "Content-Encoding")?.lowercased() {
      case "gzip", "deflate": true
      default: false
      }
    }
  }
#endif
