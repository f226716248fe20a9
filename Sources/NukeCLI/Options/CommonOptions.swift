import ArgumentParser

/// The sources of a command.
struct SourceArguments: ParsableArguments {
  static let help = ArgumentHelp(
    "A URL (http, https, ftp, file, data), a path, or - to read a list from standard input, one per line.",
    valueName: "source")

  @Argument(help: SourceArguments.help, completion: .file()) var sources: [String]

  func validate() throws { try Self.check(sources) }

  static func check(_ sources: some Sequence<String>) throws {
    if sources.count(where: { $0 == "-" }) > 1 { throw ValidationError("Standard input (-) can be read only once.") }
  }

  func list() -> [Source] { Source.list(sources) { readLine() } }
}

/// The options for printing results.
struct PrintingOptions: ParsableArguments {
  @Flag(help: .json) var json = false

  @Flag(name: [.short, .long], help: "Print only failures.") var quiet = false

  func validate() throws {
    if json, quiet { throw ValidationError("Use either --json or --quiet.") }
  }
}

extension ArgumentHelp {
  static let json: Self = "Print one JSON object per line instead of text."
}

/// The options for downloads.
struct TransferOptions: ParsableArguments {
  @Option(name: [.short, .long], help: ArgumentHelp("Number of images to load at a time.", valueName: "count"))
  var concurrency = 6

  @Option(help: .timeout) var timeout = 30.0

  @Option(
    help: ArgumentHelp(
      "Maximum size of a file or response body, in bytes or as 500K, 20M, 1G.", valueName: "bytes"))
  var maxBytes: ByteLimit?

  func validate() throws {
    try check("--concurrency", concurrency, in: 1...256)
    try Self.check(timeout: timeout)
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
