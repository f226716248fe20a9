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

    @Test(
      "Numbers that cannot be those of images are rejected, with their bounds",
      arguments: [
        ("--open", "0", "--open must be 1, the first image, or more; it is 0."),
        ("--open", "\(Int.min)", "--open must be 1, the first image, or more; it is \(Int.min)."),
        ("--count", "0", "--count must be from 1 to 1,000,000; it is 0."),
        ("--count", "\(Int.max)", "--count must be from 1 to 1,000,000; it is \(Int.max)."),
      ])
    func numbers(option: String, value: String, message: String) throws {
      let error = try #require(throws: (any Error).self) { try NukeGallery.parse(["\(option)=\(value)"]) }
      #expect(NukeGallery.message(for: error).contains(message))
      #expect(try NukeGallery.parse(["--open", "1", "--count", "1000000"]).open == 1)
    }

    @Test(
      "A single file is opened, unless an option asks for the grid or for another image",
      arguments: [
        ([], true), (["--slide-show"], true), (["--properties", "--full-screen"], true), (["--search", "a"], false),
        (["--open", "1"], false), (["--measure"], false),
      ])
    func opensFile(options: [String], opens: Bool) throws {
      #expect(try NukeGallery.parse(options + ["a.png"]).opensFile == opens)
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
