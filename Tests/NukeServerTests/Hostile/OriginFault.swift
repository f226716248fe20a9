#if Server
  import Foundation
  import Nuke
  import NukeLoaderSuite
  import NukeOrigin

  /// One thing that goes wrong at an image's origin: the loader's own list, and what servers of images do beside that.
  struct OriginFault: Sendable {
    let name: String
    var configure: @Sendable (inout DataLoader.Configuration) -> Void = { _ in }
    /// What is asked for in place of the origin's path `/`.
    var url: (@Sendable (NukeOrigin) -> URL)?
    /// - Parameter number: how many requests came before.
    let respond: @Sendable (_ request: NukeOrigin.Request, _ number: Int) -> NukeOrigin.Response

    private init(_ fault: TransportFault) {
      name = fault.name
      configure = fault.configure
      url = fault.url
      respond = fault.respond
    }

    private init(
      _ name: String, configure: @escaping @Sendable (inout DataLoader.Configuration) -> Void = { _ in },
      _ respond: @autoclosure @escaping @Sendable () -> NukeOrigin.Response
    ) {
      self.name = name
      self.configure = configure
      self.respond = { _, _ in respond() }
    }

    static let all = TransportFault.all.map { Self($0) } + statuses + redirects + bodies + images

    // MARK: Statuses and redirects

    private static let statuses: [Self] = [
      Self("401", .status(401)),
      Self("403", .status(403)),
      Self("408", .status(408)),
      Self("410", .status(410)),
      Self("429 with Retry-After", .init(status: 429, headers: [("Retry-After", "60")])),
      Self("502", .status(502)),
      Self("504", .status(504)),
      Self("204", .init(status: 204)),
      Self("Unrequested 206", .init(status: 206, body: Data(WholeServer.image.prefix(60)))),
      Self("Unrequested 304", .init(status: 304)),
    ]

    private static let redirects: [Self] = [
      Self("Redirect to a private address", .redirect(to: "http://10.0.0.1/a.png")),
      Self("Redirect to a cloud metadata address", .redirect(to: "http://169.254.169.254/latest/meta-data/")),
      Self("Redirect to a private address in hexadecimal", .redirect(to: "http://0x0a000001/a.png")),
      Self("Redirect to a local:// URL", .redirect(to: "local:///a.png")),
      Self("Redirect to a data: URL", .redirect(to: "data:image/png;base64,AAAA")),
      Self("Redirect without a Location", .init(status: 302)),
    ]

    // MARK: Bodies

    private static let small: @Sendable (inout DataLoader.Configuration) -> Void = { $0.maximumBodySize = 1 << 20 }
    private static let impatient: @Sendable (inout DataLoader.Configuration) -> Void = { $0.idleTimeout = 0.4 }

    private static let bodies: [Self] = [
      Self(
        "Body sent byte by byte", configure: impatient,
        .data(WholeServer.image).trickled(1, .delay(0.02))),
      Self(
        "Endless body", configure: small,
        .data(Data(count: 8 << 20)).framed(.untilClose).scripted(.head, .rest, .stall)),
      Self(
        "Endless chunked body", configure: small,
        .data(Data(count: 8 << 20)).framed(.chunked).trickled(1 << 16, .bytes(0))),
      Self("Content-Length of an exabyte", configure: small, .data(WholeServer.image).framed(.declared(1 << 60))),
      Self(
        "Content-Length larger than a stalled body", configure: impatient,
        .data(WholeServer.image).framed(.declared(WholeServer.image.count + 9)).scripted(.head, .rest, .stall)),
      Self(
        "Invalid gzip encoding",
        .init(headers: [("Content-Type", "image/png"), ("Content-Encoding", "gzip")], body: noise(2000))),
    ]

    // MARK: Images

    private static let images: [Self] = [
      Self("HTML page", .data(Data("<!DOCTYPE html><title>Hi</title>".utf8), type: "text/html")),
      Self("HTML page with an image type", .data(Data("<html><body>Hi</body></html>".utf8), type: "image/png")),
      Self("JSON", .data(Data(#"{"error": "no"}"#.utf8), type: "application/json")),
      Self("Empty body", .data(Data(), type: "image/png")),
      Self("Noise", .data(noise(5000), type: "image/jpeg")),
      Self("ZIP archive", .data(Data([0x50, 0x4B, 3, 4]) + noise(500), type: "application/zip")),
      Self("Truncated PNG", .data(Data(WholeServer.image.prefix(70)), type: "image/png")),
      Self("JPEG truncated in its header", .data(Data(jpeg.prefix(100)), type: "image/jpeg")),
      Self("JPEG truncated after its header", .data(Data(jpeg.prefix(jpeg.count / 2)), type: "image/jpeg")),
      Self("PNG with an HTML type", .data(WholeServer.image, type: "text/html")),
      Self("JPEG with a PNG type", .data(jpeg, type: "image/png")),
    ]

    private static let jpeg = PlatformImage(data: WholeServer.image)?.jpegData(compressionQuality: 0.9) ?? Data()
  }
#endif
