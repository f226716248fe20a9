import ArgumentParser
import Foundation
import Nuke

/// The options of `nuke hash`, checked against each other.
struct HashOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "A URL (http, https, ftp, file, data), a path, or - for a list on standard input, one a line.",
      valueName: "source"),
    completion: .file())
  var sources: [String] = []

  @Flag(help: "The BlurHash.") var blurhash = false

  @Flag(help: "The ThumbHash.") var thumbhash = false

  @Flag(help: "The dominant and the mean color.") var color = false

  @Flag(help: "A preview of 24 pixels as a data: URL.") var preview = false

  @Option(
    help: ArgumentHelp("How many waves a BlurHash has along each side, 1 to 9. (default: 4x3)", valueName: "XxY"))
  var components: PixelSize?

  @Option(
    help: ArgumentHelp(
      "Draw this BlurHash or ThumbHash into --output instead. Which it is shows in its length, or is said by --blurhash or --thumbhash.",
      valueName: "hash"))
  var decode: String?

  @Option(
    name: [.short, .long], help: ArgumentHelp("With --decode: where to write.", valueName: "file"), completion: .file())
  var output: String?

  @Option(
    help: ArgumentHelp(
      "With --decode: how large, at most 1024x1024. A ThumbHash keeps its proportions within. (default: 32x32)",
      valueName: "WxH"))
  var size: PixelSize?

  @Option(
    help: ArgumentHelp("With --decode: how many times the contrast of a BlurHash. (default: 1)", valueName: "times"))
  var punch: Double?

  @OptionGroup(title: "How images are fetched") var transfer: TransferOptions

  @Flag(help: "Print one JSON object a line instead of text.") var json = false

  /// The kinds that are asked for; all where none is named.
  var kinds: Set<ImageHashes.Kind> {
    let chosen: [(ImageHashes.Kind, Bool)] = [
      (.blurHash, blurhash), (.thumbHash, thumbhash), (.color, color), (.preview, preview),
    ]
    let named = chosen.filter(\.1).map(\.0)
    return Set(named.isEmpty ? ImageHashes.Kind.allCases : named)
  }

  /// The format that the ending of the output tells.
  var outputFormat: OutputFormat? { output.flatMap { OutputFormat(fileExtension: ($0 as NSString).pathExtension) } }

  func validate() throws {
    if let components, !(1...9).contains(components.width) || !(1...9).contains(components.height) {
      throw ValidationError("--components must be from 1x1 to 9x9.")
    }
    if let punch, !(0...100).contains(punch) { throw ValidationError("--punch must be from 0 to 100.") }
    guard decode == nil else {
      guard sources.isEmpty else { throw ValidationError("--decode takes a hash, and no sources beside it.") }
      guard let output, !output.isEmpty else { throw ValidationError("--decode needs --output.") }
      for (name, isGiven) in [
        ("--color", color), ("--preview", preview), ("--components", components != nil), ("--json", json),
      ] where isGiven {
        throw ValidationError("--decode draws an image: leave out \(name).")
      }
      guard outputFormat != nil else {
        throw ValidationError("\(output) does not tell its format: give it one of the endings \(OutputFormat.endings).")
      }
      if blurhash, thumbhash { throw ValidationError("Use one of --blurhash and --thumbhash.") }
      return
    }
    guard !sources.isEmpty else { throw ValidationError("Give at least one source: a URL, a path, or -.") }
    if sources.count(where: { $0 == "-" }) > 1 { throw ValidationError("Standard input (-) can be read only once.") }
    for (name, isGiven) in [("--output", output != nil), ("--size", size != nil), ("--punch", punch != nil)]
    where isGiven {
      throw ValidationError("\(name) needs --decode.")
    }
  }
}
