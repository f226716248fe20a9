#if Server
  import Foundation
  import HTTPTypes
  import Hummingbird
  import NIOCore
  import NukeCodecs
  import NukeServing

  /// The playground page, and the routes that it calls.
  struct PlaygroundRoutes {
    let configuration: ImageServer.Configuration
    let dependencies: ServerDependencies
    let statistics: ServerStatistics

    func add(to router: Router<some RequestContext>) {
      router.getAndHead("/_playground") { _, _ in PlaygroundFile.page.response }
      if configuration.isDemo { router.getAndHead("/") { _, _ in PlaygroundFile.page.response } }
      for file in PlaygroundFile.all {
        router.getAndHead(RouterPath("/_playground/\(file.name)")) { _, _ in file.response }
      }
      router.getAndHead("/_playground/config") { _, _ in try Self.json(self.description) }
      router.getAndHead("/_playground/stats") { _, _ in try Self.json(figures) }
      router.getAndHead("/_playground/sign") { request, _ in
        let text = request.uri.queryParameters["path"].map(String.init) ?? ""
        return switch Result(catching: { () throws(ServingError) in try sign(text) }) {
        case .success(let path): try Self.json(["path": path])
        case .failure(let error): try Self.json(["error": error.publicMessage], status: .badRequest)
        }
      }
    }

    // MARK: Signing

    /// Returns the path with its signature, or with `unsafe` if there is no key.
    ///
    /// - Parameter text: the part of the path that is signed.
    func sign(_ text: String) throws(ServingError) -> String {
      guard text.hasPrefix("/") else { throw .malformedURL("it does not begin with a slash") }
      // Only valid URLs are signed.
      let rules = dependencies.urls.rules
      let url = try rules.url(path: "/unsafe" + text)
      _ = try rules.options(of: url, now: 0)
      let signature = dependencies.urls.signer?.signature(of: url.signedPath) ?? "unsafe"
      return configuration.pathPrefix + "/" + signature + url.signedPath
    }

    // MARK: Data for the page

    private struct Description: Encodable {
      var isDemo: Bool
      var sources: [Source]
      var formats: [String]
      var presets: [String]
      var hasOnlyPresets: Bool
      var hasWatermark: Bool
      var quality: Int
      /// The prefix of every path, before the signature.
      var pathPrefix: String
      var isSigned: Bool
    }

    private struct Source: Encodable {
      var name: String
      var url: String
    }

    private var description: Description {
      let rules = dependencies.urls.rules
      return Description(
        isDemo: configuration.isDemo, sources: sources, formats: ImageFormat.writable.map(\.rawValue),
        presets: rules.presets.names, hasOnlyPresets: rules.hasOnlyPresets,
        hasWatermark: configuration.watermark != nil, quality: configuration.quality,
        pathPrefix: configuration.pathPrefix, isSigned: dependencies.urls.signer != nil)
    }

    /// The images in the local folders, without subfolders and up to a limit.
    private var sources: [Source] {
      var sources: [Source] = []
      for (root, path) in configuration.localRoots.sorted(by: { $0.key < $1.key }) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path))?.sorted() ?? []
        let images = names.filter { name in
          let ending = (name as NSString).pathExtension.lowercased()
          return !name.hasPrefix(".") && (ending == "jpg" || ImageFormat(rawValue: ending)?.isReadable == true)
        }
        sources += images.map { Source(name: $0, url: "local://\(root)/\($0)") }
      }
      return Array(sources.prefix(100))
    }

    private var figures: Figures {
      let process = ProcessMetrics().collect()
      func value(_ name: String) -> Double? { process.first { $0.name == name }?.number }
      return Figures(
        server: statistics.snapshot, residentBytes: value("process_resident_memory_bytes"),
        processorSeconds: value("process_cpu_seconds_total"), openFiles: value("process_open_fds"))
    }

    private struct Figures: Encodable {
      var server: ServerStatistics.Snapshot
      var residentBytes: Double?
      var processorSeconds: Double?
      var openFiles: Double?
    }

    private static func json(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return Response(
        status: status,
        headers: [.contentType: "application/json", .cacheControl: "no-store", .contentTypeOptions: "nosniff"],
        body: ResponseBody(byteBuffer: ByteBuffer(bytes: try encoder.encode(value))))
    }
  }

  /// A file of the page. Its content security policy allows resources of the same server only.
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
