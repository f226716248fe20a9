#if Command
  import ArgumentParser
  import Foundation
  import Nuke

  /// `nuke hash`: computes placeholders of images, and draws them.
  struct HashCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "hash",
      abstract: "Compute placeholders of images: BlurHash, ThumbHash, colors, a small image.",
      discussion: """
        Prints all placeholders, or the selected ones. A single one is printed alone, for use in scripts. With --decode, \
        draws a hash into a file.

        EXAMPLES
          nuke hash photo.jpg
          nuke hash --blurhash photo.jpg
          nuke hash --blurhash --components 6x4 photo.jpg
          nuke hash *.jpg --json
          nuke hash --decode 'LEHV6nWB2yk8pyo0adR*.7kCMdnj' --size 64x48 -o blur.png
          nuke convert photo.jpg - --size 100x | nuke hash --blurhash -

        The exit status is 0 if all images could be read, 1 if some failed, and 2 for invalid usage.
        """)

    @Argument(
      help: ArgumentHelp("A URL, a path, or - for the bytes of an image on standard input.", valueName: "source"),
      completion: .file())
    var sources: [String] = []

    @OptionGroup var list: SourceListOption

    @Flag(help: "Print the BlurHash: about twenty characters, without alpha and aspect ratio.") var blurhash = false

    @Flag(help: "Print the ThumbHash: about 25 bytes as Base64, with alpha and aspect ratio.") var thumbhash = false

    @Flag(help: "Print the dominant color, and the average color if other placeholders are printed.") var color = false

    @Flag(name: .customLong("data-url"), help: "Print a WebP of 24 pixels as a data: URL.") var dataURL = false

    @Option(
      help: ArgumentHelp("Components of a BlurHash, from 1x1 to 9x9. (default: 4x3)", valueName: "XxY"))
    var components: PixelSize?

    @Option(
      help: ArgumentHelp(
        "Draw this BlurHash or ThumbHash to --output. Its kind is detected, or selected by --blurhash or --thumbhash.",
        valueName: "hash"))
    var decode: String?

    @Option(
      name: [.short, .long],
      help: ArgumentHelp(
        "With --decode, the file to write, in the format of its extension, or - for a PNG on standard output.",
        valueName: "file|-"),
      completion: .file())
    var output: String?

    @Option(
      name: [.short, .long],
      help: ArgumentHelp(
        "With --decode, the size, at most 1024x1024. A ThumbHash keeps its aspect ratio. (default: 32x32)",
        valueName: "WxH"),
      transform: { try Self.size(parsing: $0) })
    var size: PixelSize?

    @Option(help: ArgumentHelp("With --decode, the contrast of a BlurHash. (default: 1)", valueName: "factor"))
    var punch: Double?

    @Flag(help: "With --decode, print the hash and its output, and write nothing.") var dryRun = false

    @OptionGroup(title: "Downloads") var limits: TransferLimits

    @OptionGroup(title: "Downloads") var requests: RequestOptions

    @Flag(help: .json) var json = false

    func validate() throws {
      if let components, !(1...9).contains(components.width) || !(1...9).contains(components.height) {
        throw ValidationError("--components must be from 1x1 to 9x9.")
      }
      try check("--punch", punch, in: 0...100)
      guard decode == nil else { return try validateDecoding() }
      try list.check(sources)
      try reject(
        ["--output": output != nil, "--size": size != nil, "--punch": punch != nil, "--dry-run": dryRun]
      ) {
        "\($0) needs --decode."
      }
    }

    private func validateDecoding() throws {
      guard sources.isEmpty, !list.isGiven else { throw ValidationError("--decode takes a hash and no sources.") }
      guard let output, !output.isEmpty else { throw ValidationError("--decode needs --output.") }
      try reject(["--color": color, "--data-url": dataURL, "--components": components != nil, "--json": json]) {
        "--decode draws an image: remove \($0)."
      }
      try StandardOutput.check(output)
      _ = try OutputFormat(writing: output)
      if blurhash, thumbhash { throw ValidationError("Use either --blurhash or --thumbhash.") }
    }

    func run() async throws {
      let session = Session(json: json, output: output)
      if let decode, let output {
        try draw(decode, to: output, session)
        return try session.finish()
      }
      let kinds = kinds
      let pipeline = try session.attempt {
        try PipelineSetup(limits: limits, requests: requests) { $0.imageCache = nil }.pipeline
      }
      let all = try session.attempt { try list.sources(after: sources) }
      for source in all {
        do {
          let image = try await pipeline.image(for: source.request(limit: limits.byteLimit))
          let hashes = try ImageHashes(
            image, kinds, components: components.map { ($0.width, $0.height) } ?? (4, 3))
          session.report(hashes.report(source, isNamed: all.count > 1))
        } catch {
          session.report(SourceReport(source: source, failure: limits.failure(error)))
        }
      }
      try session.finish()
    }

    /// The selected kinds, or all if none is selected.
    private var kinds: Set<ImageHashes.Kind> {
      let chosen: [(ImageHashes.Kind, Bool)] = [
        (.blurHash, blurhash), (.thumbHash, thumbhash), (.color, color), (.dataURL, dataURL),
      ]
      let selected = chosen.filter(\.1).map(\.0)
      return Set(selected.isEmpty ? ImageHashes.Kind.allCases : selected)
    }

    private static func size(parsing text: String) throws -> PixelSize {
      guard let size = PixelSize(argument: text) else {
        throw ValidationError("a hash needs a width and a height, such as 64x48")
      }
      return size
    }

    /// Writes the image of a hash, or only prints where it would be written.
    private func draw(_ hash: String, to output: String, _ session: Session) throws {
      guard dryRun else { return try session.write(try image(of: hash), to: output) }
      do {
        _ = try image(of: hash)
        session.console.print(DryRun.line(hash.onOneLine, to: output))
      } catch let error as any CustomStringConvertible {
        session.fail(error.description)
      }
    }

    private func image(of text: String) throws -> PlatformImage {
      let (width, height) = size.map { ($0.width, $0.height) } ?? (32, 32)
      let isThumbHash = thumbhash || (!blurhash && (try? BlurHash(text)) == nil && (try? ThumbHash(text)) != nil)
      guard isThumbHash else { return try BlurHash(text).image(width: width, height: height, punch: punch ?? 1) }
      let hash = try ThumbHash(text)
      // The largest image of the hash's aspect ratio that fits.
      let ratio = hash.aspectRatio
      let wide = min(Double(width), Double(height) * ratio)
      return try hash.image(maxPixelSize: max(Int((ratio > 1 ? wide : wide / ratio).rounded()), 1))
    }
  }
#endif
