#if Server
  import Foundation
  import Logging
  import NukeBase
  import NukeLoaderSuite
  import NukeOrigin
  import NukeServing
  import NukeTesting
  import Testing

  @testable import NukeServer

  @Suite("Replaced sources", .timeLimit(.minutes(1)))
  struct ReplacedSourceTests {
    /// The width of the image in a response.
    private func width(_ response: RunningServer.ServerResponse) -> String? { response.fields["X-Origin-Width"] }

    private func with(
      _ change: (inout ImageServer.Configuration) -> Void, _ body: (RunningServer) async throws -> Void
    ) async throws {
      var configuration = ImageServer.Configuration.ofLoopback
      configuration.sendsSizes = true
      change(&configuration)
      let server = try await RunningServer(assembling: configuration)
      do {
        try await body(server)
      } catch {
        try? await server.stop()
        throw error
      }
      try await server.stop()
    }

    @Test("A replaced, removed or new file is seen by the next request", arguments: [true, false])
    func files(hasMemoryCache: Bool) async throws {
      let folder = try TemporaryFolder()
      let path = "/unsafe/w:4/plain/local:///a.png@png"
      try await with({
        $0.localRoots = ["": folder.url.path]
        if !hasMemoryCache {
          $0.memoryCacheSize = 0
          $0.diskCache = folder.url.path + "/results"
        }
      }) { server in
        // The failure is not remembered for a file that exists by now.
        #expect(try await server.get(path).status == 404)
        for size in [40, 50, 60] {
          let file = folder.file("a.png", SampleImage.png(width: size, height: 20))
          #expect(width(try await server.get(path)) == "\(size)")
          // The second request goes a shorter way than the first, and the third is a memory hit.
          for _ in 0..<2 {
            let hit = try await server.get(path)
            #expect(width(hit) == "\(size)")
            if hasMemoryCache { #expect(hit.fields["Server-Timing"]?.hasPrefix("cache;desc=made") != true) }
          }
          // Only the time is another: the source is loaded again, and nothing is rendered.
          try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_000_000)], ofItemAtPath: file.path)
          let touched = try await server.get(path)
          #expect(touched.fields["Last-Modified"] == "Mon, 12 Jan 1970 13:46:40 GMT" && width(touched) == "\(size)")
        }
        // An image that cannot be read, and then one that can.
        _ = folder.file("a.png", Data("no image".utf8))
        #expect(try await server.get(path).status == 422)
        _ = folder.file("a.png", SampleImage.png(width: 70, height: 20))
        #expect(width(try await server.get(path)) == "70")
        try FileManager.default.removeItem(atPath: folder.url.path + "/a.png")
        #expect(try await server.get(path).status == 404)
      }
    }

    @Test("A watermark in a folder is read again after it has changed")
    func watermark() async throws {
      let folder = try TemporaryFolder()
      _ = folder.file("a.png", SampleImage.png(width: 40, height: 20))
      try await with({
        $0.localRoots = ["": folder.url.path]
        $0.watermark = "local:///mark.png"
      }) { server in
        _ = folder.file("mark.png", SampleImage.png(width: 4, height: 4))
        let first = try await server.get("/unsafe/w:30/wm:1/plain/local:///a.png@png")
        #expect(first.status == 200)
        try FileManager.default.removeItem(atPath: folder.url.path + "/mark.png")
        #expect(try await server.get("/unsafe/w:31/wm:1/plain/local:///a.png@png").status == 404)
      }
    }

    private final class Width: Sendable {
      let value = Lock(40)
    }

    /// An origin whose image changes.
    private struct Origin {
      private let width = Width()
      let server: NukeOrigin

      init(cacheControl: String) throws {
        server = try NukeOrigin { [width] request in
          let width = width.value.withLock { $0 }
          let tag = "\"\(width)\""
          var response =
            request.header("If-None-Match") == tag
            ? NukeOrigin.Response.status(304) : .data(SampleImage.png(width: width, height: 20))
          response.headers += [("ETag", tag), ("Cache-Control", cacheControl)]
          return response
        }
      }

      var requests: [NukeOrigin.Request] { server.log.requests }

      func replace(width: Int) { self.width.value.withLock { $0 = width } }
    }

    @Test(
      "With imgproxy's environment, a replaced source is seen after the validation interval, and clients are told a year",
      arguments: ["max-age=31536000", "private, no-store", "no-cache"], [true, false])
    func web(cacheControl: String, hasSourceCache: Bool) async throws {
      let folder = try TemporaryFolder()
      let origin = try Origin(cacheControl: cacheControl)
      defer { origin.server.stop() }
      let loaded = try LoadedConfiguration("NUKE_IMGPROXY_ENVIRONMENT=true").configuration
      #expect(loaded.validationInterval == 10)
      try await with({
        ($0.usesSourceFreshness, $0.ttl) = (loaded.usesSourceFreshness, loaded.ttl)
        // The time of each is over at once.
        $0.validationInterval = 0
        if hasSourceCache { $0.sourceCache = folder.url.path + "/sources" }
      }) { server in
        let path = "/unsafe/w:4/plain/\(origin.server.url("/a.png").absoluteString)@png"
        for size in [40, 50, 60] {
          origin.replace(width: size)
          for path in [path, path.replacing("w:4", with: "w:5"), path] {
            let response = try await server.get(path)
            #expect(width(response) == "\(size)")
            let age = response.fields["Cache-Control"]?.firstMatch(of: /^public, max-age=([0-9]+)$/)
            #expect(age.flatMap { Int($0.1) }.map { $0 > 31_535_000 } == true)
          }
        }
        // Each request asked the source, and those for the same version got a 304 if there was something to compare.
        #expect(origin.requests.count == 9)
        #expect(origin.requests.last?.header("If-None-Match") == "\"60\"")
      }
    }

    @Test("Cache-Control: no-cache validates the source if a setting allows it", arguments: [true, false])
    func noCache(isHonored: Bool) async throws {
      let origin = try Origin(cacheControl: "max-age=31536000")
      defer { origin.server.stop() }
      try await with({ $0.honorsNoCache = isHonored }) { (server: RunningServer) async throws in
        let path = "/unsafe/w:4/plain/\(origin.server.url("/a.png").absoluteString)@png"
        for _ in 0..<3 { #expect(width(try await server.get(path)) == "40") }
        // Nothing has changed.
        #expect(width(try await server.get(path, fields: ["Cache-Control": "max-age=0, No-Cache"])) == "40")
        #expect(origin.requests.count == (isHonored ? 2 : 1))
        origin.replace(width: 50)
        #expect(width(try await server.get(path)) == "40")
        #expect(width(try await server.get(path, fields: ["Cache-Control": "no-cache"])) == (isHonored ? "50" : "40"))
        #expect(width(try await server.get(path)) == (isHonored ? "50" : "40"))
        #expect(origin.requests.count == (isHonored ? 3 : 1))
      }
    }
  }
#endif
