#if GTK
  import ArgumentParser
  import NukeGTK

  /// `nuke-gallery`: shows pictures in a window.
  @main struct NukeGallery: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "nuke-gallery",
      abstract: "Show pictures of folders, files and web addresses in a window.",
      discussion: "Control-F searches, Control-I shows statistics, Escape goes back, arrows go on.")

    @Argument(help: "Folders, pictures, addresses, and text files that name one in each line.")
    var places: [String] = ["."]

    @Option(help: "Show only pictures whose address contains this text.")
    var search: String?

    @Option(help: ArgumentHelp("Open a picture: the first is 1.", valueName: "number"))
    var open: Int?

    @Flag(help: "Show statistics.")
    var statistics = false

    @Flag(help: "Use the light style.")
    var light = false

    func run() throws {
      let pictures = try PictureList(places)
      guard gtk_init_check() != 0 else { throw ValidationError("there is no display") }
      MainActor.assumeIsolated {
        let window = GalleryWindow(pictures.urls, isDark: !light)
        if let search { window.search(for: search) }
        if statistics { window.showStatistics(true) }
        if let open { window.open(at: open - 1) }
        window.run()
      }
    }
  }
#else
  @main struct NukeGallery {
    static func main() { print("nuke-gallery: built without GTK; say `swift run --traits GTK nuke-gallery`") }
  }
#endif
