import ArgumentParser

/// How images are fetched: the options for it, checked.
struct TransferOptions: ParsableArguments {
  @Option(name: [.short, .long], help: ArgumentHelp("How many images are loaded at a time.", valueName: "count"))
  var concurrency = 6

  @Option(help: ArgumentHelp("Give up on a server that sends nothing for so long.", valueName: "seconds"))
  var timeout = 30.0

  @Option(
    help: ArgumentHelp("Refuse files and bodies larger than this: bytes, or as 500K, 20M, 1G.", valueName: "bytes"))
  var maxBytes: ByteLimit?

  func validate() throws {
    if !(1...256).contains(concurrency) { throw ValidationError("--concurrency must be from 1 to 256.") }
    if !(timeout > 0 && timeout <= 86_400) { throw ValidationError("--timeout must be more than 0 seconds.") }
  }
}
