import ArgumentParser

/// The options for encoding images.
struct EncodingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Output format. (default: by the extension of the output, then the format of the source)", valueName: "format"))
  var format: OutputFormat?

  @Option(help: ArgumentHelp("Quality of JPEG and lossy WebP, from 1 to 100. (default: 80)", valueName: "percent"))
  var quality: Int?

  func validate() throws { try check("--quality", quality, in: 1...100) }

  func encoding(isLossless: Bool = false) -> OutputEncoding {
    OutputEncoding(quality: Double(quality ?? 80) / 100, isLossless: isLossless)
  }
}

/// The output of `nuke load`.
struct OutputOptions: ParsableArguments {
  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "Write the image to this file, or the images into this folder.",
      discussion: """
        Images are written upright and in sRGB. Animated images stay animated in GIF, PNG and WebP. Other formats get the \
        first frame.
        """,
      valueName: "file|folder"), completion: .file())
  var output: String?

  @OptionGroup var encoding: EncodingOptions

  @Flag(
    help: ArgumentHelp(
      "Create previews while images load, and count them.",
      discussion: "Progressive JPEGs and GIFs from a server have previews."))
  var progressive = false

  @Option(
    help: ArgumentHelp(
      "Write each preview into this folder, as name-preview-1, -2 and so on, and print a line for it.",
      valueName: "folder"), completion: .directory)
  var previews: String?

  @Option(
    help: ArgumentHelp(
      "Minimum time between two previews; 0 creates one whenever data arrives. (default: 0.5)", valueName: "seconds"))
  var previewInterval: Double?

  func validate() throws {
    if output == "" { throw ValidationError("--output needs a file or a folder.") }
    if previews == "" { throw ValidationError("--previews needs a folder.") }
    if output == nil, previews == nil {
      try reject(["--format": encoding.format != nil, "--quality": encoding.quality != nil]) { "\($0) needs --output." }
    }
    if !progressive {
      try reject(["--previews": previews != nil, "--preview-interval": previewInterval != nil]) {
        "\($0) needs --progressive."
      }
    }
    try check("--preview-interval", previewInterval, in: 0...3600)
  }
}
