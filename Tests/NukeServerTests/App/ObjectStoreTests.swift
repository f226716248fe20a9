#if Server
  import Foundation
  import NukeOrigin
  import NukeTesting
  import Testing

  @testable import NukeServer

  @Suite("Sources in object stores", .timeLimit(.minutes(3)))
  struct ObjectStoreTests {
    private func makeStore() throws -> NukeOrigin {
      let image = SampleImage.png(width: 40, height: 30)
      return try NukeOrigin { request in request.path == "/photos/a%20%C3%BC.png" ? .data(image) : .status(404) }
    }

    private func configuration(_ endpoint: URL) -> ImageServer.Configuration {
      var configuration = ImageServer.Configuration.ofLoopback
      // Stores may have private addresses, unlike sources on the web.
      configuration.allowedPrivateAddresses = []
      (configuration.gcsEndpoint, configuration.gcsDeniedBuckets) = (endpoint.absoluteString, ["secret"])
      (configuration.absName, configuration.absKey) = ("nuke", Data("key".utf8).base64EncodedString())
      (configuration.absEndpoint, configuration.absAllowedContainers) = (endpoint.absoluteString, ["photos"])
      configuration.allowedSources = ["gs://", "abs://"]
      return configuration
    }

    @Test("Objects are loaded from the store of their scheme, if their bucket is allowed")
    func loading() async throws {
      let store = try makeStore()
      defer { store.stop() }
      let server = try await RunningServer(assembling: configuration(store.url("")))
      for (source, status) in [
        ("gs://photos/a%20%C3%BC.png", 200), ("abs://photos/a%20%C3%BC.png", 200), ("gs://photos/b.png", 404),
        ("gs://secret/a.png", 403), ("abs://other/a.png", 403), ("s3://photos/a.png", 403),
      ] {
        let answer = try await server.get("/unsafe/w:20/plain/\(source)")
        #expect(answer.status == status, "\(source)")
      }
      #expect(store.log.requests.map(\.path) == ["/photos/a%20%C3%BC.png", "/photos/a%20%C3%BC.png", "/photos/b.png"])
      let authorizations = store.log.requests.map { $0.header("Authorization")?.prefix(15) }
      #expect(authorizations == [nil, "SharedKey nuke:", nil])
      try await server.stop()
    }
  }
#endif
