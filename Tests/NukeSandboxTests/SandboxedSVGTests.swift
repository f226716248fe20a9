#if SVG
  import Foundation
  import Nuke
  import NukeCodecs
  import NukeServing
  import NukeTesting
  import Testing

  @testable import NukeSandbox

  extension SandboxTests {
    @Suite("SVG images that are drawn in a sandbox")
    struct Drawings {
      private static let drawings = [
        "entities", "filter", "gradient", "latin", "shapes", "styles", "units", "use", "view",
      ]

      private func drawing(_ name: String) throws -> Data {
        try Data(
          contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("NukeCodecsTests/Fixtures/SVG/\(name).svg"))
      }

      private func pipeline(_ fixture: SandboxFixture?) -> ImagePipeline {
        var configuration = ImagePipeline.Configuration.fake(imageCache: nil)
        if let sandbox = fixture?.sandbox {
          configuration.makeImageDecoder = { ImageDecoders.SandboxedSVG(context: $0, sandbox: sandbox) }
        }
        return ImagePipeline(configuration: configuration)
      }

      @Test("Their pixels are those of the program itself, at their own size and at every other", arguments: drawings)
      func pixels(name: String) async throws {
        let data = try drawing(name)
        let (sandboxed, plain) = (pipeline(try SandboxFixture()), pipeline(nil))
        for width: CGFloat? in [nil, 37, 300] {
          let request = ImageRequest(
            id: name, data: { data }, processors: width.map { [.resize(width: $0, unit: .pixels)] } ?? [])
          let drawn = try await sandboxed.imageTask(with: request).response
          let expected = try await plain.image(for: request)
          #expect((drawn.image.pixelWidth, drawn.image.pixelHeight) == (expected.pixelWidth, expected.pixelHeight))
          #expect(drawn.image.withUnsafeBytes { Data($0) } == expected.withUnsafeBytes { Data($0) })
          #expect(drawn.container.type == .svg)
        }
      }

      @Test("A drawing that is rejected fails the load, and the next one is drawn")
      func rejected() async throws {
        let pipeline = pipeline(try SandboxFixture())
        let hostile = Data("<svg xmlns='http://www.w3.org/2000/svg'><text font-size='1e7'>a</text></svg>".utf8)
        let error = await #expect(throws: ImagePipeline.Error.self) {
          _ = try await pipeline.image(for: ImageRequest(id: "hostile", data: { hostile }))
        }
        #expect(try #require(error).description.contains("pixels of a font size"))
        let data = try drawing("shapes")
        _ = try await pipeline.image(for: ImageRequest(id: "shapes", data: { data }))
      }

      @Test("A drawing that states a size above the limits is drawn at a smaller one, and rejected at its own")
      func largeSize() async throws {
        let data = Data(
          "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 400000 200000'><circle cx='2e5' cy='1e5' r='9e4'/></svg>"
            .utf8)
        let (sandboxed, plain) = (pipeline(try SandboxFixture()), pipeline(nil))
        let request = ImageRequest(id: "a", data: { data }, processors: [.resize(width: 128, unit: .pixels)])
        let (drawn, expected) = try await (sandboxed.image(for: request), plain.image(for: request))
        #expect((drawn.pixelWidth, drawn.pixelHeight) == (128, 64))
        #expect(drawn.withUnsafeBytes { Data($0) } == expected.withUnsafeBytes { Data($0) })
        for pipeline in [sandboxed, plain] {
          let error = await #expect(throws: ImagePipeline.Error.self) {
            _ = try await pipeline.image(for: ImageRequest(id: "a", data: { data }))
          }
          #expect(try #require(error).description.contains("more than the 16384 pixels allowed on a side"))
        }
      }

      @Test("A compressed drawing is drawn, and sent without the compression only by a server that sends SVG")
      func compressed() async throws {
        // `gzip.compress` of Python for a drawing of 20 by 10 pixels.
        let data = try #require(
          Data(
            base64Encoded: "H4sIAAAAAAACA3XMyQ2AMAwF0VYic48/cENJmgGySGERWJjygQI4z9O480rmXup6esoi"
              + "+8CsqlZ7ux2JOwD8CjJaJsmeOpDJc0lZPLWg4I55lJ9oYqnVUwPECBAH963CA2pWSyxyAAAA"))
        let drawn = try await SandboxFixture().file(data) { $0.isRaw = true }
        #expect(drawn.contentType == "image/png")
        var settings = RenderSettings()
        settings.sendsSVG = true
        let file = try await SandboxFixture(Renderer(settings: settings)).file(data) { $0.isRaw = true }
        #expect(file.contentType == "image/svg+xml")
        #expect(file.data.count == 114 && file.data.starts(with: Data("<svg".utf8)))
      }

      @Test("One worker does all that concerns a drawing, although others are idle")
      func oneWorker() async throws {
        let fixture = try SandboxFixture { $0.workerCount = 4 }
        let sandbox = fixture.sandbox
        // All are started while images keep them busy.
        let hostile = (0..<4).map { _ in Task { try? await fixture.attempt("spin") } }
        try await waitUntil { sandbox.statistics.busy == 4 }
        for task in hostile { task.cancel() }
        for task in hostile { _ = await task.value }
        try await waitUntil { sandbox.statistics.workers == 4 }
        let data = try drawing("shapes")
        let file = try sandbox.file(of: data)
        var openers: Set<ObjectIdentifier> = []
        for _ in 0..<10 {
          _ = try await sandbox.facts(of: data, file)
          openers.insert(ObjectIdentifier(try #require(file.opener)))
        }
        #expect(openers.count == 1)
      }

      @Test("Other images are left to other decoders")
      func others() throws {
        let context = ImageDecodingContext(request: ImageRequest(url: nil), data: SampleImage.png(width: 2, height: 2))
        #expect(ImageDecoders.SandboxedSVG(context: context, sandbox: try SandboxFixture().sandbox) == nil)
      }
    }
  }
#endif
