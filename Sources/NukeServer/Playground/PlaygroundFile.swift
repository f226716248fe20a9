#if Server
  import HTTPTypes
  import Hummingbird
  import NIOCore

  /// A file of the page, as it is sent: it loads what the same server has, and nothing else.
  struct PlaygroundFile: Sendable {
    let name: String
    let type: String
    let bytes: [UInt8]

    static let page = Self(name: "index.html", type: "text/html; charset=utf-8", bytes: PackageResources.index_html)
    static let all = [
      page,
      Self(name: "playground.css", type: "text/css; charset=utf-8", bytes: PackageResources.playground_css),
      script("playground.js", PackageResources.playground_js),
      script("paths.js", PackageResources.paths_js),
      script("words.js", PackageResources.words_js),
    ]

    private static func script(_ name: String, _ bytes: [UInt8]) -> Self {
      Self(name: name, type: "text/javascript; charset=utf-8", bytes: bytes)
    }

    var response: Response {
      Response(
        status: .ok,
        headers: [
          .contentType: type, .cacheControl: "no-cache", .contentTypeOptions: "nosniff",
          .contentSecurityPolicy:
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
            + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
          .referrerPolicy: "no-referrer",
        ], body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
  }

  extension HTTPField.Name {
    static let contentTypeOptions = Self("X-Content-Type-Options")!
    static let referrerPolicy = Self("Referrer-Policy")!
  }
#endif
