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
        Without arguments, it shows a demo: thousands of images from a local web server, generated from a few samples.

        Control-F searches, Control-I shows statistics, Return opens an image, the arrow keys show the next one, plus, \
        minus, the wheel and two fingers zoom, 0 fits the image into the window, and Escape goes back. F1 lists all keys.

        Images that are named come first, in their order. Then come those of folders, the most recently modified first.

        A search finds images that match all words: parts of the path, or dates of modification such as 2024, 2024-05, \
        2024-05-17, 2024-05..2024-08, 2024.., today and yesterday.
        """)

    @Argument(help: "Folders, images, URLs, and text files with one of these per line.")
    var places: [String] = []

    @Option(help: "How the demo sends images: plain, held or failing.")
    var demo: GalleryServer.Behavior = .plain

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

    @Flag(help: "Use the light style, whatever the desktop prefers.")
    var light = false

    @Flag(help: "Use the dark style, whatever the desktop prefers.")
    var dark = false

    @Flag(help: "Scroll through all images, print the CPU times, and exit.")
    var measure = false

    func validate() throws {
      if light, dark { throw ValidationError("--light and --dark exclude each other; pass one of them, or none.") }
    }

    /// The style that was chosen, or that of the desktop.
    var colors: GTKColorScheme { light ? .light : dark ? .dark : .desktop }

    func run() throws {
      let server = places.isEmpty ? try makeServer() : nil
      let list = try ImageList(places)
      report(list.badLines.map(\.description), "more")
      let shown = server.map { ImageList(urls: $0.urls) } ?? list
      MainActor.assumeIsolated { GTKMainLoop.setProgramName("Gallery", id: "nuke-gallery") }
      guard gtk_init_check() != 0 else { throw NoDisplay() }
      // The demo starts with an empty cache.
      let folder = server.map { _ in
        FileManager.default.temporaryDirectory.appendingPathComponent("nuke-gallery-\(getpid())")
      }
      defer { if let folder { try? FileManager.default.removeItem(at: folder) } }
      MainActor.assumeIsolated {
        let window = GalleryWindow(shown, cache: folder, colors: colors)
        window.whenListed {
          report(window.unreadableFolders.map { "the folder \($0) cannot be read" }, "more folders that cannot be read")
        }
        if let search { window.search(for: search) }
        if statistics { window.showStatistics(true) }
        if let open { window.whenListed { window.open(at: open - 1) } }
        if measure { window.measure() }
        window.run()
      }
    }

    private func makeServer() throws -> GalleryServer {
      guard let images = try? ImageList([samples]) else { throw GalleryServer.Failure.noSamples(folder: samples) }
      return try GalleryServer(samples: images, folder: samples, count: count, behavior: demo)
    }

    /// Prints what was ignored to standard error.
    private func report(_ lines: [String], _ rest: String) {
      let shown = lines.prefix(5) + (lines.count > 5 ? ["and \(lines.count - 5) \(rest)"] : [])
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
