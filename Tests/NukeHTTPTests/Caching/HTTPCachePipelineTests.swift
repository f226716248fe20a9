import Foundation
import FoundationNetworking
import Nuke
import NukeOrigin
import NukeTesting
import Testing

@Suite("A pipeline with an HTTP cache")
struct HTTPCachePipelineTests {
  private let png = SampleImage.png(width: 40, height: 20)

  private func pipeline(_ bench: CacheBench) -> ImagePipeline {
    .fake(loader: bench.loader) { $0.imageCache = nil }
  }

  @Test("The facts of a task contain the cache status")
  func facts() async throws {
    let bench = try CacheBench { [png] request in
      request.header("If-None-Match") == nil
        ? .fields(png, ("Cache-Control", "max-age=60"), ("ETag", "\"v1\""), ("Content-Type", "image/png"))
        : .notModified(("ETag", "\"v1\""))
    }
    let pipeline = pipeline(bench)
    let expected: [(seconds: Double, origin: ImageTask.Facts.Origin, status: String)] = [
      (0, .network, "Nuke; fwd=uri-miss; stored"), (10, .disk, "Nuke; hit; ttl=50"),
      (60, .network, "Nuke; fwd=stale; fwd-status=304; ttl=60"),
    ]
    for (seconds, place, status) in expected {
      bench.clock.pass(seconds: seconds)
      let task = pipeline.imageTask(with: bench.origin.url("/a.png"))
      let response = try await task.response
      #expect(response.container.image.pixelWidth == 40)
      #expect((response.urlResponse as? HTTPURLResponse)?.statusCode == 200)
      #expect(task.facts.origin == place)
      #expect(task.facts.cacheStatus == status)
    }
    #expect(bench.origin.log.requests.count == 2)
  }

  @Test("An image whose download was interrupted is loaded completely the next time", arguments: [true, false])
  func resumed(isResumable: Bool) async throws {
    let body = png + noise(100_000)
    let bench = try CacheBench { request in
      let response = NukeOrigin.Response.ranged(
        body, type: "image/png", etag: "\"v1\"", headers: [("Cache-Control", "max-age=60")], for: request)
      return request.connection == 0 ? response.scripted(.head, .bytes(40_000), .close) : response
    }
    let pipeline = ImagePipeline.fake(loader: bench.loader) {
      $0.imageCache = nil
      $0.isResumableDataEnabled = isResumable
    }
    let request = ImageRequest(url: bench.origin.url("/a.png"))
    await #expect(throws: ImagePipeline.Error.self) { try await pipeline.data(for: request) }
    #expect(try await pipeline.data(for: request).0 == body)
    #expect(bench.origin.log.requests.map { $0.header("Range") } == [nil, "bytes=40000-"])
    // What was joined is what is kept.
    let task = pipeline.imageTask(with: request)
    _ = try await task.response
    #expect(task.facts.cacheStatus == "Nuke; hit; ttl=60")
    #expect(bench.origin.log.requests.count == 2)
  }
}
