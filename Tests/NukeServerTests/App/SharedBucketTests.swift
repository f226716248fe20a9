#if Server
  import Foundation
  import FoundationNetworking
  import NukeLocalServers
  import NukeOrigin
  import NukeS3
  import NukeTesting
  import Testing

  @testable import NukeServer

  @Suite(
    "Servers that share a bucket", .timeLimit(.minutes(3)),
    .enabled(if: MotoServer.isAvailable, "moto is needed: Scripts/setup --test"))
  struct SharedBucketTests {
    private let endpoint: URL
    private let bucket = "results-\(UUID().uuidString.lowercased())"

    init() async throws {
      endpoint = try #require(MotoServer.shared).endpoint.url
      let made = try await send("PUT", bucket)
      #expect(made == 200)
    }

    private func send(_ method: String, _ path: String, _ data: Data = Data()) async throws -> Int? {
      var request = URLRequest(url: endpoint.appendingPathComponent(path))
      request.httpMethod = method
      request.httpBody = data
      let session = URLSession(configuration: .ephemeral)
      defer { session.finishTasksAndInvalidate() }
      return (try await session.data(for: request).1 as? HTTPURLResponse)?.statusCode
    }

    private var configuration: ImageServer.Configuration {
      var configuration = ImageServer.Configuration.ofLoopback
      configuration.s3Endpoint = endpoint.absoluteString
      (configuration.s3AccessKey, configuration.s3SecretKey) = ("testing", "testing")
      configuration.s3Cache = "\(bucket)/renditions"
      configuration.allowedSources = ["http://", "s3://\(bucket)/"]
      configuration.s3Timeout = 60
      return configuration
    }

    @Test("A new server finds the results that another one stored before it ended")
    func restart() async throws {
      let image = SampleImage.png(width: 400, height: 300)
      let origin = try NukeOrigin { _ in .data(image) }
      defer { origin.stop() }
      var bodies: Set<Data> = []
      for found in ["made", "store"] {
        let server = try await RunningServer(assembling: configuration)
        let answer = try await server.get("/unsafe/w:40/plain/\(origin.url("/a.png"))@webp")
        #expect(answer.status == 200)
        #expect(answer.fields["Server-Timing"]?.hasPrefix("cache;desc=\(found)") == true)
        bodies.insert(answer.data)
        let metrics = try await server.get("/metrics").text
        #expect(metrics.contains("nuke_s3_hits_total \(found == "made" ? 0 : 1)\n"))
        #expect(metrics.contains("nuke_s3_up 1\n") && metrics.contains("nuke_s3_errors_total 0\n"))
        try await server.stop()
      }
      #expect(bodies.count == 1)
      #expect(origin.log.requests.count == 1)
    }

    @Test("A purge on one server reaches another one through the bucket")
    func purge() async throws {
      let images = [SampleImage.png(width: 400, height: 300), SampleImage.png(width: 300, height: 300)]
      let isReplaced = Lock(false)
      let origin = try NukeOrigin { _ in
        var response = NukeOrigin.Response.data(images[isReplaced.withLock { $0 } ? 1 : 0])
        response.headers.append(("Cache-Control", "max-age=86400"))
        return response
      }
      defer { origin.stop() }
      var configuration = configuration
      (configuration.purgeKeys, configuration.purgeSalts) = ([Data("purge".utf8)], [Data("salt".utf8)])
      let path = "/unsafe/w:40/plain/\(origin.url("/a.png"))@webp"
      let one = try await RunningServer(assembling: configuration)
      let before = try await one.get(path)
      isReplaced.withLock { $0 = true }
      let signer = try #require(configuration.purgeSigner)
      let url = signer.sign(ImageURL(source: origin.url("/a.png").absoluteString), for: .purge)
      #expect(try await one.send(url.path, method: "DELETE").status == 204)
      // Its result is written before it ends.
      try await one.stop()
      let two = try await RunningServer(assembling: configuration)
      let after = try await two.get(path)
      #expect(after.status == 200 && after.data != before.data)
      #expect(origin.log.requests.count == 2)
      try await two.stop()
    }

    @Test("A bucket can also contain the sources")
    func source() async throws {
      #expect(try await send("PUT", "\(bucket)/a.png", SampleImage.png(width: 40, height: 20)) == 200)
      let server = try await RunningServer(assembling: configuration)
      let facts = try await server.get("/info/unsafe/plain/s3://\(bucket)/a.png")
      #expect(facts.status == 200 && facts.text.contains(#""width":40"#))
      #expect(try await server.get("/unsafe/w:10/plain/s3://\(bucket)/a.png").status == 200)
      #expect(try await server.get("/unsafe/w:10/plain/s3://\(bucket)/b.png").status == 404)
      try await server.stop()
    }
  }
#endif
