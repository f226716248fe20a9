#if Command
  import ArgumentParser
  import Foundation
  import Nuke

  /// `nuke convert`: writes images in another format, with optional processors.
  struct ConvertCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "convert",
      abstract: "Convert images to another format, with optional processing.",
      discussion: """
        Writes one image to a file or to standard output, or several into a folder, which is created if necessary. A \
        file is written completely or not at all. It replaces an existing file, unless that is one of the sources. Images \
        are written upright and in sRGB, without metadata (EXIF, XMP, resolution) unless --keep-metadata is given.

        Animated images stay animated in GIF, PNG, WebP, AVIF and JPEG XL; with options of the server, in GIF and WebP. \
        Videos become animations in GIF, WebP and APNG (.apng), or one frame if options of the server are given. Other formats \
        get the first frame, with a warning.

        \(serverOptions)OUTPUT NAMES
        \(NamePattern.help)

        PROCESSORS
        \(ProcessorSyntax.help)

        EXAMPLES
          nuke convert photo.png photo.jpg --quality 85
          nuke convert photo.jpg small.webp --size 800x600
          nuke convert a.jpg b.webp --processor resize:50%,linear --processor sharpen
          nuke convert badge.png badge.webp --lossless
          nuke convert chart.png small.png --colors 32 --effort 80
          nuke convert photo.jpg small.jpg --size 1600x --max-output-bytes 200K
          nuke convert photo.jpg photo.avif --keep-metadata
          nuke convert photos --recursive webp/ --format webp --skip-existing
          nuke convert *.jpg 'thumbnails/tn_{name}.{ext}' --size 200x --dry-run
          nuke convert *.jpg thumbnails/ --format webp --size '200x200^' --crop 200x200
          curl https://example.com/photo.jpg | nuke convert - - --size 640x > small.jpg
          nuke convert a.jpg b.jpg --processor overlay:logo.png,opacity=0.5,scale=0.2
        \(serverExample)
        The exit status is 0 if all images were written, 1 if some failed, and 2 for invalid usage. An interrupt leaves no \
        incomplete file.
        """)

    #if Server
      private static let serverOptions = """
        Options of the server's URLs, such as rs:fill:300:200, may be listed among the sources, and have the same effect \
        as in "nuke serve".


        """
      private static let serverExample = "  nuke convert photo.jpg rs:fill:300:200 small.webp\n"
    #else
      private static let serverOptions = ""
      private static let serverExample = ""
    #endif

    @Argument(
      help: ArgumentHelp(
        "Images (paths, URLs, or - for standard input), followed by the output file or folder, or - for standard output.",
        valueName: "source… output"),
      completion: .file())
    var arguments: [String] = []

    @OptionGroup var sourceList: SourceListOption

    @Option(
      name: [.short, .long],
      help: ArgumentHelp("The output, in place of the last argument.", valueName: "file|folder|-"), completion: .file())
    var output: String?

    @OptionGroup var encoding: EncodingOptions

    @Flag(help: "Encode 8 bits per channel without loss. JPEG cannot be lossless; GIF is up to 256 colors.")
    var lossless = false

    @OptionGroup var metadata: MetadataOptions

    @OptionGroup var writing: WritingOptions

    @OptionGroup(title: "Processing") var processing: ProcessingOptions

    @OptionGroup(title: "Downloads") var concurrency: ConcurrencyOption

    @OptionGroup(title: "Downloads") var limits: TransferLimits

    @OptionGroup(title: "Downloads") var requests: RequestOptions

    @OptionGroup var printing: PrintingOptions

    @Flag(help: .verbose) var verbose = false

    /// The path of the output, or `-`.
    private var destination: String { output ?? arguments.last ?? "" }

    /// The sources and the options of the server.
    private var inputs: [String] { output == nil ? arguments.dropLast() : arguments }

    #if Server
      private var options: [String] { inputs.filter(ServerOptions.contains) }
      private var sources: [String] { inputs.filter { !ServerOptions.contains($0) } }
    #else
      private var sources: [String] { inputs }
    #endif

    func validate() throws {
      guard !sources.isEmpty || sourceList.isGiven, output != nil || !arguments.isEmpty else {
        throw ValidationError("Specify at least one source, followed by the output.")
      }
      guard !destination.isEmpty else { throw ValidationError("The output must be a file, a folder, or -.") }
      try sourceList.check(sources)
      try printing.check(verbose: verbose)
      try StandardOutput.check(destination)
      if lossless {
        if encoding.quality != nil { throw ValidationError("Use either --quality or --lossless.") }
        if encoding.colors != nil { throw ValidationError("Use either --colors or --lossless.") }
        if encoding.maxOutputBytes != nil { throw ValidationError("Use either --max-output-bytes or --lossless.") }
        if encoding.format?.format == .jpeg { throw ValidationError("JPEG cannot be lossless: write webp or png.") }
      }
      #if Server
        if output == nil, ServerOptions.contains(destination) {
          throw ValidationError(
            "\(destination) is an option of the server, and the last argument must be the output. A file of this name is "
              + "./\(destination).")
        }
        try ServerOptions.check(sources: sources)
        guard !options.isEmpty else { return }
        _ = try ServerOptions(options)
        let others = encoding.given.filter { !["--format", "--quality"].contains($0.key) }
        if lossless || processing.isGiven || metadata.keepMetadata || others.contains(where: \.value) {
          throw ValidationError(
            "\(options[0]) is an option of the server, which can be combined with --format and --quality, and with no "
              + "other options for processing and encoding.")
        }
      #endif
    }

    func run() async throws {
      let session = Session(printing, output: destination)
      if writing.dryRun {
        try session.attempt {
          let list = try sourceList.sources(after: sources, except: OutputPlan.folder(of: destination))
          DryRun(session: session, sources: list, output: try plan(list))()
        }
        return try session.finish()
      }
      let run = try session.attempt {
        let list = try sourceList.sources(after: sources, except: OutputPlan.folder(of: destination))
        let plan = try plan(list)
        let setup = try PipelineSetup(limits: limits, requests: requests, concurrency: concurrency.count) {
          $0.imageCache = nil
          if metadata.keepMetadata { $0.readMetadata() }
        }
        let encoder = encoding.encoding(isLossless: lossless, keeping: metadata.kept)
        return LoadRun(
          session: session, sources: list, limits: limits, concurrency: concurrency.count, setup: setup,
          encoding: encoder, output: plan,
          isVerbose: verbose, conversion: try conversion(setup, encoder, to: plan)
        ) { [processing, limits] (source) throws(LoadFailure) in
          var request = try source.request(limit: limits.byteLimit)
          processing.apply(to: &request)
          return request
        }
      }
      await run()
      try session.finish()
    }

    private func plan(_ sources: [Source]) throws -> OutputPlan {
      var plan = try OutputPlan(
        output: destination, format: encoding.format, sources: sources, isMany: sourceList.isMany, isConversion: true,
        isDryRun: writing.dryRun)
      plan.existing = writing.existing
      #if Server
        plan.rewritesFormats = options.isEmpty
      #endif
      return plan
    }

    /// Returns the rendering with options of the server, or the conversion of large files in bands.
    private func conversion(
      _ setup: PipelineSetup, _ encoding: OutputEncoding, to plan: OutputPlan
    ) throws -> @Sendable (Source, Int) async throws -> LoadedImage? {
      #if Server
        if !options.isEmpty {
          let rendering = try ServerOptions(options).rendering(
            quality: self.encoding.quality, in: setup, limit: limits.byteLimit, to: plan)
          return { try await rendering($0, index: $1) }
        }
      #endif
      // A limit of the size of the file takes several attempts, which need the image. So does its size in a name.
      guard limits.tolerance == .strict, encoding.maximumByteCount == nil, !plan.needsSize,
        let bands = BandConversion(processing.processors, setup.pipeline.configuration)
      else { return { _, _ in nil } }
      return { source, index in
        try bands(source, encoding) { try plan.destination(for: index, rewriting: $0) }
      }
    }
  }
#endif
