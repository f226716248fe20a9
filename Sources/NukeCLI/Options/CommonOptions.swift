#if Command
  import ArgumentParser
  import Nuke

  /// The sources of a command.
  struct SourceArguments: ParsableArguments {
    @Argument(
      help: ArgumentHelp(
        "A URL (http, https, ftp, file, data), a path, or - for the bytes of an image on standard input.",
        valueName: "source"), completion: .file())
    var sources: [String] = []

    @OptionGroup var list: SourceListOption

    func validate() throws {
      try list.check(sources)
    }

    /// Returns all sources.
    func all() throws(FileError) -> [Source] { try list.sources(after: sources) }
  }

  /// The options for lists of sources.
  struct SourceListOption: ParsableArguments {
    @Option(
      name: .customLong("files-from"),
      help: ArgumentHelp(
        "Also take the sources in this file, one URL or path per line; - for standard input.", valueName: "file"),
      completion: .file())
    var path: String?

    @Option(
      name: .customLong("files-from0"),
      help: ArgumentHelp(
        "As --files-from, with a NUL after each source, as find -print0 writes them.", valueName: "file"),
      completion: .file())
    var path0: String?

    private var paths: [String] { [path, path0].compactMap(\.self) }

    var isGiven: Bool { !paths.isEmpty }

    func validate() throws {
      if path == "" { throw ValidationError("--files-from needs a file.") }
      if path0 == "" { throw ValidationError("--files-from0 needs a file.") }
    }

    /// Throws if there are no sources, or if standard input is used twice.
    func check(_ arguments: [String]) throws {
      guard !arguments.isEmpty || isGiven else {
        throw ValidationError("Specify at least one source: a URL, a path, or - for standard input.")
      }
      if arguments.count(where: Source.isStandardInput) + paths.count(where: { $0 == "-" }) > 1 {
        throw ValidationError("Standard input (-) can be read only once.")
      }
    }

    /// Returns the sources of the arguments, followed by those of the lists.
    func sources(after arguments: some Sequence<String>) throws(FileError) -> [Source] {
      var sources = arguments.map(Source.init(argument:))
      if let path { sources += SourceList.sources(in: try SourceList.read(path)) }
      if let path0 { sources += SourceList.sources(in: try SourceList.read(path0), separatedBy: .nul) }
      return sources
    }
  }

  /// The options for printing results.
  struct PrintingOptions: ParsableArguments {
    @Flag(help: .json) var json = false

    @Flag(help: "Print only failures.") var quiet = false

    func validate() throws {
      if json, quiet { throw ValidationError("Use either --json or --quiet.") }
    }

    /// Throws if `--verbose` has no effect.
    func check(verbose: Bool) throws {
      guard verbose else { return }
      try reject(["--json": json, "--quiet": quiet]) { "--verbose prints more text: remove \($0)." }
    }
  }

  extension ArgumentHelp {
    static let json: Self = "Print one JSON object per line instead of text."
    static let verbose: Self = "Also print the format, the origin and the duration of each stage."
  }

  /// The options for downloads of a command that loads several images at a time.
  struct TransferOptions: ParsableArguments {
    @Option(name: [.short, .long], help: ArgumentHelp("Number of images to load at a time.", valueName: "count"))
    var concurrency = 6

    @OptionGroup var limits: TransferLimits

    func validate() throws { try check("--concurrency", concurrency, in: 1...256) }
  }

  /// The limits of one download.
  struct TransferLimits: ParsableArguments {
    @Option(help: .timeout) var timeout = 30.0

    @Option(
      help: ArgumentHelp(
        """
        Maximum size of a file or response body, in bytes or as 500K, 20M, 1G. The default is 1G, or less if there is \
        less memory.
        """, valueName: "bytes"))
    var maxBytes: ByteLimit?

    @Option(
      help: ArgumentHelp(
        "Maximum number of pixels of an image. The default is 400000000, or less if there is less memory.",
        valueName: "count"))
    var maxPixels: Int?

    @Flag(help: "Show what can be decoded of a damaged JPEG, PNG, GIF or WebP, which is an error otherwise.")
    var tolerateDamage = false

    @OptionGroup var requests: RequestOptions

    func validate() throws {
      try Self.check(timeout: timeout)
      if let maxPixels, maxPixels < 1 { throw ValidationError("--max-pixels must be at least 1.") }
    }

    /// The maximum size of a file or response body, in bytes.
    var byteLimit: Int { maxBytes?.bytes ?? max(200 << 20, min(1 << 30, MemoryLimit.bytes / 4)) }

    var tolerance: DamageTolerance { tolerateDamage ? .tolerant : .strict }

    /// The limits of images. Pixels have four bytes, so the default is a quarter of the memory at most.
    var codecLimits: CodecLimits {
      let usual = CodecLimits().maximumPixelCount
      return CodecLimits(
        maximumPixelCount: maxPixels ?? max(usual, min(400_000_000, MemoryLimit.bytes / 16)), maximumSide: 65_535)
    }

    static func check(timeout: Double) throws {
      if !(timeout > 0 && timeout <= 86_400) {
        throw ValidationError("--timeout must be more than 0 and at most 86400 seconds.")
      }
    }
  }

  extension ArgumentHelp {
    static let timeout = Self("Fail if a server sends nothing for this long.", valueName: "seconds")
  }
#endif
