import ArgumentParser
import Foundation
import Nuke

/// `nuke load`: loads images, reports on each, and writes them where that is asked for.
struct LoadCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "load",
    abstract: "Load images, resize them, write them.",
    discussion: """
      Prints a line for each image: its size, its format, where it came from, its bytes, and the time each stage took. \
      An image that cannot be loaded or written is one line on standard error. On a terminal bars show the downloads.

      PROCESSORS
      \(ProcessorSyntax.help)

      EXAMPLES
        nuke load photo.jpg https://example.com/a.png
        nuke load photo.jpg --resize 400x300 --output small.webp
        nuke load photo.jpg --processor resize:400x300,crop --output small.webp
        nuke load - --width 200 --output thumbnails/ < list.txt
        nuke load https://example.com/a.png --cache images --json
        nuke load https://example.com/a.png --cache images --offline
        nuke load https://example.com/a.png --cache images --explain
        nuke load https://example.com/a.jpg --progressive --previews steps
        nuke load https://example.com/a.jpg --preview --size 40x12

      The status is 0 when all were loaded (or would be, as far as can be told), 1 when some failed, 2 for wrong usage. An interrupt leaves no half-written \
      file.
      """)

  @OptionGroup var options: LoadOptions

  func run() async throws {
    let console = Console()
    Interrupt.handle { console.restore() }
    let sources = Source.list(options.sources) { readLine() }

    if options.explain { return try await explain(sources, on: console) }

    let screen = options.preview ? await ImageScreen(options.drawing, console: console) : nil
    let setup: PipelineSetup
    var output: OutputPlan?
    var previews: PreviewPlan?
    do {
      if let path = options.written.output {
        output = try OutputPlan(
          output: path, format: options.written.format, sources: sources, isList: options.sources.contains("-"))
      }
      if let path = options.written.previews {
        previews = try PreviewPlan(folder: path, format: options.written.format, sources: sources)
      }
      setup = try PipelineSetup(transfer: options.transfer, cache: options.cache) { configuration in
        configuration.isProgressiveDecodingEnabled = options.written.progressive || screen != nil
        if let interval = options.written.previewInterval { configuration.progressiveDecodingInterval = interval }
      }
    } catch let error as any CustomStringConvertible where error is FileError || error is CacheSite.Failure {
      console.printError(error.description)
      throw ExitCode(1)
    }

    // Images stand where bars would, and are drawn one at a time.
    let progress = screen == nil ? makeProgress(count: sources.count * options.repetitions, console: console) : nil
    let ticker = progress?.startTicking()
    let clock = ContinuousClock()
    let start = clock.now
    var summary = LoadSummary()
    let run = LoadRun(
      sources: sources, processors: options.processing.processors, options: options.cache.requestOptions,
      maxStale: options.cache.maxStale, repetitions: options.repetitions,
      concurrency: screen == nil ? options.transfer.concurrency : 1,
      limit: options.transfer.maxBytes?.bytes, isProgressive: options.written.progressive, output: output,
      previews: previews,
      encoding: OutputEncoding(quality: Double(options.written.quality ?? 80) / 100), pipeline: setup.pipeline,
      progress: progress, screen: screen)
    await run { [options] preview in
      if options.json { console.print(preview.json.text) } else if !options.quiet { console.print(preview.line) }
    } report: { result in
      summary.add(result)
      report(result, on: console)
    }
    await setup.finish()
    ticker?.cancel()
    progress?.finish()

    if summary.count > 1, !options.json, !options.quiet {
      console.print(summary.line(seconds: (clock.now - start).seconds))
    }
    if summary.failedCount > 0 { throw ExitCode(1) }
  }

  private func explain(_ sources: [Source], on console: Console) async throws {
    let setup: PipelineSetup
    do throws(CacheSite.Failure) {
      setup = try PipelineSetup(transfer: options.transfer, cache: options.cache, isDryRun: true)
    } catch {
      console.printError(error.description)
      throw ExitCode(1)
    }
    let run = ExplainRun(
      sources: sources, processors: options.processing.processors, options: options.cache.requestOptions,
      maxStale: options.cache.maxStale, pipeline: setup.pipeline)
    let isGood = await run { source, result in
      switch result {
      case .success(let explanation):
        if options.json {
          console.print(explanation.json(for: source).text)
        } else {
          for line in explanation.lines(for: source) { console.print(line) }
        }
      case .failure(let failure):
        console.printError("\(source.displayName): \(failure.reason)")
        if options.json { console.print(failure.json(source: source).text) }
      }
    }
    if !isGood { throw ExitCode(1) }
  }

  private func report(_ result: LoadResult, on console: Console) {
    if case .failure(let failure) = result.outcome {
      console.printError("\(result.source.displayName): \(failure.reason)")
    }
    if options.json {
      console.print(result.json.text)
    } else if !options.quiet, let line = result.line {
      console.print(line)
    }
  }

  private func makeProgress(count: Int, console: Console) -> ProgressDisplay? {
    options.quiet ? nil : ProgressDisplay(count: count, on: console)
  }
}

/// What a run came to.
struct LoadSummary {
  private(set) var count = 0
  private(set) var failedCount = 0
  private var bytes: Int64 = 0

  mutating func add(_ result: LoadResult) {
    count += 1
    switch result.outcome {
    case .success(let loaded): bytes += Int64(loaded.bytes)
    case .failure: failedCount += 1
    }
  }

  func line(seconds: TimeInterval) -> String {
    "\(count - failedCount) loaded" + (failedCount > 0 ? ", \(failedCount) failed" : "")
      + ": \(Format.bytes(bytes)) in \(Format.duration(seconds))"
  }
}
