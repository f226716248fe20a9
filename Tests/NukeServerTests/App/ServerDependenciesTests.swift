#if Server
  import Foundation
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
    private let sample = SampleServer()

    @Test("A skipped source is sent unchanged, whatever formats the client accepts", arguments: [true, false])
    func skipping(isSandboxed: Bool) async throws {
      try await sample.withServer({
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
      try await sample.withServer { (server: RunningServer) async throws in
        #expect(try await server.get("/unsafe/w:7/plain/local:///current/b.png@png").status == 200)
        #expect(try await server.get("/unsafe/w:7/plain/local:///outside/b.png@png").status == 404)
      } preparing: {
        let image = SampleImage.png(width: 40, height: 20)
        let outside = sample.folder.path + "-outside"
        for name in [sample.folder.path + "/..7", outside] {
          try FileManager.default.createDirectory(atPath: name, withIntermediateDirectories: true)
          #expect(FileManager.default.createFile(atPath: name + "/b.png", contents: image))
        }
        try FileManager.default.createSymbolicLink(atPath: sample.folder.path + "/current", withDestinationPath: "..7")
        try FileManager.default.createSymbolicLink(
          atPath: sample.folder.path + "/outside", withDestinationPath: outside)
      }
      try FileManager.default.removeItem(atPath: sample.folder.path + "-outside")
    }

    @Test("An image is loaded, rendered and sent, and the second request is a memory hit")
    func route() async throws {
      try await sample.withServer { server in
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
      try await sample.withServer(change) { server in
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
        try await sample.withServer({
          $0.isSandboxed = isSandboxed
          $0.sandboxProgram = Self.worker
          $0.workers = 1
          $0.diskCache = store.path
          $0.sendsSizes = true
        }) { server in
          try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_000_000)],
            ofItemAtPath: sample.folder.appendingPathComponent("a.png").path)
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
      try await sample.withServer({
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
          try image.write(to: sample.folder.appendingPathComponent("\(name).png"))
        }
      }
    }

    @Test("A server whose workers do not start fails to start, with the reason")
    func noWorkers() async throws {
      await #expect {
        try await sample.withServer({
          $0.isSandboxed = true
          $0.sandboxProgram = "/nowhere"
        }) { _ in }
      } throws: { error in
        let error = error as? ConfigurationError
        return error?.setting == "sandbox" && error?.reason.contains("/nowhere") == true
      }
    }

    @Test("A restarted server finds the renditions on disk")
    func diskCache() async throws {
      let store = FileManager.default.temporaryDirectory.appendingPathComponent("nuke-store-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: store) }
      for origin in ["made", "store"] {
        try await sample.withServer({ $0.diskCache = store.path }) { server in
          // The file is the same, so that what was made of it is.
          try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_000_000)],
            ofItemAtPath: sample.folder.appendingPathComponent("a.png").path)
          let answer = try await server.get("/unsafe/rs:fit:10/plain/local:///a.png@png")
          #expect(answer.fields["Server-Timing"]?.hasPrefix("cache;desc=\(origin)") == true)
        }
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
      try await sample.withServer({
        $0.allowedSources = ["http://"]
        $0.sourceCache = sample.folder.appendingPathComponent("sources").path
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
        try await sample.withServer({
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
      try await sample.withServer({
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
        try place.write(to: sample.folder.appendingPathComponent("place.jpg"))
        try Data(#"<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>"#.utf8)
          .write(to: sample.folder.appendingPathComponent("a.svg"))
      }
    }

    @Test("Options that URLs leave open have the values of the settings")
    func defaults() async throws {
      let gif = try GIFWriter().encode(SampleImage.bitmap(width: 8, height: 8))
      try await sample.withServer({
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
        try gif.write(to: sample.folder.appendingPathComponent("a.gif"))
      }
    }

    @Test("Without a source, the fallback image of the settings is sent")
    func fallbackData() async throws {
      try await sample.withServer({ $0.fallbackImageData = SampleImage.png(width: 6, height: 4) }) { server in
        let answer = try await server.get("/unsafe/plain/local:///missing.png@png")
        #expect(answer.status == 200 && answer.fields["Fallback-Image"] == "1")
        #expect(try #require(Bitmap(data: answer.data)).pixelWidth == 6)
      }
    }
  }
#endif
