#if AVIF || HEIC
  import Foundation
  import NukeCodecs
  import NukeImaging
  import Testing

  @testable import NukeServing

  @Suite("Renditions of thumbnails in files")
  struct ThumbnailRenditionTests {
    private static func file(_ name: String) throws -> Data {
      let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../NukeCodecsTests/Fixtures/\(name)")
      return try Data(contentsOf: fixtures)
    }

    private static let files: [String] = {
      var files: [String] = []
      #if AVIF
        files.append("AVIF/exif-thumbnail.avif")
      #endif
      #if HEIC
        files += ["HEIC/exif-thumbnail.heic", "HEIC/thumbnail.heic", "HEIC/thumbnail-turned.heic"]
      #endif
      return files
    }()

    @Test("The thumbnail is rendered in place of the image if the URL or the server asks for it", arguments: files)
    func thumbnails(name: String) async throws {
      let data = try Self.file(name)
      let main = try ImageReaders.reader(for: data)
      let thumbnail = try #require(main.thumbnailReader(limits: CodecLimits()))
      let (width, height) = (thumbnail.header.pixelWidth, thumbnail.header.pixelHeight)
      #expect((width, height) != (main.header.pixelWidth, main.header.pixelHeight))
      var settings = RenderSettings()
      let file = try await Rendering.render(data, as: .png) { $0.usesThumbnail = true }
      #expect(try Rendering.image(file).pixelBytes == thumbnail.decode(DecodeOptions()).pixelBytes)
      #expect(file.sizes == RenditionSizes(sourceWidth: width, sourceHeight: height, width: width, height: height))
      settings.usesThumbnails = true
      let renderer = Renderer(settings: settings)
      #expect(try await Rendering.render(data, with: renderer, as: .png) == file)
      let whole = try await Rendering.render(data, as: .png)
      #expect(whole.sizes?.width == main.header.pixelWidth)
      #expect(try await Rendering.render(data, with: renderer, as: .png) { $0.usesThumbnail = false } == whole)
    }

    @Test("The options apply to the thumbnail", arguments: files)
    func options(name: String) async throws {
      let file = try await Rendering.render(try Self.file(name), as: .png) {
        ($0.usesThumbnail, $0.width, $0.height, $0.resizing) = (true, 4, 6, .force)
      }
      #expect(try Rendering.image(file).size == [4, 6])
      let color = try await Rendering.render(try Self.file(name)) {
        ($0.usesThumbnail, $0.placeholder) = (true, .dominantColor)
      }
      #expect(color.contentType.hasPrefix("text/plain"))
    }

    #if HEIC
      @Test("A file without a thumbnail, and one whose thumbnail is not turned like it, are rendered themselves")
      func without() async throws {
        let data = try Self.file("HEIC/thumbnail-not-turned.heic")
        let whole = try await Rendering.render(data, as: .png)
        #expect(try await Rendering.render(data, as: .png) { $0.usesThumbnail = true } == whole)
      }
    #endif
  }
#endif
