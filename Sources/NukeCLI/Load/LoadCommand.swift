import ArgumentParser
import Foundation
import Nuke

/// `nuke load`: loads pictures, reports on each, and writes them where that is asked for.
struct LoadCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "load",
    abstract: "Load pictures, resize them, write them.",
    discussion: """
      Prints a line for each picture: its size, its format, where it came from, its bytes, and the time each stage took. \
      A picture that cannot be loaded or written is one line on standard error. On a terminal bars show the downloads.

      EXAMPLES
        nuke load photo.jpg https://example.com/a.png
        nuke load photo.jpg --resize 400x300 --output small.webp
        nuke load - --width 200 --output thumbnails/ < list.txt
        nuke load https://example.com/a.png --repeat 2 --json

      The status is 0 when all were loaded, 1 when some failed, 2 for wrong usage. An interrupt leaves no half-written \
      file.
      """)

  @OptionGroup var options: LoadOptions

  func run() async throws {
    let console = Console()
    Interrupt.handle { console.draw(bars: []) }
    let sources = Source.list(options.sources) { readLine() }

    var output: OutputPlan?
    if let path = options.output {
      do {
        output = try OutputPlan(
          output: path, format: options.format, sources: sources, isList: options.sources.contains("-"))
      } catch let error as FileError {
        console.printError(error.description)
        throw ExitCode(1)
      }
    }

    let progress = makeProgress(count: sources.count * options.repetitions, console: console)
    let ticker = progress.map { progress in
      Task {
        while !Task.isCancelled {
          try? await Task.sleep(for: .milliseconds(250))
          progress.tick()
        }
      }
    }
    let clock = ContinuousClock()
    let start = clock.now
    var summary = LoadSummary()
    let run = LoadRun(
      sources: sources, processors: options.processors, repetitions: options.repetitions,
      concurrency: options.concurrency, limit: options.maxBytes?.bytes, output: output,
      encoding: PictureEncoding(quality: Double(options.quality ?? 80) / 100), pipeline: makePipeline(),
      progress: progress)
    await run { result in
      summary.add(result)
      report(result, on: console)
    }
    ticker?.cancel()
    progress?.finish()

    if summary.count > 1, !options.json, !options.quiet {
      console.print(summary.line(seconds: (clock.now - start).seconds))
    }
    if summary.failedCount > 0 { throw ExitCode(1) }
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
    guard !options.quiet, Terminal.isInteractive(STDERR_FILENO) else { return nil }
    return ProgressDisplay(
      count: count, width: { Terminal.width(STDERR_FILENO) }, now: { ProcessInfo.processInfo.systemUptime },
      draw: { console.draw(bars: $0) })
  }

  /// A pipeline with room for as many downloads as were asked for, and a decoder for each core.
  private func makePipeline() -> ImagePipeline {
    var loading = DataLoader.defaultConfiguration
    loading.connectTimeout = options.timeout
    loading.idleTimeout = options.timeout
    loading.maximumConnectionsPerHost = options.concurrency
    loading.userAgent = "nuke/\(NukeCommand.configuration.version)"
    var configuration = ImagePipeline.Configuration(dataLoader: DataLoader(configuration: loading))
    let cores = max(1, ProcessInfo.processInfo.activeProcessorCount)
    configuration.dataLoadingQueue = TaskQueue(maxConcurrentOperationCount: options.concurrency)
    // How many are loaded at a time is the user's choice, and limit enough.
    configuration.isRateLimiterEnabled = false
    configuration.imageDecodingQueue = TaskQueue(maxConcurrentOperationCount: cores)
    configuration.imageProcessingQueue = TaskQueue(maxConcurrentOperationCount: cores)
    if let limit = options.maxBytes { configuration.maximumResponseDataSize = limit.bytes }
    return ImagePipeline(configuration: configuration)
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
    case .success(let picture): bytes += Int64(picture.bytes)
    case .failure: failedCount += 1
    }
  }

  func line(seconds: TimeInterval) -> String {
    "\(count - failedCount) loaded" + (failedCount > 0 ? ", \(failedCount) failed" : "")
      + ": \(Format.bytes(bytes)) in \(Format.duration(seconds))"
  }
}
