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

  @Option(
    help: ArgumentHelp(
      "Fit into so many pixels, keeping the proportions; with --crop fill them.", valueName: "WxH"))
  var resize: PixelSize?

  @Option(help: ArgumentHelp("Resize to this width in pixels, keeping the proportions.", valueName: "pixels"))
  var width: Int?

  @Option(help: ArgumentHelp("Resize to this height in pixels, keeping the proportions.", valueName: "pixels"))
  var height: Int?

  @Flag(help: "With --resize: fill the size and cut off what sticks out.")
  var crop = false

  @Flag(help: "Enlarge pictures that are smaller than the size.")
  var upscale = false

  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "Write the picture to this file, or the pictures into this folder.",
      discussion: "What is written is what was decoded: upright, in sRGB, the first frame of a moving picture.",
      valueName: "file|folder"), completion: .file())
  var output: String?

  @Option(
    help: ArgumentHelp(
      "Write this format: jpeg, png or webp. Otherwise the ending of the output's name decides, then the source's format.",
      valueName: "format"))
  var format: OutputFormat?

  @Option(help: ArgumentHelp("The quality of JPEG and lossy WebP, from 1 to 100. (default: 80)", valueName: "percent"))
  var quality: Int?

  @Option(name: [.short, .long], help: ArgumentHelp("How many pictures are loaded at a time.", valueName: "count"))
  var concurrency = 6

  @Option(
    name: .customLong("repeat"),
    help: ArgumentHelp("Load everything so many times, one time after the other.", valueName: "count"))
  var repetitions = 1

  @Option(help: ArgumentHelp("Give up on a server that sends nothing for so long.", valueName: "seconds"))
  var timeout = 30.0

  @Option(
    help: ArgumentHelp("Refuse files and bodies larger than this: bytes, or as 500K, 20M, 1G.", valueName: "bytes"))
  var maxBytes: ByteLimit?

  @Flag(help: "Print one JSON object a line instead of text.")
  var json = false

  @Flag(name: [.short, .long], help: "Print nothing but failures.")
  var quiet = false

  func validate() throws {
    guard !sources.isEmpty else { throw ValidationError("Give at least one source: a URL, a path, or -.") }
    if sources.count(where: { $0 == "-" }) > 1 { throw ValidationError("Standard input (-) can be read only once.") }
    if [resize != nil, width != nil, height != nil].count(where: { $0 }) > 1 {
      throw ValidationError("Use one of --resize, --width and --height.")
    }
    for (name, value) in [("--width", width), ("--height", height)] {
      if let value, !PixelSize.allowed.contains(value) {
        throw ValidationError("\(name) must be from 1 to \(PixelSize.allowed.upperBound) pixels.")
      }
    }
    if crop, resize == nil { throw ValidationError("--crop needs --resize.") }
    if upscale, !isResizing { throw ValidationError("--upscale needs --resize, --width or --height.") }
    if output == "" { throw ValidationError("--output needs a file or a folder.") }
    if output == nil {
      if format != nil { throw ValidationError("--format needs --output.") }
      if quality != nil { throw ValidationError("--quality needs --output.") }
    }
    if let quality, !(1...100).contains(quality) { throw ValidationError("--quality must be from 1 to 100.") }
    if !(1...256).contains(concurrency) { throw ValidationError("--concurrency must be from 1 to 256.") }
    if !(1...1_000_000).contains(repetitions) { throw ValidationError("--repeat must be from 1 to 1000000.") }
    if !(timeout > 0 && timeout <= 86_400) { throw ValidationError("--timeout must be more than 0 seconds.") }
    if json, quiet { throw ValidationError("Use one of --json and --quiet.") }
  }

  var isResizing: Bool { resize != nil || width != nil || height != nil }

  /// What is done to each picture before it is written.
  var processors: [any ImageProcessing] {
    if let resize {
      let size = CGSize(width: resize.width, height: resize.height)
      return [
        ImageProcessors.Resize(
          size: size, unit: .pixels, contentMode: crop ? .aspectFill : .aspectFit, crop: crop, upscale: upscale)
      ]
    }
    if let width { return [ImageProcessors.Resize(width: CGFloat(width), unit: .pixels, upscale: upscale)] }
    if let height { return [ImageProcessors.Resize(height: CGFloat(height), unit: .pixels, upscale: upscale)] }
    return []
  }
}
