import ArgumentParser
import Foundation
import Nuke

/// `nuke hash`: tells what can stand in an image's place until it is there, and draws it.
struct HashCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hash",
    abstract: "Make placeholders of images: BlurHash, ThumbHash, colors, a small preview.",
    discussion: """
      Prints all of them, or those that are named; one alone is printed as it is, for use in scripts. With --decode a hash \
      is drawn into a file.

      EXAMPLES
        nuke hash photo.jpg
        nuke hash --blurhash photo.jpg
        nuke hash --blurhash --components 6x4 photo.jpg
        nuke hash *.jpg --json
        nuke hash --decode LEHV6nWB2yk8pyo0adR*.7kCMdnj --output blur.png --size 64x48

      The status is 0 when all could be read, 1 when some failed, 2 for wrong usage.
      """)

  @OptionGroup var options: HashOptions

  func run() async throws {
    let console = Console()
    Interrupt.handle()
    if let text = options.decode {
      do {
        try draw(text)
      } catch let error as any CustomStringConvertible {
        console.printError(error.description)
        throw ExitCode(1)
      }
      return
    }
    let pipeline = try PipelineSetup(transfer: options.transfer) { $0.imageCache = nil }.pipeline
    let sources = Source.list(options.sources) { readLine() }
    var isComplete = true
    for source in sources {
      do throws(LoadFailure) {
        let hashes = try await hashes(of: source, pipeline)
        let lines =
          options.json
          ? [hashes.json(source: source.text).text]
          : hashes.lines(name: source.displayName, isNamed: sources.count > 1)
        for line in lines { console.print(line) }
      } catch {
        isComplete = false
        console.printError("\(source.displayName): \(error.reason)")
        if options.json { console.print(error.json(source: source).text) }
      }
    }
    if !isComplete { throw ExitCode(1) }
  }

  private func hashes(of source: Source, _ pipeline: ImagePipeline) async throws(LoadFailure) -> ImageHashes {
    if case .unusable(let reason) = source.location { throw LoadFailure(reason) }
    let components = options.components.map { ($0.width, $0.height) } ?? (4, 3)
    do {
      let image = try await pipeline.image(for: ImageRequest(url: source.url))
      return try ImageHashes(image, options.kinds, components: components)
    } catch {
      throw LoadFailure(error, limit: options.transfer.maxBytes?.bytes)
    }
  }

  private func draw(_ text: String) throws {
    guard let output = options.output, let format = options.outputFormat else { return }
    let (width, height) = options.size.map { ($0.width, $0.height) } ?? (32, 32)
    let image = try image(of: text, width, height)
    try AtomicFile.write(OutputEncoding(quality: 0.8).encode(image, as: format), to: output)
  }

  private func image(of text: String, _ width: Int, _ height: Int) throws -> PlatformImage {
    let isThumbHash =
      options.thumbhash || (!options.blurhash && (try? BlurHash(text)) == nil && (try? ThumbHash(text)) != nil)
    guard isThumbHash else { return try BlurHash(text).image(width: width, height: height, punch: options.punch ?? 1) }
    let hash = try ThumbHash(text)
    // As large as the proportions allow within.
    let ratio = hash.aspectRatio
    let wide = min(Double(width), Double(height) * ratio)
    return try hash.image(maxPixelSize: max(Int((ratio > 1 ? wide : wide / ratio).rounded()), 1))
  }
}
