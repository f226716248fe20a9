#if Server
  import Foundation
  import Logging
  import NukeBase
  import NukeCodecs
  import NukeImaging
  import NukeOrigin
  import NukeServing
  import NukeTesting
  import Testing

  @testable import NukeServer

  @Suite("An assembled server")
  struct ServerDependenciesTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "nuke-server-\(UUID().uuidString)")

    /// A server of a folder with `a.png`, of 40 by 20 pixels.
    private func withServer(
      _ change: (inout ImageServer.Configuration) -> Void = { _ in }, _ body: (RunningServer) async throws -> Void,
      preparing prepare: () throws -> Void = {}
    ) async throws {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      try prepare()
      try SampleImage.png(width: 40, height: 20).write(to: folder.appendingPathComponent("a.png"))
      var configuration = ImageServer.Configuration.demo(samples: folder.path)
      (configuration.servesInfo, configuration.servesMetrics) = (true, true)
      change(&configuration)
      let running = try await RunningServer(
        configuration,
        dependencies: ServerDependencies(
          configuration, metrics: PrometheusRegistry(), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
      )
      do {
        try await body(running)
      } catch {
        try await running.stop()
        throw error
      }
      try await running.stop()
    }

    @Test("With the environment of imgproxy, health checks below the prefix are not taken for images")
    func healthBelowPrefix() async throws {
      try await withServer({ ($0.usesImgproxyEnvironment, $0.pathPrefix) = (true, "/img") }) { server in
        let health = try await server.get("/img/health")
        let image = try await server.get("/img/unsafe/rs:fit:10/plain/local:///a.png@jpeg")
        #expect(health.text == "alive\n" && image.status == 200)
      }
    }

    @Test(
      "Paths that cannot be those of images are not found, also below a prefix, and are not mistaken for images",
      arguments: ["", "/img"])
    func otherPaths(prefix: String) async throws {
      try await withServer({
        $0.pathPrefix = prefix
        ($0.servesHealth, $0.servesMetrics) = (false, false)
      }) { (server: RunningServer) async throws in
        for path in ["/favicon.ico", "/robots.txt", "/health", "/ready", "/metrics", "/.well-known/security.txt"] {
          for path in [path, prefix + path] { #expect(try await server.get(path).status == 404, "\(path)") }
        }
        #expect(try await server.get(prefix + "/favicon.ico").text.hasPrefix("There is nothing at this path."))
        #expect(try await server.get(prefix + "/unsafe/favicon.ico").status == 400)
        #expect(try await server.get(prefix + "/unsafe/plain/local:///a.png").status == 200)
      }
    }

    @Test(
      "The response to another method lists those that this server accepts",
      arguments: [
        ([], [], "GET, HEAD"), (["*"], [], "GET, HEAD, OPTIONS"), (["https://a.example"], [], "GET, HEAD, OPTIONS"),
        ([], [Data([1])], "GET, HEAD, DELETE"), (["*"], [Data([1])], "GET, HEAD, OPTIONS, DELETE"),
      ] as [([String], [Data], String)])
    func otherMethods(origins: [String], purgeKeys: [Data], allowed: String) async throws {
      try await withServer({
        $0.corsOrigins = origins
        ($0.purgeKeys, $0.purgeSalts) = (purgeKeys, purgeKeys)
      }) { server in
        let path = "/unsafe/plain/local:///a.png"
        for method in ["POST", "PUT", "PATCH", "TRACE", "PURGE"] {
          let answer = try await server.send(path, method: method)
          #expect(answer.status == 405, "\(method)")
          #expect(answer.head.contains("\r\nAllow: \(allowed)\r\n"), "\(method) \(answer.head)")
        }
        #expect(try await server.send(path, method: "OPTIONS").status == (origins.isEmpty ? 405 : 204))
        // Without keys, the method is not accepted; with keys, the signature is not.
        #expect(try await server.send(path, method: "DELETE").status == (purgeKeys.isEmpty ? 405 : 403))
        #expect(try await server.send(path).status == 200)
      }
    }

    @Test("HEAD has the status and the fields of GET at every path, and no body", arguments: ["", "/img"])
    func head(prefix: String) async throws {
      try await withServer({
        ($0.pathPrefix, $0.usesImgproxyEnvironment) = (prefix, true)
      }) { server in
        let image = prefix + "/unsafe/w:7/plain/local:///a.png"
        let own = [
          "/", "/health", "/ready", "/metrics", "/_playground", "/_playground/index.html",
          "/_playground/playground.css",
          "/_playground/playground.js", "/_playground/config", "/_playground/stats", "/_playground/sign?path=/plain/x",
          "/_playground/sign?path=%2Fplain%2Flocal%3A%2F%2F%2Fa.png",
        ]
        let paths =
          own + [
            prefix + "/health", prefix + "/ready", image, image + "@webp", prefix + "/info/unsafe/plain/local:///a.png",
            prefix + "/unsafe/plain/local:///none.png", prefix + "/unsafe/w:x/plain/local:///a.png",
          ]
        for path in paths {
          let (get, head) = (try await server.send(path), try await server.send(path, method: "HEAD"))
          // Statistics, dates, IDs and times differ from request to request.
          func fields(_ response: RawResponse) -> [Substring] {
            response.head.split(whereSeparator: \.isNewline).filter { line in
              !["Date:", "X-Request-ID:", "Server-Timing:"].contains { line.lowercased().hasPrefix($0.lowercased()) }
                && !(["/metrics", "/_playground/stats"].contains(path)
                  && line.lowercased().hasPrefix("content-length:"))
            }
          }
          #expect(head.status == get.status && fields(head).sorted() == fields(get).sorted(), "\(path)")
          #expect(!get.body.isEmpty && head.body.isEmpty, "\(path)")
        }
        for path in own { #expect(try await server.send(path, method: "HEAD").status != 404, "\(path)") }
      }
    }

    @Test("A skipped source is sent unchanged, whatever formats the client accepts", arguments: [true, false])
    func skipping(isSandboxed: Bool) async throws {
      try await withServer({
        $0.isSandboxed = isSandboxed
        $0.sandboxProgram = Self.worker
        $0.workers = 1
        $0.negotiatedFormats = [.webp]
      }) { server in
        let source = SampleImage.png(width: 40, height: 20)
        for (options, isSkipped) in [
          ("skp:png", true), ("skp:gif", false), ("skp:png/f:webp", false), ("skp:png/f:png", true),
        ] {
          for _ in 0..<2 {
            let response = try await server.get(
              "/unsafe/\(options)/plain/local:///a.png", fields: ["Accept": "image/avif,image/webp,*/*"])
            #expect((response.data == source) == isSkipped, "\(options)")
            #expect(response.fields["Content-Type"] == (isSkipped ? "image/png" : "image/webp"), "\(options)")
          }
        }
      }
    }

    @Test("Files behind symbolic links are served, as long as these stay in the folder")
    func links() async throws {
      try await withServer { (server: RunningServer) async throws in
        #expect(try await server.get("/unsafe/w:7/plain/local:///current/b.png@png").status == 200)
        #expect(try await server.get("/unsafe/w:7/plain/local:///outside/b.png@png").status == 404)
      } preparing: {
        let image = SampleImage.png(width: 40, height: 20)
        let outside = folder.path + "-outside"
        for name in [folder.path + "/..7", outside] {
          try FileManager.default.createDirectory(atPath: name, withIntermediateDirectories: true)
          #expect(FileManager.default.createFile(atPath: name + "/b.png", contents: image))
        }
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/current", withDestinationPath: "..7")
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/outside", withDestinationPath: outside)
      }
      try FileManager.default.removeItem(atPath: folder.path + "-outside")
    }

    @Test("An image is loaded, rendered and sent, and the second request is a memory hit")
    func route() async throws {
      try await withServer { server in
        let made = try await server.get("/unsafe/rs:fit:10/plain/local:///a.png@jpeg")
        #expect(made.status == 200)
        #expect(made.fields["Content-Type"] == "image/jpeg")
        #expect(made.fields["Server-Timing"]?.hasPrefix("cache;desc=made") == true)
        #expect(made.fields["Server-Timing"]?.contains("decode;dur=") == true)
        let header = try ImageReaders.reader(for: made.data).header
        #expect(header.pixelWidth == 10 && header.pixelHeight == 5)
        let again = try await server.get("/unsafe/rs:fit:10/plain/local:///a.png@jpeg")
        #expect(again.fields["Server-Timing"]?.hasPrefix("cache;desc=memory") == true)
        #expect(again.data == made.data && again.fields["ETag"] == made.fields["ETag"])
        let facts = try await server.get("/info/unsafe/plain/local:///a.png")
        #expect(facts.text.contains(#""width":40"#))
        #expect(server.lines.all.contains { $0.contains(#""cache":"made""#) && $0.contains(#""stages":{"#) })
      }
    }

    /// The `NukeSandboxWorker` beside the tests.
    private static let worker: String = {
      let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
      return URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent("NukeSandboxWorker").path
    }()

    @Test("A sandboxed server renders images, reads facts, and counts both in its metrics")
    func sandbox() async throws {
      let change: (inout ImageServer.Configuration) -> Void = { configuration in
        configuration.isSandboxed = true
        configuration.sandboxProgram = Self.worker
        configuration.workers = 1
      }
      try await withServer(change) { server in
        let made = try await server.get("/unsafe/rs:fit:10/plain/local:///a.png@jpeg")
        #expect(made.status == 200)
        let header = try ImageReaders.reader(for: made.data).header
        #expect(header.pixelWidth == 10 && header.pixelHeight == 5)
        let timing = made.fields["Server-Timing"] ?? ""
        for stage in ["decode", "process", "encode"] { #expect(timing.contains(" \(stage);dur="), "\(timing)") }
        #expect(try await server.get("/info/unsafe/plain/local:///a.png").text.contains(#""width":40"#))
        let figures = try await server.get("/metrics").text
        // A plan, an image, and facts.
        #expect(figures.contains("nuke_sandbox_answers_total 3"))
        #expect(figures.contains("nuke_sandbox_crashes_total 0"))
      }
    }

    @Test(
      "The sizes of source and result are sent on request, with and without a sandbox, for misses and hits",
      arguments: [true, false])
    func sizes(isSandboxed: Bool) async throws {
      let store = FileManager.default.temporaryDirectory.appendingPathComponent("nuke-store-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: store) }
      let length = SampleImage.png(width: 40, height: 20).count
      for origins in [["made", "memory"], ["store", "memory"]] {
        try await withServer({
          $0.isSandboxed = isSandboxed
          $0.sandboxProgram = Self.worker
          $0.workers = 1
          $0.diskCache = store.path
          $0.sendsSizes = true
        }) { server in
          try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_000_000)],
            ofItemAtPath: folder.appendingPathComponent("a.png").path)
          for origin in origins {
            let answer = try await server.get("/unsafe/rs:fit:10/plain/local:///a.png@png")
            #expect(answer.fields["Server-Timing"]?.hasPrefix("cache;desc=\(origin)") == true)
            #expect(answer.fields["X-Origin-Content-Length"] == String(length))
            #expect(answer.fields["X-Origin-Width"] == "40" && answer.fields["X-Origin-Height"] == "20")
            #expect(answer.fields["X-Result-Width"] == "10" && answer.fields["X-Result-Height"] == "5")
          }
        }
      }
    }

    @Test(
      "A watermark by URL is drawn, the server's own by URL is its default, and others than allowed sources are refused",
      arguments: [true, false])
    func watermarks(isSandboxed: Bool) async throws {
      try await withServer({
        $0.isSandboxed = isSandboxed
        $0.sandboxProgram = Self.worker
        $0.workers = 1
        $0.watermark = "local:///green.png"
      }) { (server: RunningServer) async throws in
        func corner(_ options: String) async throws -> [UInt8] {
          let answer = try await server.get("/unsafe/\(options)/plain/local:///a.png@png")
          #expect(answer.status == 200)
          let image = try ImageReaders.reader(for: answer.data).decode(DecodeOptions())
          return image.withUnsafeBytes { Array($0.prefix(3)) }
        }
        #expect(try await corner("wm:1:nowe") == [0, 255, 0])
        let red = Data("local:///red.png".utf8).base64EncodedString()
        #expect(try await corner("wm:1:nowe/wmu:\(red)") == [255, 0, 0])
        #expect(try await corner("w:40/wmu:\(red)") == corner("w:40"))
        let missing = Data("local:///none.png".utf8).base64EncodedString()
        #expect(try await server.get("/unsafe/wm:1/wmu:\(missing)/plain/local:///a.png").status == 404)
        let forbidden = Data("http://127.0.0.1/a.png".utf8).base64EncodedString()
        #expect(try await server.get("/unsafe/wm:1/wmu:\(forbidden)/plain/local:///a.png").status == 403)
        #expect(try await server.get("/unsafe/wm:1/wmu:*/plain/local:///a.png").status == 400)
      } preparing: {
        for (name, color) in [("green", Color(red: 0, green: 1, blue: 0, alpha: 1)), ("red", Color.red)] {
          let image = try #require(Bitmap.even(color, width: 4, height: 4)?.pngData())
          try image.write(to: folder.appendingPathComponent("\(name).png"))
        }
      }
    }

    @Test("A server whose workers do not start fails to start, with the reason")
    func noWorkers() async throws {
      await #expect {
        try await withServer({
          $0.isSandboxed = true
          $0.sandboxProgram = "/nowhere"
        }) { _ in }
      } throws: { error in
        let error = error as? ConfigurationError
        return error?.setting == "sandbox" && error?.reason.contains("/nowhere") == true
      }
    }

    @Test("A disallowed source is rejected, and the log contains no signature")
    func refusals() async throws {
      try await withServer({
        $0.allowsUnsigned = false
        $0.keys = [Data([1, 2, 3])]
        $0.salts = [Data([4])]
      }) { server in
        #expect(try await server.get("/unsafe/plain/local:///a.png").status == 403)
        #expect(try await server.get("/d3Jvbmdzb21ldGhpbmc/rs:fit:10/plain/local:///a.png").status == 403)
        let signed = try await server.get("/_playground/sign?path=%2Frs%3Afit%3A10%2Fplain%2Flocal%3A%2F%2F%2Fa.png")
        let path = try #require(try JSONDecoder().decode([String: String].self, from: signed.data)["path"])
        #expect(try await server.get(path).status == 200)
        let elsewhere = try await server.get("/_playground/sign?path=%2Fplain%2Fhttp%3A%2F%2F127.0.0.1%2Fa.png")
        let other = try #require(try JSONDecoder().decode([String: String].self, from: elsewhere.data)["path"])
        #expect(try await server.get(other).status == 403)
        let signature = path.split(separator: "/")[0]
        for line in server.lines.all {
          #expect(!line.contains(signature) && !line.contains("d3Jvbmdz"))
        }
      }
    }

    @Test("A restarted server finds the renditions on disk")
    func diskCache() async throws {
      let store = FileManager.default.temporaryDirectory.appendingPathComponent("nuke-store-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: store) }
      for origin in ["made", "store"] {
        try await withServer({ $0.diskCache = store.path }) { server in
          // The file is the same, so that what was made of it is.
          try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_000_000)],
            ofItemAtPath: folder.appendingPathComponent("a.png").path)
          let answer = try await server.get("/unsafe/rs:fit:10/plain/local:///a.png@png")
          #expect(answer.fields["Server-Timing"]?.hasPrefix("cache;desc=\(origin)") == true)
        }
      }
    }

    @Test("If only presets are allowed, other options are rejected")
    func presets() async throws {
      try await withServer({
        $0.presets = ["small": "rs:fit:10"]
        $0.allowsOnlyPresets = true
        $0.pathPrefix = "/images"
      }) { (server: RunningServer) async throws in
        // The image of the last path is in memory by then under the URL of the first.
        for (path, status) in [
          ("unsafe/small", 200), ("unsafe/small/bl:2", 400), ("info/unsafe/rs:fit:10", 400), ("info/unsafe", 200),
          ("unsafe/rs:fit:10", 400),
        ] {
          #expect(try await server.get("/images/\(path)/plain/local:///a.png").status == status, "\(path)")
        }
      }
    }

    @Test("The name of a preset in place of an option is an error that says how to write it")
    func bareNames() async throws {
      try await withServer({
        $0.presets = ["small": "rs:fit:10"]
        $0.allowsUnsigned = false
        ($0.keys, $0.salts) = ([Data([1])], [Data([2])])
      }) { server in
        let signer = URLSigner([.init(key: [1], salt: [2])])
        let named = "/small/plain/local:///a.png"
        let answer = try await server.get("/" + signer.signature(of: named) + named)
        #expect(answer.status == 400)
        #expect(
          answer.text == "The URL is malformed: \"small\" is not an option, because it has no colon; "
            + "presets are written as preset:name.\n")
        let signed = "/preset:small/plain/local:///a.png"
        #expect(try await server.get("/" + signer.signature(of: signed) + signed).status == 200)
      }
      // The names of presets are in the log, too.
      #expect(LoggedPath.of("/x/small/plain/http://a/b", prefix: "") == "/-/preset:small/plain/http://a/b")
    }

    @Test(
      "If only presets are allowed, no spelling of a path and no memory hit bypasses that",
      arguments: ["", "/images", "/a/b"])
    func spellings(prefix: String) async throws {
      try await withServer({
        $0.presets = ["small": "rs:fit:10"]
        $0.allowsOnlyPresets = true
        $0.pathPrefix = prefix
      }) { server in
        let allowed = "/unsafe/small/plain/local:///a.png@png"
        let refused = "/unsafe/rs:fit:30/plain/local:///a.png@png"
        let doubled = prefix.replacing("/", with: "//")
        let beginnings = [
          prefix, "/" + prefix, "//" + prefix, doubled, prefix + "/", "/." + prefix, prefix + "/.", "/x/.." + prefix,
          prefix.replacing("/", with: "/%2F"), "/%2F" + prefix.dropFirst(), prefix.replacing("a", with: "%61"),
          "http://localhost" + prefix, "http://localhost/" + prefix,
        ]
        #expect(try await server.send(prefix + allowed).status == 200)
        for beginning in beginnings {
          // What may be sent is in memory by now, and comes on the shorter way.
          let answers = try await RawClient.exchange(
            server.port, RawClient.request(prefix + allowed), RawClient.request(beginning + refused),
            RawClient.request(beginning + refused, ["Connection: close"]))
          #expect(answers.components(separatedBy: "HTTP/1.1 200 OK").count == 2, "\(beginning)")
          #expect(answers.components(separatedBy: "HTTP/1.1 40").count == 3, "\(beginning)")
        }
        if !prefix.isEmpty {
          // The router takes several slashes for one, and so do those who count and log.
          let answer = try await server.send("/" + doubled + refused)
          #expect(answer.status == 400 && answer.text.contains("rs"))
          #expect(try await server.send("/" + doubled + allowed).status == 200)
        }
        #expect(try await server.send(prefix + refused).head.contains("Cache-Control: "))
      }
    }

    @Test("The playground lists and signs the presets of the file and of the settings, which may refer to each other")
    func presetsOfThePage() async throws {
      try await withServer({
        $0.presetFile = folder.appendingPathComponent("presets").path
        $0.presets = ["mine": "pr:small/q:50"]
      }) { server in
        let config = try await server.get("/_playground/config").text
        #expect(config.contains(#""presets":["mine","small"]"#))
        for name in ["mine", "small"] {
          let signed = try await server.get("/_playground/sign?path=%2Fpr%3A\(name)%2Fplain%2Flocal%3A%2F%2F%2Fa.png")
          #expect(signed.status == 200)
        }
      } preparing: {
        try Data("small=rs:fit:10\n".utf8).write(to: folder.appendingPathComponent("presets"))
      }
    }

    @Test("A private source is not stored in the source cache")
    func privateSources() async throws {
      let log = Lock<[String]>([])
      let image = SampleImage.png(width: 40, height: 20)
      let origin = try NukeOrigin { request in
        log.withLock { $0.append(request.path) }
        var response = NukeOrigin.Response.data(image)
        response.headers.append(("Cache-Control", "\(request.path.dropFirst()), max-age=60"))
        return response
      }
      defer { origin.stop() }
      try await withServer({
        $0.allowedSources = ["http://"]
        $0.sourceCache = folder.appendingPathComponent("sources").path
        $0.allowedPrivateAddresses = ["127.0.0.0/8"]
      }) { server in
        for path in ["public", "private"] {
          for width in 1...3 {
            let answer = try await server.get("/unsafe/w:\(width)/plain/\(origin.url("/" + path).absoluteString)")
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.fields["Cache-Control"]?.hasPrefix("\(path), max-age=") == true)
          }
        }
      }
      #expect(log.withLock { $0 } == ["/public", "/private", "/private", "/private"])
    }

    @Test("The credentials of the result cache do not allow sources in S3 unless sources name the bucket")
    func buckets() async throws {
      let log = Lock<[String]>([])
      let image = SampleImage.png(width: 40, height: 20)
      let store = try NukeOrigin { request in
        log.withLock { $0.append("\(request.method) \(request.path)") }
        return request.path.hasSuffix("a.png") ? .data(image) : .status(404)
      }
      defer { store.stop() }
      let sources: [[String]] = [[], ["http://"], ["s3://open/"], ["http://", "S3://open/"]]
      for allowed in sources {
        try await withServer({
          $0.allowedSources = allowed
          // A scheme may be in upper case.
          $0.s3Endpoint = "HTTP" + store.url("").absoluteString.dropFirst(4)
          ($0.s3AccessKey, $0.s3SecretKey) = ("name", "key")
          $0.allowedPrivateAddresses = ["127.0.0.0/8"]
        }) { server in
          let hidden = try await server.get("/unsafe/w:10/plain/s3://private/a.png")
          #expect(hidden.status == 403)
          let isNamed = allowed.contains { $0.lowercased() == "s3://open/" }
          let shown = try await server.get("/unsafe/w:10/plain/s3://open/a.png")
          #expect(shown.status == (isNamed ? 200 : 403))
        }
      }
      #expect(log.withLock { Set($0) } == ["GET /open/a.png"])
    }

    /// A JPEG whose EXIF has a directory of places.
    private func jpegWithPlace() throws -> Data {
      var writer = JPEGWriter()
      let exif: [UInt8] =
        Array("MM\0*".utf8) + [0, 0, 0, 8] + [0, 1, 0x88, 0x25, 0, 4, 0, 0, 0, 1, 0, 0, 0, 26, 0, 0, 0, 0]
        + [0, 1, 0, 1, 0, 2, 0, 0, 0, 2, 0x4E, 0, 0, 0, 0, 0, 0, 0]
      writer.metadata = ImageMetadata(exif: Data(exif), hasColorProfile: true)
      return try writer.encode(SampleImage.bitmap(width: 24, height: 16))
    }

    @Test("The settings for locations, SVG and progressive JPEG are applied", arguments: [false, true])
    func settingsOfImages(isOn: Bool) async throws {
      let place = try jpegWithPlace()
      #expect(try ImageReaders.reader(for: place).header.exif?.hasLocation == true)
      try await withServer({
        $0.keepsLocation = isOn
        $0.sendsSVG = isOn
        $0.writesProgressiveJPEG = isOn
      }) { server in
        let jpeg = try await server.get("/unsafe/w:8/sm:0/plain/local:///place.jpg@jpeg").data
        #expect((try ImageReaders.reader(for: jpeg).header.exif?.hasLocation ?? false) == isOn)
        // The frame's marker (ITU T.81, table B.1).
        let frame = isOn ? 0xC2 : 0xC0 as UInt8
        #expect(jpeg.range(of: Data([0xFF, frame, 0])) != nil)
        let drawing = try await server.get("/unsafe/raw:1/plain/local:///a.svg")
        #expect(drawing.fields["Content-Type"]?.hasPrefix("image/svg+xml") == isOn)
      } preparing: {
        try place.write(to: folder.appendingPathComponent("place.jpg"))
        try Data(#"<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>"#.utf8)
          .write(to: folder.appendingPathComponent("a.svg"))
      }
    }

    @Test("A client gets HTTP/1.1 and the format that it accepts")
    func negotiation() async throws {
      try await withServer { server in
        let accepting = try await server.get("/unsafe/plain/local:///a.png", fields: ["Accept": "image/webp"])
        #expect(accepting.fields["Content-Type"] == "image/webp")
        let other = try await server.get("/unsafe/plain/local:///a.png", fields: ["Accept": "image/png"])
        #expect(other.fields["Content-Type"] == "image/png" && other.fields["Vary"]?.contains("Accept") == true)
      }
    }

    @Test("Requests for images and metadata need the bearer token, also for memory hits; health checks do not")
    func bearerToken() async throws {
      try await withServer({ ($0.bearerToken, $0.servesPlayground) = ("secret", false) }) { server in
        let image = "/unsafe/rs:fit:10/plain/local:///a.png@png"
        for path in [image, "/info/unsafe/plain/local:///a.png"] {
          for _ in 0..<3 {
            #expect(try await server.get(path).status == 403)
            #expect(try await server.get(path, fields: ["Authorization": "Bearer wrong"]).status == 403)
            #expect(try await server.get(path, fields: ["Authorization": "Bearer secret"]).status == 200)
          }
        }
        #expect(try await server.get(image).text == "The field Authorization has no valid bearer token.\n")
        #expect(try await server.send(image, method: "HEAD").status == 403)
        let health = try await server.get("/health")
        #expect(health.status == 200)
      }
    }

    @Test("Options that URLs leave open have the values of the settings")
    func defaults() async throws {
      let gif = try GIFWriter().encode(SampleImage.bitmap(width: 8, height: 8))
      try await withServer({
        $0.skippedFormats = [.gif]
        $0.enforcedFormats = [.webp]
        $0.sendsAttachments = true
        $0.entityTagSuffix = "-v2"
        $0.healthPath = "/healthz"
        $0.metricsPrefix = "photos_"
      }) { server in
        let accepting = ["Accept": "image/webp,*/*"]
        let skipped = try await server.get("/unsafe/w:4/plain/local:///a.gif", fields: accepting)
        #expect(skipped.data == gif && skipped.fields["Content-Disposition"]?.hasPrefix("attachment") == true)
        #expect((skipped.fields["Etag"] ?? skipped.fields["ETag"])?.hasSuffix("-v2\"") == true)
        let shown = try await server.get("/unsafe/att:0/plain/local:///a.gif@png", fields: accepting)
        #expect(shown.fields["Content-Type"] == "image/webp" && shown.fields["Content-Disposition"] == nil)
        #expect(try await server.get("/unsafe/plain/local:///a.gif@png").fields["Content-Type"] == "image/png")
        #expect(try await server.get("/healthz").text == "alive\n")
        #expect(try await server.get("/metrics").text.contains("photos_nuke_http_requests_total{"))
      } preparing: {
        try gif.write(to: folder.appendingPathComponent("a.gif"))
      }
    }

    @Test("Without a source, the fallback image of the settings is sent")
    func fallbackData() async throws {
      try await withServer({ $0.fallbackImageData = SampleImage.png(width: 6, height: 4) }) { server in
        let answer = try await server.get("/unsafe/plain/local:///missing.png@png")
        #expect(answer.status == 200 && answer.fields["Fallback-Image"] == "1")
        #expect(try #require(Bitmap(data: answer.data)).pixelWidth == 6)
      }
    }

    @Test("A preset that contains itself is a warning in the log")
    func repeatedPreset() throws {
      let lines = LogLines()
      let logger = Logger(label: "test") {
        ServerLogHandler(label: $0, format: .json, level: .info, write: lines.write)
      }
      var configuration = ImageServer.Configuration()
      configuration.presets = ["rec": "pr:small:rec/q:50", "small": "w:10"]
      _ = try ServerDependencies(configuration, metrics: PrometheusRegistry(), logger: logger)
      let warnings = lines.all.filter { $0.contains("contains itself") }
      #expect(warnings.count == 1 && warnings.first?.contains("warning") == true)
    }

    @Test("Presets are read from a file, and an error in it names the line")
    func presetFile() async throws {
      try await withServer({ $0.presetFile = folder.appendingPathComponent("presets").path }) { server in
        let answer = try await server.get("/unsafe/pr:small/plain/local:///a.png@png")
        #expect(answer.status == 200)
      } preparing: {
        try Data("# sizes\nsmall=rs:fit:10\n".utf8).write(to: folder.appendingPathComponent("presets"))
      }
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let file = folder.appendingPathComponent("presets")
      try Data("small=rs:fit:10\nlarge=w:100/wobble:3\n".utf8).write(to: file)
      var configuration = ImageServer.Configuration()
      configuration.presetFile = file.path
      let error = #expect(throws: ConfigurationError.self) {
        try ImageServer(configuration, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
      }
      let start = "preset-file (\(file.path):2): preset \"large\": The option wobble is not valid"
      #expect(error?.description.hasPrefix(start) == true)
    }
  }
#endif
