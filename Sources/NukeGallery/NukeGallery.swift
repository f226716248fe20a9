#if GTK
  import ArgumentParser
  import Foundation
  import NukeGTK

  /// `nuke-gallery`: shows pictures in a window.
  @main struct NukeGallery: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "nuke-gallery",
      abstract: "Show pictures of folders, files and web addresses in a window.",
      discussion: """
        Without places it shows a demonstration: thousands of pictures from a web server of its own, made of a few samples.

        Control-F searches, Control-I shows statistics, Return opens a picture, Escape goes back, and Alt with an arrow \
        goes to the next one.
        """)

    @Argument(help: "Folders, pictures, addresses, and text files that name one in each line.")
    var places: [String] = []

    @Option(help: "How the demonstration sends its pictures: plain, held or failing.")
    var demo: DemoOrigin.Manner = .plain

    @Option(help: ArgumentHelp("Make the demonstration's pictures of those in this folder.", valueName: "folder"))
    var samples = "Sources/NukeCLI/Samples"

    @Option(help: ArgumentHelp("How many pictures the demonstration offers.", valueName: "number"))
    var count = 5000

    @Option(help: "Show only pictures in whose path these words stand.")
    var search: String?

    @Option(help: ArgumentHelp("Open a picture: the first is 1.", valueName: "number"))
    var open: Int?

    @Flag(help: "Show statistics.")
    var statistics = false

    @Flag(help: "Use the light style.")
    var light = false

    @Flag(help: "Scroll through all pictures, print what that took, and end.")
    var measure = false

    func run() throws {
      let origin =
        places.isEmpty
        ? try DemoOrigin(samples: PictureList([samples]), folder: samples, count: count, manner: demo) : nil
      let urls = try origin?.urls ?? PictureList(places).urls
      guard gtk_init_check() != 0 else { throw ValidationError("there is no display") }
      // A demonstration begins anew each time.
      let folder = origin.map { _ in
        FileManager.default.temporaryDirectory.appendingPathComponent("nuke-gallery-\(getpid())")
      }
      defer { if let folder { try? FileManager.default.removeItem(at: folder) } }
      MainActor.assumeIsolated {
        let window = GalleryWindow(urls, cache: folder, isDark: !light)
        if let search { window.search(for: search) }
        if statistics { window.showStatistics(true) }
        if let open { window.open(at: open - 1) }
        if measure { window.measure() }
        window.run()
      }
    }
  }
#else
  @main struct NukeGallery {
    static func main() { print("nuke-gallery: built without GTK; say `swift run --traits GTK nuke-gallery`") }
  }
#endif
