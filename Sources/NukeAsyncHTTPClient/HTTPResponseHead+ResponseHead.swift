#if AsyncHTTPClient
  import Foundation
  import NIOHTTP1
  import Nuke

  extension HTTPResponseHead {
    /// The head as loaders tell it.
    ///
    /// - Parameter inflates: whether the body comes without its coding. Its length and its coding are not told then.
    func responseHead(url: URL, inflates: Bool) -> ResponseHead {
      let isInflated = inflates && isCompressed
      var block: [UInt8] = []
      block.reserveCapacity(512)
      block.append(contentsOf: "HTTP/\(version.major).\(version.minor) \(status.code)\r\n".utf8)
      for (name, value) in headers {
        if isInflated, Self.describesCoding(name) { continue }
        block.append(contentsOf: name.utf8)
        block.append(contentsOf: ": ".utf8)
        block.append(contentsOf: value.utf8)
        block.append(contentsOf: "\r\n".utf8)
      }
      block.append(contentsOf: "\r\n".utf8)
      return ResponseHead(
        url: url, status: Int(status.code), expectedLength: isInflated ? nil : statedLength, block: block)
    }

    /// The length of the body as it is sent, in bytes, where the head states it.
    var statedLength: Int? {
      headers.contains(name: "Transfer-Encoding") ? nil : headers.first(name: "Content-Length").flatMap { Int($0) }
    }

    /// In a way that a client inflates.
    private var isCompressed: Bool {
      switch headers.first(name: "Content-Encoding")?.lowercased() {
      case "gzip", "deflate": true
      default: false
      }
    }

    private static func describesCoding(_ name: String) -> Bool {
      switch name.lowercased() {
      case "content-encoding", "content-length": true
      default: false
      }
    }
  }
#endif
