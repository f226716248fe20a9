#if Command
  import ArgumentParser
  import Foundation
  import Nuke

  /// `nuke compare`: measures how much two images differ.
  struct CompareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "compare",
      abstract: "Measure how much two images of the same size differ.",
      discussion: """
        Prints the structural similarity (SSIM: 1 for equal images), the peak signal-to-noise ratio (PSNR, in decibels), \
        and the pixels that differ. Transparent pixels count as white. With --output, writes an image of the differences: \
        pixels that differ are red, light for a difference of 1 of 255 and full from 16 on. The others show the first image \
        in faint gray.

        A source is a URL, a path, or - for the bytes of an image on standard input.

        EXAMPLES
          nuke compare photo.png photo.webp
          nuke compare before.png after.png --output difference.png
          nuke compare expected.png actual.png --min-ssim 0.99 --json
          nuke convert photo.png - --format webp | nuke compare photo.png -

        The exit status is 0 if the images are similar enough, 1 if they are not or one cannot be read, and 2 for invalid \
        usage.
        """)

    @Argument(help: "A URL, a path, or -.", completion: .file()) var first: String

    @Argument(help: "The image to compare it with: a URL, a path, or -.", completion: .file()) var second: String

    @Option(
      name: [.short, .long],
      help: ArgumentHelp(
        "Write an image that shows the differences to this file, or to standard output for -.",
        valueName: "file|-"),
      completion: .file())
    var output: String?

    @Option(
      name: .customLong("min-ssim"),
      help: ArgumentHelp("Fail if the structural similarity is less, from 0 to 1.", valueName: "similarity"))
    var minimumSimilarity: Double?

    @Flag(help: .dryRun) var dryRun = false

    @OptionGroup(title: "Downloads") var limits: TransferLimits

    @OptionGroup(title: "Downloads") var requests: RequestOptions

    @Flag(help: .json) var json = false

    func validate() throws {
      try check("--min-ssim", minimumSimilarity, in: 0...1)
      guard !Source.isStandardInput(first) || !Source.isStandardInput(second) else {
        throw ValidationError("Standard input (-) can be read only once.")
      }
      try StandardOutput.check(output)
      if let output {
        _ = try OutputFormat(writing: output)
      } else if dryRun {
        throw ValidationError("--dry-run needs --output.")
      }
    }

    func run() async throws {
      let session = Session(json: json, output: output)
      let sources = [first, second].map(Source.init(argument:))
      if let output {
        try session.attempt { try FileIdentities(of: sources).check(output) }
        if dryRun {
          DryRun.report(sources, to: output, session)
          return try session.finish()
        }
      }
      let pipeline = try session.attempt {
        try PipelineSetup(limits: limits, requests: requests) { $0.imageCache = nil }.pipeline
      }
      var images: [PlatformImage] = []
      for source in sources {
        do {
          images.append(try await pipeline.image(for: source.request(limit: limits.byteLimit)))
        } catch {
          session.report(SourceReport(source: source, failure: limits.failure(error)))
        }
      }
      guard images.count == 2 else { return try session.finish() }
      guard let comparison = ImageComparison(images[0], images[1]) else {
        session.fail(
          "the images have different sizes: \(images.map { "\($0.pixelWidth)x\($0.pixelHeight)" }.joined(separator: ", "))"
        )
        return try session.finish()
      }
      session.print(comparison.json, comparison.lines)
      if let output { try session.write(comparison.difference, to: output) }
      if let minimumSimilarity, comparison.similarity < minimumSimilarity {
        session.fail("the similarity is less than \(minimumSimilarity)")
      }
      try session.finish()
    }
  }
#endif
