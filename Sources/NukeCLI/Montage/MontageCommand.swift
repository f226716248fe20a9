#if Command
  import ArgumentParser
  import Foundation
  import Nuke

  /// `nuke montage`: draws many images on one sheet.
  struct MontageCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "montage",
      abstract: "Draw images on a contact sheet.",
      discussion: """
        Draws the images in their order, row by row, each in the center of a tile. Images are decoded at a reduced size if \
        possible, and only the sheet and the tiles being drawn are in memory. The tile of an image that failed stays empty.

        EXAMPLES
          nuke montage *.jpg --output sheet.png
          nuke montage *.jpg --tile 4x --size '200x200^' --spacing 2 --output sheet.jpg
          ls *.webp | nuke montage --files-from - --output - | nuke view -

        The exit status is 0 if all images were drawn, 1 if some failed, and 2 for invalid usage.
        """)

    @OptionGroup var input: SourceArguments

    @Option(
      name: [.short, .long],
      help: ArgumentHelp("Write the sheet to this file, or to standard output for -.", valueName: "file|-"),
      completion: .file())
    var output: String

    @Option(
      help: ArgumentHelp(
        "The columns and rows: 4x, x3 or 4x3. (default: about as many rows as columns)", valueName: "COLUMNSxROWS"))
    var tile: TileGrid?

    @Option(
      name: [.short, .long],
      help: ArgumentHelp(
        """
        The size of a tile: 200x200 to fit images into it, 200x200^ to cover it and crop the rest, 200x200! to distort \
        them. With >, smaller images stay as they are. (default: 200x200>)
        """, valueName: "geometry"),
      transform: { try Self.tile(Geometry(parsing: $0)) })
    var size: Geometry?

    @Option(help: ArgumentHelp("The distance between tiles, and from the edges.", valueName: "pixels"))
    var spacing = 8

    @Option(
      help: ArgumentHelp(
        "The color behind the images: RRGGBB, RRGGBBAA, or a name. (default: white)", valueName: "color"),
      transform: { try ProcessorArguments.color(parsing: $0) })
    var background: Color?

    @OptionGroup var encoding: EncodingOptions

    @OptionGroup var writing: WritingOptions

    @OptionGroup(title: "Downloads") var concurrency: ConcurrencyOption

    @OptionGroup(title: "Downloads") var limits: TransferLimits

    @OptionGroup(title: "Downloads") var requests: RequestOptions

    @OptionGroup var printing: PrintingOptions

    func validate() throws {
      try check("--spacing", spacing, in: 0...1000)
      try StandardOutput.check(output)
      if encoding.format == nil { _ = try OutputFormat(writing: output) }
    }

    func run() async throws {
      let session = Session(printing, output: output)
      let sources = try session.attempt { try input.all() }
      guard !sources.isEmpty else {
        session.fail("there are no images")
        return try session.finish()
      }
      try session.attempt { try FileIdentities(of: sources).check(output) }
      do {
        try writing.existing.check(output)
      } catch let skipped as SkippedOutput {
        let report = skipped.report(Source(argument: output))
        session.print(report.json, report.lines)
        return
      } catch {
        session.fail(LoadFailure(error).reason)
        return try session.finish()
      }
      if writing.dryRun {
        DryRun.report(sources, to: output, session)
        return try session.finish()
      }
      guard let (columns, rows) = (tile ?? .square).size(for: sources.count) else {
        throw ValidationError("There are \(sources.count) images, more than the tiles of --tile.")
      }
      let size = size ?? Geometry(.fit(width: 200, height: 200), shrinksOnly: true)
      let box = try size.box
      let layout = TileLayout(
        columns: columns, rows: rows, tileWidth: box.width, tileHeight: box.height, spacing: spacing)
      let sheet = try session.attempt { try layout.sheet(background ?? .white) }
      let setup = try session.attempt {
        try PipelineSetup(limits: limits, requests: requests, concurrency: concurrency.count) { $0.imageCache = nil }
      }
      let drawnCount = await draw(sources, by: size.tileProcessor, on: sheet, setup.pipeline, session)
      guard drawnCount > 0 else { return try session.finish() }
      do {
        let format = try encoding.format ?? OutputFormat(writing: output)
        try AtomicFile.write(encoding.encoding().encode(sheet.finished(), as: format), to: output)
      } catch {
        session.fail(LoadFailure(error).reason)
        return try session.finish()
      }
      session.print(
        .members([
          "ok": .bool(drawnCount == sources.count), "output": .string(output.pathForPrograms),
          "width": .integer(layout.width), "height": .integer(layout.height), "images": .integer(drawnCount),
          "failed": .integer(sources.count - drawnCount),
        ]),
        ["\(output.onOneLine)  \(layout.width)x\(layout.height)  \(Format.count(drawnCount, "image"))"])
      try session.finish()
    }

    /// Draws all images, and returns how many could be drawn.
    private func draw(
      _ sources: [Source], by processor: any ImageProcessing, on sheet: ContactSheet, _ pipeline: ImagePipeline,
      _ session: Session
    ) async -> Int {
      let progress = session.progress(count: sources.count)
      defer { progress?.finish() }
      let limits = limits
      var drawnCount = 0
      await forEachConcurrently(sources.count, limit: concurrency.count) {
        index -> (Int, Result<PlatformImage, LoadFailure>) in
        progress?.begin(index, name: sources[index].displayName)
        do {
          var request = try sources[index].request(limit: limits.byteLimit)
          request.processors = [processor]
          let task = pipeline.imageTask(with: request)
          for await step in task.progress { progress?.update(index, step) }
          let image = try await task.response.image
          progress?.end(index, failed: false, bytes: task.facts.byteCount)
          return (index, .success(image))
        } catch {
          progress?.end(index, failed: true)
          return (index, .failure(limits.failure(error)))
        }
      } receive: {
        switch $0.1 {
        case .success(let image):
          sheet.draw(image, at: $0.0)
          drawnCount += 1
        case .failure(let failure): session.fail("\(sources[$0.0].displayName): \(failure.reason)")
        }
      }
      return drawnCount
    }

    /// Returns a geometry that names both sides.
    private static func tile(_ geometry: Geometry) throws -> Geometry {
      _ = try geometry.box
      return geometry
    }
  }

  extension Geometry {
    /// The size of a tile. Throws if the geometry does not name both sides.
    fileprivate var box: (width: Int, height: Int) {
      get throws(Failure) {
        switch target {
        case .fit(let width, let height), .cover(let width, let height), .exact(let width, let height):
          return (width, height)
        case .width, .height, .factor:
          throw Failure(description: "a tile needs a width and a height, such as 200x200")
        }
      }
    }

    /// The processor for a tile, which crops what is outside of it.
    fileprivate var tileProcessor: any ImageProcessing {
      guard case .cover(let width, let height) = target else { return processor() }
      let size = CGSize(width: width, height: height)
      return ImageProcessors.Resize(size: size, unit: .pixels, crop: true, upscale: !shrinksOnly)
    }
  }

  extension TileLayout {
    /// Returns an empty sheet.
    fileprivate func sheet(_ background: Color) throws(CommandFailure) -> ContactSheet {
      let limit = ResizeGeometry.defaultPixelLimit
      guard width * height <= limit, max(width, height) <= PixelSize.allowed.upperBound else {
        throw CommandFailure(
          "the sheet would have \(width)x\(height) pixels, more than \(limit), or \(PixelSize.allowed.upperBound) per side: "
            + "use a smaller --size or --tile, or fewer images")
      }
      guard let sheet = ContactSheet(self, background: .color(background)) else {
        throw CommandFailure("there is not enough memory for a sheet of \(width)x\(height) pixels")
      }
      return sheet
    }
  }
#endif
