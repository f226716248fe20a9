#if Server
  import Foundation
  import NukeOrigin
  import NukeServing
  import Testing

  @testable import NukeServer

  @Suite("Paths and methods of a server")
  struct ServerPathsTests {
    private let sample = SampleServer()

    @Test("With the environment of imgproxy, health checks below the prefix are not taken for images")
    func healthBelowPrefix() async throws {
      try await sample.withServer({ ($0.usesImgproxyEnvironment, $0.pathPrefix) = (true, "/img") }) { server in
        let health = try await server.get("/img/health")
        let image = try await server.get("/img/unsafe/rs:fit:10/plain/local:///a.png@jpeg")
        #expect(health.text == "alive\n" && image.status == 200)
      }
    }

    @Test(
      "Paths that cannot be those of images are not found, also below a prefix, and are not mistaken for images",
      arguments: ["", "/img"])
    func otherPaths(prefix: String) async throws {
      try await sample.withServer({
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
      try await sample.withServer({
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
      try await sample.withServer({
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

    @Test("A disallowed source is rejected, and the log contains no signature")
    func refusals() async throws {
      try await sample.withServer({
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

    @Test(
      "If only presets are allowed, no spelling of a path and no memory hit bypasses that",
      arguments: ["", "/images", "/a/b"])
    func spellings(prefix: String) async throws {
      try await sample.withServer({
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

    @Test("A client gets HTTP/1.1 and the format that it accepts")
    func negotiation() async throws {
      try await sample.withServer { server in
        let accepting = try await server.get("/unsafe/plain/local:///a.png", fields: ["Accept": "image/webp"])
        #expect(accepting.fields["Content-Type"] == "image/webp")
        let other = try await server.get("/unsafe/plain/local:///a.png", fields: ["Accept": "image/png"])
        #expect(other.fields["Content-Type"] == "image/png" && other.fields["Vary"]?.contains("Accept") == true)
      }
    }

    @Test("Requests for images and metadata need the bearer token, also for memory hits; health checks do not")
    func bearerToken() async throws {
      try await sample.withServer({ ($0.bearerToken, $0.servesPlayground) = ("secret", false) }) { server in
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
  }
#endif
