import ArgumentParser
import Foundation
import Nuke

/// `nuke convert`: writes images in another format, with processors on the way.
struct ConvertCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Write images in another format, and process them on the way.",
    discussion: """
      One image becomes a file, several go into a folder, which is made if there is none, and keep their names. A file \
      appears whole or not at all; one of the same name is replaced, unless it is one of the sources. What is written is \
      upright, in sRGB. Animated images move on in GIF and WebP; elsewhere it is their first frame.

      PROCESSORS
      \(ProcessorSyntax.help)

      EXAMPLES
        nuke convert photo.png photo.jpg --quality 85
        nuke convert photo.jpg small.webp --processor resize:800x600,linear --processor sharpen
        nuke convert badge.png badge.webp --lossless
        nuke convert *.jpg thumbnails/ --format webp --resize 200x200 --crop
        nuke convert photo.jpg marked.jpg --processor overlay:logo.png,opacity=0.5,scale=0.2

      The status is 0 when all were written, 1 when some failed, 2 for wrong usage. An interrupt leaves no half-written file.
      """)

  @OptionGroup var options: ConvertOptions

  func run() async throws {
    let console = Console()
    Interrupt.handle { console.draw(bars: []) }
    let sources = Source.list(Array(options.sources)) { readLine() }
    let plan: OutputPlan
    let setup: PipelineSetup
    do {
      plan = try OutputPlan(
        output: options.output, format: options.format, sources: sources, isList: options.sources.contains("-"),
        needsFormat: true)
      setup = try PipelineSetup(transfer: options.transfer) { $0.imageCache = nil }
    } catch let error as any CustomStringConvertible where error is FileError || error is CacheSite.Failure {
      console.printError(error.description)
      throw ExitCode(1)
    }
    let progress = options.quiet ? nil : ProgressDisplay(count: sources.count, on: console)
    let ticker = progress?.startTicking()
    let clock = ContinuousClock()
    let start = clock.now
    var summary = LoadSummary()
    let run = LoadRun(
      sources: sources, processors: options.processing.processors, options: [], repetitions: 1,
      concurrency: options.transfer.concurrency, limit: options.transfer.maxBytes?.bytes, isProgressive: false,
      output: plan, previews: nil, protected: FileIdentities(of: sources), encoding: options.encoding,
      pipeline: setup.pipeline, progress: progress)
    await run { _ in
    } report: { result in
      summary.add(result)
      if case .failure(let failure) = result.outcome {
        console.printError("\(result.source.displayName): \(failure.reason)")
      }
      if options.json {
        console.print(result.json.text)
      } else if !options.quiet, let line = result.line {
        console.print(line)
      }
    }
    ticker?.cancel()
    progress?.finish()
    if summary.count > 1, !options.json, !options.quiet {
      console.print(summary.line(seconds: (clock.now - start).seconds))
    }
    if summary.failedCount > 0 { throw ExitCode(1) }
  }
}
