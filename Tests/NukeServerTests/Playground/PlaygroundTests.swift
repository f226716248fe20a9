#if Server
  import Foundation
  import NukeServing
  import Testing

  @testable import NukeServer

  @Suite("The playground page")
  struct PlaygroundTests {
    private func routes(
      _ change: (inout ImageServer.Configuration) -> Void = { _ in }, signer: URLSigner? = nil,
      presets: ImagePresets = ImagePresets()
    ) -> PlaygroundRoutes {
      var configuration = ImageServer.Configuration()
      change(&configuration)
      var dependencies = ServerDependencies.fake()
      var rules = URLRules()
      rules.presets = presets
      rules.hasOnlyPresets = configuration.allowsOnlyPresets
      dependencies.urls = ResolvedURLs(URLVerifier(signer: signer), rules)
      return PlaygroundRoutes(
        configuration: configuration, dependencies: dependencies, statistics: ServerStatistics(clock: { 0 }))
    }

    @Test("A path is signed so that the server accepts it, after the prefix")
    func signing() throws {
      let signer = URLSigner([URLSigner.Pair(key: [1, 2], salt: [3])])
      let path = try routes({ $0.pathPrefix = "/img" }, signer: signer).sign("/rs:fit:10/plain/local:///a.jpg@webp")
      #expect(path.hasPrefix("/img/") && path.hasSuffix("/rs:fit:10/plain/local:///a.jpg@webp"))
      #expect(signer.isSigned(try ImageURL(path: String(path.dropFirst(4)))))
    }

    @Test("Without a key, the signature is a placeholder")
    func unsigned() throws {
      #expect(try routes().sign("/plain/local:///a.jpg") == "/unsafe/plain/local:///a.jpg")
    }

    @Test(
      "Requests that would be rejected are not signed", arguments: ["", "plain/x", "/nonsense:1/plain/x", "/plain/"])
    func refusals(_ path: String) {
      #expect(throws: ServingError.self) { try routes().sign(path) }
    }

    @Test("Presets are signed, and nothing else if only presets are allowed")
    func onlyPresets() throws {
      let routes = self.routes({ $0.allowsOnlyPresets = true }, presets: try ImagePresets(["small": "w:10"]))
      #expect(try routes.sign("/small/plain/local:///a.jpg") == "/unsafe/small/plain/local:///a.jpg")
      #expect(throws: ServingError.self) { try routes.sign("/small/w:20/plain/local:///a.jpg") }
      #expect(throws: ServingError.self) { try routes.sign("/w:20/plain/local:///a.jpg") }
      #expect(throws: ServingError.self) { try routes.sign("/large/plain/local:///a.jpg") }
    }

    @Test("The page and its files have their media types, and may load nothing from other servers")
    func files() async throws {
      var configuration = ImageServer.Configuration()
      configuration.servesPlayground = true
      let running = try await RunningServer(configuration)
      let page = try await running.get("/_playground")
      #expect(page.fields["Content-Type"] == "text/html; charset=utf-8")
      #expect(page.fields["Content-Security-Policy"]?.hasPrefix("default-src 'none'; script-src 'self'") == true)
      var texts = page.text
      for (file, type) in [
        ("playground.css", "text/css"), ("playground.js", "text/javascript"), ("paths.js", "text/javascript"),
        ("words.js", "text/javascript"),
      ] {
        let answer = try await running.get("/_playground/\(file)")
        #expect(answer.fields["Content-Type"]?.hasPrefix(type) == true)
        #expect(answer.fields["X-Content-Type-Options"] == "nosniff")
        #expect(texts.contains("/_playground/\(file)") || texts.contains("from './\(file)'"))
        texts += answer.text
      }
      #expect(!page.text.contains("<style") && !page.text.contains(" style=") && !page.text.contains("<script>"))
      #expect(try await running.get("/").status == 404)
      try await running.stop()
    }

    @Test("The page gets the settings and the statistics of the server")
    func answers() async throws {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      for name in ["b.png", "a.jpg", ".hidden.png", "notes.txt"] {
        try Data().write(to: folder.appendingPathComponent(name))
      }
      var configuration = ImageServer.Configuration.demo(samples: folder.path)
      configuration.presets = ["small": "rs:fit:10:10"]
      var dependencies = ServerDependencies.fake()
      dependencies.urls = ResolvedURLs(URLVerifier(signer: nil), try configuration.urlRules)
      let running = try await RunningServer(configuration, dependencies: dependencies)
      #expect(try await running.get("/").text.contains("<h1>"))
      let config = try await running.get("/_playground/config").text
      #expect(
        config.contains(#""sources":[{"name":"a.jpg","url":"local:///a.jpg"},{"name":"b.png","url":"local:///b.png"}]"#)
      )
      #expect(config.contains(#""presets":["small"]"#) && config.contains(#""jpeg""#))
      #expect(config.contains(#""isSigned":false"#) && config.contains(#""pathPrefix":"""#))
      let signed = try await running.get(
        "/_playground/sign?path=%2Frs%3Afit%3A10%2Fplain%2Flocal%3A%2F%2F%2Fa%2540.jpg")
      #expect(signed.text == #"{"path":"/unsafe/rs:fit:10/plain/local:///a%40.jpg"}"#)
      let refused = try await running.get("/_playground/sign?path=%2Frs%3Anone%2Fplain%2Fx")
      #expect(refused.status == 400 && refused.text.contains("\"error\""))
      _ = try await running.get("/sig/plain/local:///a.jpg")
      let stats = try await running.get("/_playground/stats").text
      #expect(stats.contains(#""made":1"#) && stats.contains(#""requests":1"#))
      try await running.stop()
    }
  }
#endif
