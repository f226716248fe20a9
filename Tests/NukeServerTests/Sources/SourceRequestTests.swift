#if Server
  import Foundation
  import NukeOrigin
  import NukeTesting
  import Testing

  @testable import NukeServer

  @Suite("Requests to sources", .timeLimit(.minutes(1)))
  struct SourceRequestTests {
    @Test("Sources are not told which formats the server reads, unless a setting says so", arguments: [true, false])
    func accept(isListed: Bool) async throws {
      let image = SampleImage.png(width: 4, height: 4)
      let origin = try NukeOrigin { _ in .data(image) }
      defer { origin.stop() }
      try await WholeServer.with({
        $0.negotiatesSources = isListed
        $0.allowedSources = ["http://", "s3://"]
        $0.s3Endpoint = origin.url("").absoluteString
      }) { (server: WholeServer) async throws in
        for source in [origin.url("/a.png").absoluteString, "s3://bkt/a.png"] {
          #expect(try await server.get("/unsafe/w:4/plain/\(source)@png").status == 200)
        }
      }
      let sent = origin.log.requests.map { $0.header("Accept") }
      #expect(sent.count == 2)
      for accept in sent {
        if isListed {
          #expect(accept?.contains("image/webp,") == true && accept?.hasSuffix(",*/*;q=0.5") == true)
        } else {
          #expect(accept == "*/*")
        }
      }
    }
  }
#endif
