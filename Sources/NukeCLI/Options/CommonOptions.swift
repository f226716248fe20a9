#if Command
  import ArgumentParser
  import Foundation
  import Nuke

  /// The sources of a command.
  struct SourceArguments: ParsableArguments {
    @Argument(
      help: ArgumentHelp(
        """
        A URL (http, https, ftp, file, data), a path, a folder with --recursive, or - for the bytes of an image on \
        standard input.
        """,
        valueName: "source"), completion: .file())
    var sources: [String] = []

    @OptionGroup var list: SourceListOption

    func validate() throws {
      try list.check(sources)
    }

    /// Returns all sources.
    ///
    /// - Parameter output: the output, which is not a source if it is a folder in one that is searched.
    func all(except output: String? = nil) throws(FileError) -> [Source] {
      try list.sources(after: sources, except: output)
    }
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

    @Flag(
      help: ArgumentHelp(
        "Take the images in folders, and in the folders in them.",
        discussion: """
          Those are the files whose extension or first bytes are those of an image, in the order of their names. Hidden \
          files and folders are left out. A folder is read once, even if symbolic links lead to it again.
          """))
    var recursive = false

    var isGiven: Bool { !paths.isEmpty }

    /// `true` if there may be several sources, however many there are.
    var isMany: Bool { isGiven || recursive }

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
    ///
    /// - Parameter output: a folder for results, which is left out if it is in a folder that is searched.
    func sources(
      after arguments: some Sequence<String>, except output: String? = nil
    ) throws(FileError) -> [Source] {
      var sources = arguments.map(Source.init(argument:))
      if let path { sources += SourceList.sources(in: try SourceList.read(path)) }
      if let path0 { sources += SourceList.sources(in: try SourceList.read(path0), separatedBy: .nul) }
      return expanded(sources, except: output)
    }

    /// Replaces folders by the images in them.
    private func expanded(_ sources: [Source], except output: String?) -> [Source] {
      var scan = FolderScan(except: output)
      return sources.flatMap { source -> [Source] in
        guard let path = source.path, path.fileStatus.map({ $0.st_mode & S_IFMT }) == S_IFDIR else { return [source] }
        if recursive { return scan.sources(in: path) }
        let reason = "it is a folder, not an image: use --recursive for the images in it"
        return [Source(text: source.text, location: .unusable(reason: reason))]
      }
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
    static let dryRun: Self = "Print each source and its output, and load and write nothing."
    static let verbose: Self = "Also print the format, the origin and the duration of each stage."
  }

  /// The option for concurrent loads. It, `TransferLimits` and `RequestOptions` are no groups of each other, because
  /// ArgumentParser's debug builds check a group four times for each group around it.
  struct ConcurrencyOption: ParsableArguments {
    @Option(
      name: [.customShort("c"), .customLong("concurrency")],
      help: ArgumentHelp("Number of images to load at a time.", valueName: "count"))
    var count = 6

    func validate() throws { try check("--concurrency", count, in: 1...256) }
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
