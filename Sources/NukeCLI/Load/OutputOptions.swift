import ArgumentParser

/// What is written, and where: the options for it, checked against each other.
struct OutputOptions: ParsableArguments {
  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "Write the image to this file, or the images into this folder.",
      discussion:
        "What is written is what was decoded: upright, in sRGB. Animated images move on in GIF and WebP; elsewhere it is their first frame.",
      valueName: "file|folder"), completion: .file())
  var output: String?

  @Option(
    help: ArgumentHelp(
      "Write this format. Otherwise the ending of the output's name decides, then the source's format.",
      valueName: "format"))
  var format: OutputFormat?

  @Option(help: ArgumentHelp("The quality of JPEG and lossy WebP, from 1 to 100. (default: 80)", valueName: "percent"))
  var quality: Int?

  @Flag(
    help: ArgumentHelp(
      "Make previews while images load, and count them.",
      discussion: "There are some of progressive JPEGs and of GIFs that come from a server."))
  var progressive = false

  @Option(
    help: ArgumentHelp(
      "Write each preview into this folder, as name-preview-1, -2 and so on, and print a line for it.",
      valueName: "folder"), completion: .directory)
  var previews: String?

  @Option(
    help: ArgumentHelp(
      "Make a preview at most once in so long; 0 for as often as data comes. (default: 0.5)", valueName: "seconds"))
  var previewInterval: Double?

  func validate() throws {
    if output == "" { throw ValidationError("--output needs a file or a folder.") }
    if previews == "" { throw ValidationError("--previews needs a folder.") }
    if output == nil, previews == nil {
      if format != nil { throw ValidationError("--format needs --output.") }
      if quality != nil { throw ValidationError("--quality needs --output.") }
    }
    if let quality, !(1...100).contains(quality) { throw ValidationError("--quality must be from 1 to 100.") }
    if !progressive {
      if previews != nil { throw ValidationError("--previews needs --progressive.") }
      if previewInterval != nil { throw ValidationError("--preview-interval needs --progressive.") }
    }
    if let previewInterval, !(0...3600).contains(previewInterval) {
      throw ValidationError("--preview-interval must be from 0 to 3600 seconds.")
    }
  }
}
