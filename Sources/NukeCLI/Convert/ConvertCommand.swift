import ArgumentParser
import Foundation
import Nuke

/// `nuke convert`: writes images in another format, with optional processors.
struct ConvertCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Convert images to another format, with optional processing.",
    discussion: """
      Writes one image to a file, or several into a folder, which is created if necessary. A file is written completely \
      or not at all. It replaces an existing file, unless that is one of the sources. Images are written upright and in \
      sRGB. Animated images stay animated in GIF, PNG and WebP. Other formats get the first frame.

      PROCESSORS
      \(ProcessorSyntax.help)

      EXAMPLES
        nuke convert photo.png photo.jpg --quality 85
        nuke convert photo.jpg small.webp --processor resize:800x600,linear --processor sharpen
        nuke convert badge.png badge.webp --lossless
        nuke convert chart.png small.png --colors 32 --effort 80
        nuke convert *.jpg thumbnails/ --format webp --resize 200x200 --crop
        nuke convert photo.jpg marked.jpg --processor overlay:logo.png,opacity=0.5,scale=0.2

      The exit status is 0 if all images were written, 1 if some failed, and 2 for invalid usage. An interrupt leaves no \
      incomplete file.
      """)

  @Argument(
    help: ArgumentHelp(
      "Images (paths, URLs, or - to read a list from standard input), followed by the output file or folder.",
      valueName: "source… output"),
    completion: .file())
  var arguments: [String] = []

  @OptionGroup var encoding: EncodingOptions

  @Flag(help: "Keep every pixel unchanged. JPEG cannot be lossless.")
  var lossless = false

  @OptionGroup(title: "Processing") var processing: ProcessingOptions

  @OptionGroup(title: "Downloads") var transfer: TransferOptions

  @OptionGroup var printing: PrintingOptions

  private var sources: [String] { arguments.dropLast() }
  private var output: String { arguments.last ?? "" }

  func validate() throws {
    guard arguments.count > 1 else { throw ValidationError("Give at least one source, followed by the output.") }
    guard !output.isEmpty, output != "-" else { throw ValidationError("The last argument must be a file or folder.") }
    try SourceArguments.check(sources)
    if lossless {
      if encoding.quality != nil { throw ValidationError("Use either --quality or --lossless.") }
      if encoding.colors != nil { throw ValidationError("Use either --colors or --lossless.") }
      if encoding.format?.format == .jpeg { throw ValidationError("JPEG cannot be lossless: write webp or png.") }
    }
  }

  func run() async throws {
    let session = Session(printing)
    let list = Source.list(sources) { readLine() }
    let run = try session.attempt {
      let plan = try OutputPlan(
        output: output, format: encoding.format, sources: list, isList: sources.contains("-"), isConversion: true)
      let setup = try PipelineSetup(transfer: transfer) { $0.imageCache = nil }
      return LoadRun(
        session: session, sources: list, transfer: transfer, setup: setup,
        encoding: encoding.encoding(isLossless: lossless), output: plan,
        bands: BandConversion(processing.processors, setup.pipeline.configuration)
      ) { [processing] (source) throws(LoadFailure) in
        var request = ImageRequest(url: try source.loadableURL())
        processing.apply(to: &request)
        return request
      }
    }
    await run()
    try session.finish()
  }
}
