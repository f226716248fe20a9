import ArgumentParser
import Foundation
import Nuke

/// The options of `nuke load`, checked against each other.
struct LoadOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "A URL (http, https, ftp, file, data), a path, or - for a list on standard input, one a line.",
      valueName: "source"),
    completion: .file())
  var sources: [String]

  @OptionGroup(title: "What is done to images") var processing: ProcessingOptions

  @OptionGroup(title: "What is written") var written: OutputOptions

  @Flag(
    help: ArgumentHelp(
      "Draw each image on the terminal, above its line, while it is still coming.",
      discussion: "They are loaded one after the other then. See 'nuke view'."))
  var preview = false

  @OptionGroup(title: "How images are drawn") var drawing: DrawingOptions

  @OptionGroup(title: "What is kept on disk") var cache: CacheOptions

  @OptionGroup(title: "How images are fetched") var transfer: TransferOptions

  @Option(
    name: .customLong("repeat"),
    help: ArgumentHelp("Load everything so many times, one time after the other.", valueName: "count"))
  var repetitions = 1

  @Flag(help: "Tell what would be done and which caches would answer, and load nothing.")
  var explain = false

  @Flag(help: "Print one JSON object a line instead of text.")
  var json = false

  @Flag(name: [.short, .long], help: "Print nothing but failures.")
  var quiet = false

  func validate() throws {
    guard !sources.isEmpty else { throw ValidationError("Give at least one source: a URL, a path, or -.") }
    if sources.count(where: { $0 == "-" }) > 1 { throw ValidationError("Standard input (-) can be read only once.") }
    if !(1...1_000_000).contains(repetitions) { throw ValidationError("--repeat must be from 1 to 1000000.") }
    if explain {
      for (name, isGiven) in [
        ("--output", written.output != nil), ("--progressive", written.progressive), ("--preview", preview),
        ("--repeat", repetitions > 1), ("--quiet", quiet),
      ] where isGiven {
        throw ValidationError("--explain loads nothing: leave out \(name).")
      }
    }
    if json, preview { throw ValidationError("Use one of --json and --preview.") }
    if drawing.isGiven, !preview { throw ValidationError("--protocol, --size and --animate need --preview.") }
    if json, quiet { throw ValidationError("Use one of --json and --quiet.") }
  }
}
