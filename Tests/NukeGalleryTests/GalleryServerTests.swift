#if GTK
  import Foundation
  import Nuke
  import Testing

  @testable import NukeGallery

  @Suite struct GalleryServerTests {
    /// Red left, green in the middle, blue right.
    private func sample() throws -> PlatformImage {
      try #require(
        PlatformImage(pixelWidth: 600, pixelHeight: 450, isOpaque: true) { bytes in
          for place in bytes.indices {
            let third = place / 4 % 600 / 200
            bytes[place] = place % 4 == 3 || place % 4 == third ? 255 : 0
          }
        })
    }

    private func origin(count: Int, _ behavior: GalleryServer.Behavior) throws -> (GalleryServer, URL) {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("gallery-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try PNGWriter().encode(try sample()).write(to: folder.appendingPathComponent("Stripes.png"))
      let samples = try ImageList([folder.path])
      return (try GalleryServer(samples: samples, folder: folder.path, count: count, behavior: behavior), folder)
    }

    /// A pipeline that keeps nothing.
    private var pipeline: ImagePipeline {
      var loading = DataLoader.defaultConfiguration
      loading.urlCache = nil
      return ImagePipeline {
        $0.dataLoader = DataLoader(configuration: loading)
        $0.imageCache = nil
      }
    }

    @Test("Each URL has a different image")
    func images() async throws {
      let (origin, folder) = try origin(count: 5000, .plain)
      defer { try? FileManager.default.removeItem(at: folder) }
      #expect(origin.urls.count == 5000)
      #expect(Set(origin.urls).count == 5000)
      #expect(origin.urls[41].lastPathComponent == "stripes-0042.jpg")
      let pipeline = pipeline
      let first = try await pipeline.data(for: ImageRequest(url: origin.urls[0])).0
      let last = try await pipeline.data(for: ImageRequest(url: origin.urls[4999])).0
      #expect(first != last)
      #expect(try ImageDecoders.Default().decode(last).image.pixelWidth > 200)
      #expect(try await pipeline.data(for: ImageRequest(url: origin.urls[0])).0 == first)
    }

    @Test("Failing sends every sixth image at the second request, and another sixth never")
    func failing() async throws {
      let (origin, folder) = try origin(count: 6, .failing)
      defer { try? FileManager.default.removeItem(at: folder) }
      let pipeline = pipeline
      _ = try await pipeline.image(for: origin.urls[0])
      let busy = try await #require(throws: ImagePipeline.Error.self) { try await pipeline.image(for: origin.urls[1]) }
      #expect(RetryPolicy.isTransient(busy))
      for position in [1, 2, 3, 5] { _ = try await pipeline.image(for: origin.urls[position]) }
      for _ in 1...2 {
        let gone = try await #require(throws: ImagePipeline.Error.self) {
          try await pipeline.image(for: origin.urls[4])
        }
        #expect(!RetryPolicy.isTransient(gone))
      }
    }

    @Test("Without samples, the error contains the folder")
    func noSamples() throws {
      let error = try #require(throws: GalleryServer.Failure.self) {
        try GalleryServer(samples: ImageList([]), folder: "some/folder", count: 3, behavior: .plain)
      }
      #expect("\(error)".contains("some/folder"))
    }
  }
#endif
