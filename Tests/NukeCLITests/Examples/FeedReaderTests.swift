import Foundation
import NukeOrigin
import Testing

@Suite("The sample program FeedReader", .timeLimit(.minutes(2))) struct FeedReaderTests {
  private func run(_ feed: String, _ arguments: String...) async throws -> Command.Outcome {
    let image = try Sample.data("badge.png")
    let origin = try NukeOrigin { request in
      switch request.path {
      case "/feed": .data(Data(feed.utf8), type: "application/xml")
      case "/badge.png": .data(image)
      default: .init(status: 404)
      }
    }
    defer { origin.stop() }
    let place = try Workplace()
    return try await Command.run(
      [origin.url("/feed").absoluteString] + arguments, path: Program.path("FeedReader"),
      environment: ["XDG_CACHE_HOME": place.url.path])
  }

  /// Output that is not a terminal has the size of an image in its place.
  @Test(
    "It shows the entries of a feed with their images, in their order",
    arguments: [
      """
      <rss version="2.0"><channel><title>News</title>
      <item><title>One</title><link>https://example.com/1</link>
      <enclosure url="/badge.png" type="image/png" length="1"/></item>
      <item><title>Two &amp; more</title><link>https://example.com/2</link>
      <description>&lt;p&gt;&lt;img alt="" src="badge.png"&gt;</description></item></channel></rss>
      """,
      """
      <feed xmlns="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/"><title>News</title>
      <entry><title>One</title><link href="https://example.com/1"/><media:thumbnail url="badge.png"/></entry>
      <entry><title>Two &amp; more</title><link href="https://example.com/2"/>
      <media:content medium="image" url="badge.png"/></entry></feed>
      """,
    ]) func entries(feed: String) async throws
  {
    let outcome = try await run(feed)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(
      outcome.output == """

        One
        https://example.com/1
        512x512

        Two & more
        https://example.com/2
        512x512

        """)
  }

  @Test("It shows as many entries as it is told, and says that an image cannot be loaded")
  func missingImage() async throws {
    let items = (1...3).map { "<item><title>\($0)</title><link>l</link><enclosure url='/no' type='image/png'/></item>" }
    let outcome = try await run("<rss><channel>\(items.joined())</channel></rss>", "2")
    #expect(outcome.status == 0)
    #expect(outcome.lines.filter { $0.hasPrefix("[no image: ") }.count == 2)
    #expect(!outcome.lines.contains("3"))
  }

  @Test("A feed cannot control the terminal")
  func controlCharacters() async throws {
    let outcome = try await run(
      "<rss><channel><item><title>red\u{9B}31m\nnext</title><link>a\u{9D}b</link></item></channel></rss>")
    #expect(outcome.output == "\nred 31m next\na b\n")
  }

  @Test("A feed that is not XML is an error with the feed's address")
  func damagedFeed() async throws {
    let outcome = try await run("<rss><channel>")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("/feed cannot be read"))
  }
}
