import Foundation
import NukeCodecs
import NukeImaging
import NukeTesting
import Testing

@testable import NukeServing

@Suite("Image information")
struct ImageFactsTests {
  @Test("Photos have camera metadata and no location")
  func photograph() throws {
    let data = try RenditionMetadataTests.source()
    let facts = try Renderer().facts(of: data)
    #expect(facts.format == "jpeg")
    #expect(facts.mediaType == "image/jpeg")
    #expect(facts.width == 16)
    #expect(facts.height == 24)
    #expect(facts.orientation == 6)
    #expect(facts.frames == 1)
    #expect(facts.duration == nil && facts.loops == nil)
    #expect(facts.bytes == data.count)
    #expect(facts.profile == "sRGB")
    #expect(facts.exif?.make == "Cameraman")
    let json = String(decoding: facts.json, as: UTF8.self)
    #expect(!json.lowercased().contains("location"))
    #expect(json.contains(#""mediaType":"image/jpeg""#))
    #expect(try JSONDecoder().decode(ImageFacts.self, from: facts.json) == facts)
  }

  @Test("The JSON response is created without decoding")
  func answer() async throws {
    let source = SampleImage.png(width: 40, height: 20)
    var request = RenditionRequest.facts(of: try #require(URL(string: "https://example.com/a.png")))
    request.options.placeholder = .blurHash
    let plan = try Renderer().plan(for: request, source: source)
    #expect(plan.predictedByteCount == 0)
    let file = try await Renderer().render(plan, in: .rendering)
    #expect(file.contentType == "application/json; charset=utf-8")
    #expect(try JSONDecoder().decode(ImageFacts.self, from: file.data) == Renderer().facts(of: source))
    #expect(throws: ServingError.self) { try Renderer().plan(for: request, source: Data("not an image".utf8)) }
  }

  @Test("An animated image has frames, a duration and a loop count")
  func moving() throws {
    let facts = try Renderer().facts(of: try MovingRenditionTests.file(.gif))
    #expect(facts.frames == 3)
    #expect(facts.loops == 3)
    #expect(abs((facts.duration ?? 0) - 0.6) < 0.001)
    #expect(facts.exif == nil)
  }

  @Test("Placeholders are included on request")
  func placeholders() async throws {
    let data = SampleImage.jpeg(width: 200, height: 100)
    let none = try await Renderer().facts(of: data, with: [], in: .rendering)
    #expect(none.placeholders == nil)
    let all = try await Renderer().facts(of: data, with: Set(ImageOptions.Placeholder.allCases), in: .rendering)
    #expect(all.placeholders?.keys.sorted() == ["blurhash", "color", "preview", "thumbhash"])
    for placeholder in ImageOptions.Placeholder.allCases {
      let file = try await Rendering.render(data) { $0.placeholder = placeholder }
      #expect(all.placeholders?[placeholder.rawValue] == String(decoding: file.data, as: UTF8.self))
    }
  }

  @Test("Data that is not an image is an error")
  func noImage() {
    #expect(throws: ServingError.self) { try Renderer().facts(of: Data("<html>".utf8)) }
    var limits = RenderLimits()
    limits.maximumSourceBytes = 10
    #expect(throws: ServingError.self) {
      try Renderer(limits: limits).facts(of: SampleImage.png(width: 4, height: 4))
    }
  }
}
