import Foundation
import Nuke
import NukeCodecs
import NukeServing
import NukeTesting
import Testing

@testable import NukeSandbox

extension SandboxTests {
  @Suite("The output of a sandbox")
  struct Equality {
    /// The same without one.
    private static func plainly(_ request: RenditionRequest, _ source: Data, _ renderer: Renderer) async -> Outcome {
      let plain = PipelineRenderer(renderer, in: .fake(imageCache: nil))
      return await outcome { () async throws(ServingError) in try await plain.plan(request, source: source).render() }
    }

    private typealias Outcome = Result<RenderedFile, ServingError>

    private static func outcome(_ body: () async throws(ServingError) -> RenderedFile) async -> Outcome {
      do throws(ServingError) {
        return .success(try await body())
      } catch {
        return .failure(error)
      }
    }

    private static func folder(_ name: String) throws -> [URL] {
      let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("NukeCodecsTests/Fixtures/\(name)")
      return try FileManager.default.contentsOfDirectory(at: fixtures, includingPropertiesForKeys: nil)
        .filter { !["rgba", "rgb", "json"].contains($0.pathExtension) }.sorted { $0.path < $1.path }
    }

    @Test(
      "The output equals that without a sandbox, byte for byte, for each fixture, intact or damaged",
      arguments: ["JPEG", "PNG", "WebP", "GIF", "BMP", "ICO", "AVIF", "HEIC", "JXL", "TIFF", "SVG", "Video"])
    func files(of format: String) async throws {
      let renderer = Renderer()
      let fixture = try SandboxFixture(renderer) { $0.workerCount = 2 }
      var options = ImageOptions()
      (options.width, options.height) = (20, 20)
      let request = RenditionRequest(source: SandboxFixture.source, options: options)
      for file in try Self.folder(format) {
        let source = try Data(contentsOf: file)
        let boxed = await Self.outcome { () async throws(ServingError) in
          try await fixture.renderer.plan(request, source: source).render()
        }
        let plain = await Self.plainly(request, source, renderer)
        #expect(boxed == plain, "\(file.lastPathComponent)")
        // And the facts of it.
        do throws(ServingError) {
          let expected = try renderer.facts(of: source)
          #expect(try await fixture.sandbox.facts(of: source).json == expected.json, "\(file.lastPathComponent)")
        } catch {
          await #expect(throws: error) { try await fixture.sandbox.facts(of: source) }
        }
      }
      #expect(fixture.sandbox.statistics.crashes == 0)
    }

    @Test(
      "The output equals that without a sandbox in each format that can be written", arguments: ImageFormat.writable)
    func formats(format: ImageFormat) async throws {
      let renderer = Renderer()
      let fixture = try SandboxFixture(renderer)
      for source in [
        SampleImage.jpeg(width: 300, height: 200), SampleImage.png(width: 90, height: 70, isOpaque: false),
        try Data(contentsOf: Self.folder("GIF")[1]),
      ] {
        var options = ImageOptions()
        (options.width, options.blur, options.stripsMetadata) = (60, 0.7, false)
        let request = RenditionRequest(source: SandboxFixture.source, options: options, format: format)
        let file = try await fixture.renderer.plan(request, source: source).render()
        #expect(.success(file) == (await Self.plainly(request, source, renderer)))
      }
    }

    @Test("The server's watermark, settings and limits apply")
    func settings() async throws {
      var (limits, settings) = (RenderLimits(), RenderSettings())
      limits.maximumResultPixels = 5000
      settings.qualities[.jpeg] = 31
      settings.writesProgressiveJPEG = true
      let mark = Watermark(image: SampleImage.bitmap(width: 9, height: 5, isOpaque: false), id: "mark", opacity: 0.8)
      let renderer = Renderer(limits: limits, settings: settings, watermark: mark)
      let fixture = try SandboxFixture(renderer)
      #expect(fixture.renderer.identifier == PipelineRenderer(renderer, in: .fake(imageCache: nil)).identifier)
      for width in [50, 500] {
        var options = ImageOptions()
        options.width = width
        options.enlarges = true
        options.watermark = .init(opacity: 0.5, position: .chessboard, offset: .init(2, 3))
        let request = RenditionRequest(source: SandboxFixture.source, options: options)
        let source = SampleImage.jpeg(width: 120, height: 90)
        let boxed = await Self.outcome { () async throws(ServingError) in
          try await fixture.renderer.plan(request, source: source).render()
        }
        #expect(boxed == (await Self.plainly(request, source, renderer)))
      }
    }

    @Test("A watermark by URL is drawn as without a sandbox, and a damaged one is the same error")
    func watermarks() async throws {
      let fixture = try SandboxFixture()
      let plain = PipelineRenderer(Renderer(), in: .fake(imageCache: nil))
      var options = ImageOptions()
      (options.width, options.watermark) = (50, .init(opacity: 0.5, position: .at(.southEast)))
      let request = RenditionRequest(source: SandboxFixture.source, options: options)
      let source = SampleImage.jpeg(width: 120, height: 90)
      let mark = SampleImage.png(width: 9, height: 5, isOpaque: false)
      for mark in [mark, mark.prefix(20), Data()] {
        let boxed = await Self.outcome { () async throws(ServingError) in
          try await fixture.renderer.plan(request, source: source, watermark: mark).render()
        }
        let expected = await Self.outcome { () async throws(ServingError) in
          try await plain.plan(request, source: source, watermark: mark).render()
        }
        #expect(boxed == expected)
        #expect((try? boxed.get()) != nil || mark.count <= 20)
      }
      #expect(fixture.sandbox.statistics.crashes == 0)
    }

    @Test("A placeholder is text, and a raw source is sent if that is allowed")
    func others() async throws {
      let fixture = try SandboxFixture()
      let source = SampleImage.png(width: 40, height: 30)
      for placeholder in ImageOptions.Placeholder.allCases {
        var options = ImageOptions()
        options.placeholder = placeholder
        let request = RenditionRequest(source: SandboxFixture.source, options: options)
        let file = try await fixture.renderer.plan(request, source: source).render()
        #expect(.success(file) == (await Self.plainly(request, source, Renderer())))
      }
      let raw = try await fixture.file(source) { $0.isRaw = true }
      #expect(raw == RenderedFile(data: source, contentType: "image/png"))
    }

    @Test("The server's limits apply even if a worker ignores them")
    func limits() async throws {
      var limits = RenderLimits()
      limits.maximumSourceBytes = 100
      let fixture = try SandboxFixture(Renderer(limits: limits))
      let error = await #expect(throws: ServingError.self) {
        try await fixture.file(SampleImage.png(width: 40, height: 30))
      }
      #expect(error?.name == "tooLarge")
      #expect(fixture.sandbox.statistics.answers == 0)
      await #expect(throws: ServingError.self) { try await fixture.file(Data()) }
    }

    #if SVG
      @Test("Text in SVG is drawn with fonts")
      func text() async throws {
        let fixture = try SandboxFixture()
        let drawing = Data(
          """
          <svg xmlns="http://www.w3.org/2000/svg" width="200" height="60">
          <text x="5" y="40" font-size="30" font-family="serif">Grüße 1 2</text></svg>
          """.utf8)
        let request = RenditionRequest(source: SandboxFixture.source, format: .png)
        let file = try await fixture.renderer.plan(request, source: drawing).render()
        #expect(.success(file) == (await Self.plainly(request, drawing, Renderer())))
      }
    #endif
  }
}
