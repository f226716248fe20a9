#if Command
  import ArgumentParser
  import Foundation
  import Nuke

  /// `nuke load`: loads images, reports each, and writes them if requested.
  struct LoadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "load",
      abstract: "Load images, process them, and write them.",
      discussion: """
        Prints a line for each image: its name and that of the output, its size in pixels and in bytes, and the time. \
        Prints failures to standard error. On a terminal, bars show the downloads.

        OUTPUT NAMES
        \(NamePattern.help)

        PROCESSORS
        \(ProcessorSyntax.help)

        EXAMPLES
          nuke load photo.jpg https://example.com/a.png
          nuke load photo.jpg --size 400x300 --output small.webp
          nuke load photo.jpg --size '200x200^' --crop 200x200 --output small.webp
          nuke load clip.mp4 --at 2s --output poster.jpg
          nuke load - --size 50% --quality 85 --output - < photo.jpg > half.jpg
          nuke load --files-from list.txt --size 200x --output thumbnails/
          nuke load https://example.com/a.png --original --output a.png
          nuke load photos --recursive --size 200x --output 'small/{dir}/{name}.webp'
          nuke load *.jpg --size 200x --output 'tn_{name}.{ext}' --skip-existing
          nuke load https://example.com/a.png --cache images --json
          nuke load https://example.com/a.png --cache images --offline
          nuke load https://example.com/a.png --cache images --explain
          nuke load https://example.com/a.jpg --progressive --previews steps
          nuke load https://example.com/a.jpg --view --cells 40x12

        The exit status is 0 if all images were loaded, 1 if some failed, and 2 for invalid usage. With --explain, it is 1 \
        if a load is known to fail. An interrupt leaves no incomplete file.
        """)

    @OptionGroup var input: SourceArguments

    @OptionGroup(title: "Processing") var processing: ProcessingOptions

    @OptionGroup(title: "Output") var written: OutputOptions

    @OptionGroup(title: "Output") var encoding: EncodingOptions

    @OptionGroup(title: "Output") var metadata: MetadataOptions

    @OptionGroup(title: "Output") var writing: WritingOptions

    @Flag(
      help: ArgumentHelp(
        "Write the data of the image to --output as it was loaded.",
        discussion: """
          Nothing is decoded, but data without the header of an image is a failure. A file may have any extension; files in a \
          folder get that of their format.
          """))
    var original = false

    @Flag(
      help: ArgumentHelp(
        "Draw each image on the terminal, above its line, while it loads.",
        discussion: "Images are loaded one after another, without bars. See 'nuke view'."))
    var view = false

    @OptionGroup(title: "Drawing") var drawing: DrawingOptions

    @OptionGroup(title: "Cache") var cache: CacheOptions

    @OptionGroup(title: "Downloads") var concurrency: ConcurrencyOption

    @OptionGroup(title: "Downloads") var limits: TransferLimits

    @OptionGroup(title: "Downloads") var requests: RequestOptions

    @Option(
      name: .customLong("repeat"),
      help: ArgumentHelp("Number of times to load all sources. Only the first time writes files.", valueName: "count"))
    var repetitions = 1

    @Flag(help: "Print where the image would come from, and why, and load nothing.")
    var explain = false

    @OptionGroup var printing: PrintingOptions

    @Flag(help: .verbose) var verbose = false

    func validate() throws {
      try printing.check(verbose: verbose)
      try check("--repeat", repetitions, in: 1...1_000_000)
      if written.output == nil, written.previews == nil { try reject(encoding.given) { "\($0) needs --output." } }
      if written.output == nil {
        for given in [metadata.given, writing.given] { try reject(given) { "\($0) needs --output." } }
      }
      if metadata.keepMetadata, cache.store.map({ $0 != .original }) == true {
        throw ValidationError("--keep-metadata needs originals in the cache: use --store original.")
      }
      if explain {
        try reject([
          "--output": written.output != nil, "--progressive": written.progressive, "--view": view,
          "--repeat": repetitions > 1, "--quiet": printing.quiet, "--verbose": verbose,
        ]) { "--explain loads nothing: remove \($0)." }
      }
      if original { try validateOriginal() }
      if printing.json, view { throw ValidationError("Use either --json or --view.") }
      if written.output == StandardOutput.name {
        try reject(["--view": view]) { "--output - writes an image to standard output: remove \($0)." }
      }
      if drawing.isGiven, !view { throw ValidationError("--protocol, --cells and --animate need --view.") }
    }

    private func validateOriginal() throws {
      if written.output == nil, !explain { throw ValidationError("--original needs --output.") }
      let reason: (String) -> String = { "--original writes the data unchanged: remove \($0)." }
      try reject(
        [
          "--size": processing.size != nil, "--crop": processing.crop != nil,
          "--processor": !processing.further.isEmpty, "--at": processing.frame != nil, "--view": view,
          "--progressive": written.progressive, "--repeat": repetitions > 1, "--explain": explain,
        ], reason)
      try reject(metadata.given, reason)
      try reject(encoding.given, reason)
    }

    func run() async throws {
      let session = Session(printing, output: written.output)
      let sources = try session.attempt { try input.all(except: written.output.flatMap(OutputPlan.folder)) }
      if explain { return try await explain(sources, session) }
      if writing.dryRun { return try dryRun(sources, session) }
      let screen = view ? await ImageScreen(drawing, console: session.console) : nil
      let run = try session.attempt {
        let format = encoding.format
        let output = try plan(sources)
        let previews = try written.previews.map { try OutputFolder($0, sources: sources) }
        let setup = try PipelineSetup(limits: limits, requests: requests, concurrency: concurrency.count, cache: cache)
        {
          // Only a repeated load finds its image in memory.
          if repetitions == 1 { $0.imageCache = nil }
          $0.isProgressiveDecodingEnabled = written.progressive || screen != nil
          if let interval = written.previewInterval { $0.progressiveDecodingInterval = interval }
          if metadata.keepMetadata { $0.readMetadata() }
        }
        return LoadRun(
          session: session, sources: sources, limits: limits, concurrency: concurrency.count, setup: setup,
          encoding: encoding.encoding(keeping: metadata.kept), output: output, repetitions: repetitions,
          isOriginal: original, isVerbose: verbose,
          isProgressive: written.progressive, previews: previews,
          previewFormat: format, screen: screen
        ) { [cache, processing, limits] in try cache.request(for: $0, processing, limits) }
      }
      await run()
      try session.finish()
    }

    /// Returns the plan for the output; `nil` if no images are written.
    private func plan(_ sources: [Source]) throws -> OutputPlan? {
      try written.output.map {
        var plan = try OutputPlan(
          output: $0, format: encoding.format, sources: sources, isMany: input.list.isMany,
          isDryRun: writing.dryRun)
        plan.existing = writing.existing
        plan.isOriginal = original
        return plan
      }
    }

    private func dryRun(_ sources: [Source], _ session: Session) throws {
      if let plan = try session.attempt({ try plan(sources) }) {
        DryRun(session: session, sources: sources, output: plan)()
      }
      try session.finish()
    }

    private func explain(_ sources: [Source], _ session: Session) async throws {
      let pipeline = try session.attempt {
        try PipelineSetup(
          limits: limits, requests: requests, concurrency: concurrency.count, cache: cache, isDryRun: true
        ).pipeline
      }
      for source in sources {
        do throws(LoadFailure) {
          let request = try cache.request(for: source, processing, limits)
          let explanation = await pipeline.explain(request)
          if explanation.failure != nil { session.markFailed() }
          session.print(
            explanation.json(for: source),
            [source.displayName]
              + ExplanationText(explanation, of: request, hasCache: cache.cache != nil).lines
              .map { source.withoutSecrets(in: $0) })
        } catch {
          session.report(SourceReport(source: source, failure: error))
        }
      }
      try session.finish()
    }
  }

  extension ImagePipeline.Explanation {
    fileprivate func json(for source: Source) -> JSON {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      let members = (try? encoder.encode(self)).map {
        JSON.encoded(source.withoutSecrets(in: String(decoding: $0, as: UTF8.self)))
      }
      return .members([
        "source": .string(source.textForPrograms), "ok": .bool(failure == nil), "error": failure.map { .string($0) },
        "explanation": members,
      ])
    }
  }
#endif
