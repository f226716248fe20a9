import Foundation
import Nuke
import Testing

@Suite("The sample program StaticSite", .timeLimit(.minutes(2))) struct StaticSiteTests {
  private func site(_ html: String) throws -> Workplace {
    let place = try Workplace()
    try FileManager.default.createDirectory(atPath: place.path("posts"), withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: Sample.path("lake.jpg"), toPath: place.path("lake.jpg"))
    try place.write(Data(html.utf8), "posts/index.html")
    return place
  }

  private func run(_ place: Workplace) async throws -> Command.Outcome {
    try await Command.run(place.url.path, path: Program.path("StaticSite"))
  }

  private func page(_ place: Workplace) throws -> String {
    String(decoding: try place.data("posts/index.html"), as: UTF8.self)
  }

  @Test("An image gets smaller variants, its dimensions and a placeholder")
  func variants() async throws {
    let place = try site(#"<p><img src="/lake.jpg" alt="A lake" /></p>"#)
    #expect(try await run(place).status == 0)
    let expected = [
      #"<p><img src="/lake.jpg" alt="A lake" srcset="/lake-480w.webp 480w, /lake-960w.webp 960w, /lake.jpg 1600w""#,
      #"width="1600" height="1200" loading="lazy" style="background-color: COLOR" data-blurhash="HASH" /></p>"#,
    ]
    let page = try page(place).replacing(/#[0-9A-F]{6}/, with: "COLOR")
    #expect(page.replacing(/data-blurhash=".{28}"/, with: #"data-blurhash="HASH""#) == expected.joined(separator: " "))
    for width in [480, 960] {
      let variant = try #require(Bitmap(data: place.data("lake-\(width)w.webp")))
      #expect(variant.pixelWidth == width && variant.pixelHeight == width * 3 / 4)
    }
  }

  @Test("A second run changes nothing")
  func secondRun() async throws {
    let place = try site(#"<img src="../lake.jpg">"#)
    _ = try await run(place)
    let before = try page(place)
    #expect(before.contains("../lake-480w.webp 480w"))
    #expect(try await run(place).status == 0)
    #expect(try page(place) == before)
  }

  @Test(
    "Images of other sites, those with a srcset, and drawings stay as they are",
    arguments: [
      #"<img src="https://example.com/lake.jpg">"#, #"<img src="//example.com/lake.jpg">"#, #"<img src="logo.svg">"#,
      #"<img srcset="a.jpg 2x" src="/lake.jpg">"#, "<img>", "<p>1 < 2</p>",
    ])
  func untouched(html: String) async throws {
    let place = try site(html)
    #expect(try await run(place).status == 0)
    #expect(try page(place) == html)
    #expect(try place.contents() == ["lake.jpg", "posts"])
  }

  @Test("If an image is missing, its page is named in an error and stays unchanged")
  func missingImage() async throws {
    let place = try site(#"<img src="/lake.jpg"><img src="/no.jpg">"#)
    let outcome = try await run(place)
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("posts/index.html"))
    #expect(try page(place) == #"<img src="/lake.jpg"><img src="/no.jpg">"#)
  }
}
