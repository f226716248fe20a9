#if Command
  import ArgumentParser
  import Foundation
  import Nuke

  /// `nuke demo`: runs the pipeline on sample images, and verifies its guarantees by counting requests and decodes.
  struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "demo",
      abstract: "Show what the pipeline does, with sample images.",
      discussion: """
        Starts a web server on loopback, loads the sample images from it, and prints a table of the expected and the actual \
        numbers of requests, decodes and other steps. Writes a contact sheet of the loaded images.

        EXAMPLES
          nuke demo
          nuke demo --output sheet.png --json

        The exit status is 0 only if every count is as expected.
        """)

    @Option(
      name: [.short, .long],
      help: ArgumentHelp(
        """
        Write the contact sheet, a PNG, to this file, or to standard output for -. (default: nuke-demo-<user>.png in the \
        temporary folder)
        """,
        valueName: "file|-"), completion: .file(extensions: ["png"]))
    var output: String?

    @Flag(help: .json) var json = false

    func validate() throws { try StandardOutput.check(output) }

    func run() async throws {
      let session = Session(json: json, output: output)
      do {
        let origin = try DemoServer(images: Samples.folder())
        defer { origin.stop() }
        var loading = DataLoader.Configuration()
        // The server is on this machine.
        loading.proxy = .none
        // Neither reads nor fills the user's caches.
        let pipeline = ImagePipeline {
          $0.dataLoader = DataLoader(configuration: loading)
          $0.imageCache = ImageCache()
          $0.makeImageDecoder = { ImageDecoders.Default(context: $0, tolerance: .strict) }
        }
        var script = DemoScript(origin: origin, pipeline: pipeline, session: session)
        try await script.run()
        // The temporary folder is shared, so each user has a file of their own.
        let path =
          output ?? FileManager.default.temporaryDirectory.appendingPathComponent("nuke-demo-\(getuid()).png").path
        try AtomicFile.write(try PNGWriter().encode(try Self.sheet(of: script.images)), to: path)
        report(script.table, sheet: path, session)
      } catch {
        session.fail("demo: \(LoadFailure(error).reason)")
      }
      try session.finish()
    }

    /// Returns the images three in a row.
    private static func sheet(of images: [Bitmap]) throws(CommandFailure) -> Bitmap {
      let layout = TileLayout(
        columns: 3, rows: (images.count + 2) / 3, tileWidth: 320, tileHeight: 240, spacing: 16)
      let resize = Geometry(.fit(width: layout.tileWidth, height: layout.tileHeight)).processor()
      guard let sheet = ContactSheet(layout, background: .checkerboard) else {
        throw CommandFailure("not enough memory for the contact sheet")
      }
      for (index, image) in images.enumerated() {
        if let tile = resize.process(image) { sheet.draw(tile, at: index) }
      }
      return sheet.finished()
    }

    private func report(_ table: DemoTable, sheet path: String, _ session: Session) {
      if !table.isMet { session.markFailed() }
      let met = table.rows.count(where: \.isMet)
      if json { for row in table.rows { session.console.print(row.json.text) } }
      session.print(
        .members(["ok": .bool(table.isMet), "contactSheet": .string(path.pathForPrograms)]),
        [""] + table.lines(hasColor: Terminal.hasColor(STDOUT_FILENO)) + [
          "\(met) of \(table.rows.count) promises kept. Contact sheet: \(path.onOneLine)"
        ])
    }
  }
#endif
