#if GTK && Command
  import ArgumentParser
  import Foundation
  import NukeGTK

  /// `nuke-gallery`: shows images in a window.
  @main struct NukeGallery: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "nuke-gallery",
      abstract: "Show images of folders, files and web addresses in a window.",
      discussion: """
        Without arguments, it shows the Pictures folder. --demo shows thousands of images from a local web server, which are \
        generated from a few samples.

        Control-F searches, Control-I shows statistics, Return opens an image, the arrow keys show the next one, plus, \
        minus, the wheel and two fingers zoom, 0 fits the image into the window, and Escape goes back. F1 lists all keys.

        Images that are named come first, in their order. Then come those of folders, the most recently modified first. A \
        single file is opened at once, the arrow keys show the other images of its folder, and Escape shows them all. With \
        --search, --open or --measure, the file is shown alone.

        A search finds images that match all words: parts of the path, or dates of modification such as 2024, 2024-05, \
        2024-05-17, 2024-05..2024-08, 2024.., today and yesterday.

        Of the image that is shown, I shows the properties, R and Shift-R rotate the file if it is a JPEG, without a loss, \
        Delete moves it to the trash, Control-C copies the image, Control-Shift-C its path, and Control-Shift-O shows it in \
        its folder. F11 fills the screen. F5 starts a slide show, which Space pauses; the arrow keys show the next image, \
        and any other key ends it.
        """,
      version: "nuke-gallery \(PackageVersion.current)")

    @Argument(help: "Folders, images, URLs, and text files with one of these per line.")
    var places: [String] = []

    @Option(
      help: ArgumentHelp(
        "Show the demo, whose server sends images at once (plain), not at all (held), or failures (failing).",
        valueName: "behavior"))
    var demo: GalleryServer.Behavior?

    @Option(help: ArgumentHelp("Folder of samples for the demo.", valueName: "folder"))
    var samples = "Sources/NukeCLI/Samples"

    @Option(help: ArgumentHelp("Number of images in the demo.", valueName: "number"))
    var count = 5000

    @Option(help: "Show only images whose path contains these words, or whose date they are.")
    var search: String?

    @Option(help: ArgumentHelp("Open the image with this number, starting with 1.", valueName: "number"))
    var open: Int?

    @Flag(help: "Show statistics.")
    var statistics = false

    @Flag(help: "Show the properties of the opened image beside it.")
    var properties = false

    @Flag(help: "Fill the screen.")
    var fullScreen = false

    @Flag(help: "Start a slide show.")
    var slideShow = false

    @Option(help: ArgumentHelp("Time between two images of a slide show, from 0.5 to 3600.", valueName: "seconds"))
    var interval = 4.0

    @Flag(help: "Use the light style, whatever the desktop prefers.")
    var light = false

    @Flag(help: "Use the dark style, whatever the desktop prefers.")
    var dark = false

    @Flag(help: "Scroll through all images, print the CPU times, and exit.")
    var measure = false

    func validate() throws {
      if light, dark { throw ValidationError("--light and --dark exclude each other; pass one of them, or none.") }
      if demo != nil, !places.isEmpty { throw ValidationError("--demo shows images of its own; remove the arguments.") }
      if let open, open < 1 { throw ValidationError("--open must be 1, the first image, or more; it is \(open).") }
      guard Self.counts.contains(count) else {
        throw ValidationError("--count must be from 1 to \(Self.counts.upperBound.grouped); it is \(count).")
      }
      guard (0.5...3600).contains(interval) else {
        throw ValidationError("--interval must be from 0.5 to 3600 seconds; it is \(interval).")
      }
    }

    /// The possible numbers of images in the demo.
    private static let counts = 1...1_000_000

    /// The style that was chosen, or that of the desktop.
    var colors: GTKColorScheme { light ? .light : dark ? .dark : .desktop }

    /// `true` if a file that is the only argument is shown at once, among the others of its folder.
    var opensFile: Bool { search == nil && open == nil && !measure }

    func run() throws {
      let server = try demo.map(makeServer)
      let list = try ImageList(places.isEmpty && server == nil ? [Self.imageFolder] : places, opensFile: opensFile)
      report(list.badLines)
      let shown = server.map { ImageList(urls: $0.urls) } ?? list
      MainActor.assumeIsolated { GTKMainLoop.setProgramName("Gallery", id: "nuke-gallery") }
      guard gtk_init_check() != 0 else { throw NoDisplay() }
      gtk_window_set_default_icon_name("nuke-gallery")
      // The demo starts with an empty cache.
      let folder = server.map { _ in
        FileManager.default.temporaryDirectory.appendingPathComponent("nuke-gallery-\(getpid())")
      }
      defer { if let folder { try? FileManager.default.removeItem(at: folder) } }
      MainActor.assumeIsolated {
        let window = GalleryWindow(shown, cache: folder, colors: colors, interval: interval)
        if let search { window.search(for: search) }
        if statistics { window.showStatistics(true) }
        if properties { window.showProperties(true) }
        if fullScreen { window.enterFullScreen() }
        if list.opensFile { window.open(at: 0) }
        window.whenListed {
          if let open { window.open(at: open - 1) }
          if slideShow { window.startSlideShow() }
        }
        if measure { window.measure() }
        window.run()
      }
    }

    /// The folder that the desktop has for images, or the home folder.
    private static var imageFolder: String {
      g_get_user_special_dir(G_USER_DIRECTORY_PICTURES).map { String(cString: $0) } ?? NSHomeDirectory()
    }

    private func makeServer(_ demo: GalleryServer.Behavior) throws -> GalleryServer {
      guard let images = try? ImageList([samples]) else { throw GalleryServer.Failure.noSamples(folder: samples) }
      return try GalleryServer(samples: images, folder: samples, count: count, behavior: demo)
    }

    /// Prints ignored lines to standard error.
    private func report(_ lines: [ImageList.BadLine]) {
      let shown = lines.prefix(5).map(\.description) + (lines.count > 5 ? ["and \(lines.count - 5) more"] : [])
      for line in shown { try? FileHandle.standardError.write(contentsOf: Data("nuke-gallery: \(line)\n".utf8)) }
    }

    private struct NoDisplay: Error, CustomStringConvertible {
      let description = """
        there is no display: neither WAYLAND_DISPLAY nor DISPLAY is set to one. Run this in a desktop session, or with \
        xvfb-run.
        """
    }
  }

  extension GalleryServer.Behavior: ExpressibleByArgument {}
#else
  @main struct NukeGallery {
    static func main() {
      print("nuke-gallery: built without GTK or its options; run `swift run --traits GTK,Command nuke-gallery`")
    }
  }
#endif
