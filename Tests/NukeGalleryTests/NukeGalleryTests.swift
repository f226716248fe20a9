#if GTK && Command
  import ArgumentParser
  import NukeGTK
  import Testing

  @testable import NukeGallery

  @Suite struct NukeGalleryTests {
    @Test(
      "The style is that of the desktop unless it is chosen",
      arguments: [([], GTKColorScheme.desktop), (["--light"], .light), (["--dark"], .dark)])
    func colors(arguments: [String], colors: GTKColorScheme) throws {
      #expect(try NukeGallery.parse(arguments).colors == colors)
    }

    @Test("Two styles at once are rejected, with their names")
    func bothStyles() throws {
      let error = try #require(throws: (any Error).self) { try NukeGallery.parse(["--light", "--dark"]) }
      #expect(NukeGallery.message(for: error).contains("--light and --dark"))
    }

    @Test("The demo is shown on request, and not together with other images")
    func demo() throws {
      #expect(try NukeGallery.parse([]).demo == nil)
      #expect(try NukeGallery.parse(["--demo", "held"]).demo == .held)
      let error = try #require(throws: (any Error).self) { try NukeGallery.parse(["--demo", "plain", "photos"]) }
      #expect(NukeGallery.message(for: error).contains("--demo"))
    }
  }
#endif
