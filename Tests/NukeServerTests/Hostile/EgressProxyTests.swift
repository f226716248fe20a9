#if Server
  import Foundation
  import Nuke
  import NukeOrigin
  import NukeServing
  import Testing
  import Tracing

  @testable import NukeServer

  @Suite("A server with a proxy for its sources", .timeLimit(.minutes(1)))
  struct EgressProxyTests {
    private func serve(_ proxy: NukeOrigin, _ body: (WholeServer) async throws -> Void) async throws {
      try await WholeServer.with(
        {
          $0.allowedPrivateAddresses = []
          $0.proxy = proxy.url("")
        }, body)
    }

    @Test("Sources are loaded through the proxy, which resolves their names")
    func names() async throws {
      let proxy = try NukeOrigin { _ in .data(WholeServer.image) }
      defer { proxy.stop() }
      try await serve(proxy) { server in
        let answer = try await server.get("/unsafe/w:10/plain/http://images.invalid/a.png")
        #expect(answer.status == 200)
      }
      #expect(proxy.log.requests.map(\.path) == ["http://images.invalid/a.png"])
    }

    @Test("Private addresses are not sent to the proxy in any spelling, nor are names that are never public")
    func addresses() async throws {
      let proxy = try NukeOrigin { _ in .data(WholeServer.image) }
      defer { proxy.stop() }
      let names = ["redis", "store.local", "metadata.google.internal"].map { ($0, 403) }
      try await serve(proxy) { server in
        for (host, status) in names + ForbiddenAddressTests.hosts.map({ ($0.key, $0.value) })
        where !host.hasPrefix("pictures.test") {
          let answer = try await server.get("/unsafe/w:10/plain/http://\(host)/a.png")
          #expect(answer.status == status, "\(host): \(answer.text)")
        }
      }
      #expect(proxy.log.connectionsAccepted == 0)
    }

    @Test("Redirects to private addresses are not followed through the proxy")
    func redirects() async throws {
      let locations = ["http://169.254.169.254/", "http://2130706433/", "https://[::1]/", "http://localhost:8080/"]
      let proxy = try NukeOrigin { request in
        .redirect(to: locations[Int(request.path.suffix(1)) ?? 0]).closing()
      }
      defer { proxy.stop() }
      try await serve(proxy) { server in
        for (number, location) in locations.enumerated() {
          let answer = try await server.get("/unsafe/w:10/plain/http://images.invalid/\(number)")
          #expect(
            answer.status == 403 && answer.text == "The source is not allowed.\n", "\(location): \(answer.status)")
        }
      }
      #expect(proxy.log.requests.count == locations.count)
    }

    @Test("Sources in S3 use the proxy of the environment")
    func s3() throws {
      var configuration = ImageServer.Configuration()
      configuration.proxy = URL(string: "http://proxy.test:3128")
      configuration.s3Endpoint = "http://store.test:9000"
      configuration.allowedSources = ["http://", "s3://"]
      let pipeline = try configuration.pipeline(metrics: PrometheusRegistry(), tracer: NoOpTracer(), role: nil)
      let loader = try #require(pipeline.dataLoader as? SourceLoader)
      let web = try #require(loader.configuration(for: URL(string: "http://images.test/")!))
      #expect(web.proxy == .url(URL(string: "http://proxy.test:3128")!) && web.proxyEnforcesAddressPolicy)
      #expect(web.addressPolicy == .publicOnly)
      let s3 = try #require(loader.configuration(for: URL(string: "s3://bucket/a")!))
      #expect(s3.proxy == .environment && !s3.proxyEnforcesAddressPolicy)
    }
  }
#endif
