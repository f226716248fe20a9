import Foundation
import Nuke
import NukeCodecs
import NukeOrigin
import NukeTesting
import Testing

@testable import NukeServing

@Suite("A service: from a server's picture to a file", .timeLimit(.minutes(1)))
struct ServiceEndToEndTests {
  @Test("a JPEG becomes a WebP of 320 pixels, which a second service finds on the disk")
  func jpegToWebP() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString, isDirectory: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let picture = SampleImage.jpeg(width: 1200, height: 800)
    let origin = try NukeOrigin { _ in
      var response = NukeOrigin.Response.data(picture)
      response.headers += [
        (name: "Cache-Control", value: "max-age=600"), (name: "Last-Modified", value: "Tue, 14 Nov 2000 22:14:20 GMT"),
      ]
      return response
    }
    defer { origin.stop() }
    var request = RenditionRequest(source: origin.url("/a.jpg"), format: .webp)
    request.options.width = 320

    let store = try DataCache(path: folder)
    let service = service(store)
    let made = try await service.rendition(for: request)
    #expect(made.contentType == "image/webp")
    #expect(made.origin == .made)
    #expect(ImageFormat(sniffing: made.data) == .webp)
    let image = try #require(PlatformImage(data: made.data))
    #expect(image.pixelWidth == 320 && image.pixelHeight == 213)
    #expect(made.lastModified == 974_240_060)
    let lifetime = try #require(made.freshUntil) - Int(Date().timeIntervalSince1970)
    #expect((500...600).contains(lifetime))

    await service.shutdown(gracePeriod: 60)
    store.flush()
    let other = self.service(try DataCache(path: folder))
    let found = try await other.rendition(for: request)
    #expect(found.origin == .store)
    #expect(found.data == made.data && found.entityTag == made.entityTag)
    #expect(origin.log.requests.count == 1)
  }

  @Test("a source that is no picture is refused, and one that is not there too")
  func failures() async throws {
    let origin = try NukeOrigin { $0.path == "/text" ? .data(Data("no picture".utf8)) : .status(404) }
    defer { origin.stop() }
    let service = service(nil)
    for (path, status) in [("/text", 422), ("/none", 404)] {
      let error = await #expect(throws: ServingError.self) {
        try await service.rendition(for: RenditionRequest(source: origin.url(path)))
      }
      #expect(error?.status == status)
    }
  }

  private func service(_ store: DataCache?) -> RenditionService {
    let pipeline = ImagePipeline(configuration: .server)
    return RenditionService(pipeline: pipeline, stores: store.map { [$0] } ?? [])
  }
}
