import ArgumentParser
import Nuke

/// The options of `nuke convert`, checked against each other.
struct ConvertOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Images (paths, URLs, or - for a list on standard input), and last the file or the folder to write.",
      valueName: "source… output"),
    completion: .file())
  var arguments: [String] = []

  @Option(
    help: ArgumentHelp(
      "Write this format. Otherwise the ending of the output's name decides; in a folder images keep their format.",
      valueName: "format"))
  var format: OutputFormat?

  @Option(help: ArgumentHelp("The quality of JPEG and lossy WebP, from 1 to 100. (default: 80)", valueName: "percent"))
  var quality: Int?

  @Flag(help: "Keep every pixel as it is, where a format also has a form with loss, as WebP has; JPEG has no other.")
  var lossless = false

  @OptionGroup(title: "What is done to images") var processing: ProcessingOptions

  @OptionGroup(title: "How images are fetched") var transfer: TransferOptions

  @Flag(help: "Print one JSON object a line instead of text.") var json = false

  @Flag(name: [.short, .long], help: "Print nothing but failures.") var quiet = false

  var sources: ArraySlice<String> { arguments.dropLast() }
  var output: String { arguments.last ?? "" }

  var encoding: OutputEncoding { OutputEncoding(quality: Double(quality ?? 80) / 100, isLossless: lossless) }

  func validate() throws {
    guard arguments.count > 1 else { throw ValidationError("Give at least one source, and the output behind it.") }
    guard !output.isEmpty else { throw ValidationError("The output needs a name.") }
    guard output != "-" else { throw ValidationError("The output, which is last, cannot be -.") }
    if sources.count(where: { $0 == "-" }) > 1 { throw ValidationError("Standard input (-) can be read only once.") }
    if let quality, !(1...100).contains(quality) { throw ValidationError("--quality must be from 1 to 100.") }
    if lossless {
      if quality != nil { throw ValidationError("Use one of --quality and --lossless.") }
      if format?.format == .jpeg { throw ValidationError("JPEG cannot be lossless: write webp or png.") }
    }
    if json, quiet { throw ValidationError("Use one of --json and --quiet.") }
  }
}
