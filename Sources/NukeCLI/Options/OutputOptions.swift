#if Command
  import ArgumentParser
  import Nuke

  /// The options for encoding images.
  struct EncodingOptions: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        "Output format. (default: by the extension of the output, then the format of the source, then PNG)",
        valueName: "format"))
    var format: OutputFormat?

    @Option(
      name: [.short, .long],
      help: ArgumentHelp(
        "Quality of lossy formats, from 1 to 100: that of the JPEG that the result looks like. (default: 80)",
        valueName: "percent"))
    var quality: Int?

    @Option(
      help: ArgumentHelp(
        "Effort, from 0 (fastest) to 100 (smallest file). (default: that of the format)", valueName: "percent"))
    var effort: Int?

    @Option(
      help: ArgumentHelp("Maximum number of colors of PNG and GIF, from 2 to 256.", valueName: "count"))
    var colors: Int?

    @Flag(help: "Do not dither when colors are reduced.")
    var noDithering = false

    @Option(help: "Chroma subsampling of JPEG and AVIF. (default: 420; AVIF: 444 from a quality of 90 on)")
    var chroma: ChromaArgument?

    @Flag(help: "Write progressive JPEGs.")
    var progressiveJPEG = false

    @Option(
      help: ArgumentHelp(
        """
        Maximum size of a written file, in bytes or as 500K, 20M, 1G. The quality is reduced as far as necessary, in at \
        most seven attempts; if that is not enough, the image fails.
        """, valueName: "bytes"))
    var maxOutputBytes: ByteLimit?

    func validate() throws {
      try check("--quality", quality, in: 1...100)
      try check("--effort", effort, in: 0...100)
      try check("--colors", colors, in: 2...256)
    }

    /// The options that have no effect without an output file, with whether they are set.
    var given: KeyValuePairs<String, Bool> {
      [
        "--format": format != nil, "--quality": quality != nil, "--effort": effort != nil, "--colors": colors != nil,
        "--no-dithering": noDithering, "--chroma": chroma != nil, "--progressive-jpeg": progressiveJPEG,
        "--max-output-bytes": maxOutputBytes != nil,
      ]
    }

    func encoding(isLossless: Bool = false, keeping metadata: KeptMetadata? = nil) -> OutputEncoding {
      var options = EncodeOptions(quality: Double(quality ?? 80) / 100, isLossless: isLossless)
      options.effort = effort.map { Double($0) / 100 }
      options.maximumColorCount = colors
      options.isDithered = !noDithering
      options.chromaSubsampling = chroma?.subsampling
      options.isProgressive = progressiveJPEG
      return OutputEncoding(
        options: options, maximumByteCount: maxOutputBytes?.bytes, keptMetadata: metadata)
    }
  }

  /// The values of `--chroma`.
  enum ChromaArgument: String, ExpressibleByArgument, CaseIterable {
    case half = "420"
    case full = "444"

    var subsampling: ChromaSubsampling { self == .half ? .yuv420 : .yuv444 }
  }

  /// The output of `nuke load`.
  struct OutputOptions: ParsableArguments {
    @Option(
      name: [.short, .long],
      help: ArgumentHelp(
        """
        Write the image to this file, or to standard output for -, or the images into this folder, or to files named by a \
        pattern (see OUTPUT NAMES above).
        """,
        discussion: """
          Images are written upright and in sRGB. Animated images stay animated in GIF, PNG, WebP, AVIF and JPEG XL. Videos become \
          animations in GIF, WebP and APNG (.apng). Other formats get the first frame.
          """,
        valueName: "file|folder|-"), completion: .file())
    var output: String?

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
      try StandardOutput.check(output)
      if previews == "" { throw ValidationError("--previews needs a folder.") }
      if !progressive {
        try reject(["--previews": previews != nil, "--preview-interval": previewInterval != nil]) {
          "\($0) needs --progressive."
        }
      }
      try check("--preview-interval", previewInterval, in: 0...3600)
    }
  }
#endif
