import ArgumentParser
import Foundation
import Nuke

/// `nuke prefetch`: fills a cache with the images of a list.
struct PrefetchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prefetch",
    abstract: "Fetch the images of a list into a cache.",
    discussion: """
      With --destination disk their data is kept in --cache, and nothing is decoded; local files are passed over, since \
      they are never copied there. With --destination memory images are loaded, decoded and processed as well, which \
      shows that they can be, and fills --cache as --store says; what is in memory ends with the command.

      The list is a file, or - for standard input: a URL or path a line. Empty lines and those that begin with # are left \
      out, and what is named twice is fetched once. Prints what failed, and at the end what it came to.

      PROCESSORS
      \(ProcessorSyntax.help)

      EXAMPLES
        nuke prefetch list.txt --cache images
        grep -o 'https://[^"]*' page.html | nuke prefetch - --cache images
        nuke prefetch list.txt --destination memory --resize 200x200 \\
          --cache thumbnails --store encoded

      The status is 0 when all are there, 1 when some are not, 2 for wrong usage. After an interrupt the cache holds what \
      was stored until then; run it again for the rest.
      """)

  /// Where images go.
  enum Destination: String, ExpressibleByArgument, CaseIterable {
    case memory, disk
  }

  @Argument(
    help: ArgumentHelp("A file with a URL or path a line, or - for standard input.", valueName: "list"),
    completion: .file())
  var list: String

  @Option(help: ArgumentHelp("Where the images go.", valueName: "where"))
  var destination = Destination.disk

  @OptionGroup(title: "What is done to images") var processing: ProcessingOptions

  @OptionGroup(title: "What is kept on disk") var cache: CacheOptions

  @OptionGroup(title: "How images are fetched") var transfer: TransferOptions

  @Flag(help: "Print one JSON object a line, for each image, instead of text.")
  var json = false

  @Flag(name: [.short, .long], help: "Print nothing but failures.")
  var quiet = false

  func validate() throws {
    if list.isEmpty { throw ValidationError("Give a list: a file, or - for standard input.") }
    if json, quiet { throw ValidationError("Use one of --json and --quiet.") }
    if destination == .disk {
      if cache.cache == nil { throw ValidationError("--destination disk needs --cache.") }
      if !processing.processors.isEmpty {
        throw ValidationError("--destination disk keeps data as it comes: images need --destination memory.")
      }
      if cache.store != nil, cache.store != .original {
        throw ValidationError("--destination disk keeps originals: --store needs --destination memory.")
      }
    }
  }

  func run() async throws {
    let console = Console()
    Interrupt.handle { console.draw(bars: []) }
    let sources: [Source]
    do throws(FileError) {
      sources = SourceList.sources(in: try SourceList.read(list))
    } catch {
      console.printError(error.description)
      throw ExitCode(1)
    }

    let progress = quiet ? nil : ProgressDisplay(count: sources.count, on: console)
    let run = PrefetchRun(sources: sources, destination: destination, progress: progress)
    let setup: PipelineSetup
    do throws(CacheSite.Failure) {
      setup = try PipelineSetup(transfer: transfer, cache: cache, delegate: run.observer) { configuration in
        // One slot is left to urgent loads, of which there are none here.
        configuration.dataLoadingQueue = TaskQueue(maxConcurrentOperationCount: transfer.concurrency + 1)
      }
    } catch {
      console.printError(error.description)
      throw ExitCode(1)
    }

    let ticker = progress?.startTicking()
    let clock = ContinuousClock()
    let start = clock.now
    var summary = PrefetchSummary()
    let results = run.start(
      on: setup.pipeline, processors: processing.processors, options: cache.requestOptions,
      maxStale: cache.maxStale,
      concurrency: transfer.concurrency, limit: transfer.maxBytes?.bytes)
    for await result in results {
      summary.add(result)
      if case .failure(let failure) = result.outcome {
        console.printError("\(result.source.displayName): \(failure.reason)")
      }
      if json { console.print(result.json.text) }
    }
    await setup.finish()
    ticker?.cancel()
    progress?.finish()

    let lostCount = destination == .disk ? run.countMissing(on: setup.pipeline) : 0
    if lostCount > 0 {
      console.printError(
        "\(Format.count(lostCount, "image")) did not stay in the cache: there is no room (see --cache-size), or the "
          + "disk fails")
    }
    if !json, !quiet {
      console.print(
        summary.line(destination: destination, seconds: (clock.now - start).seconds, memory: memory(setup.pipeline)))
    }
    if summary.failedCount > 0 || lostCount > 0 { throw ExitCode(1) }
  }

  /// Bytes of the images in memory.
  private func memory(_ pipeline: ImagePipeline) -> Int? {
    guard destination == .memory, let cache = pipeline.configuration.imageCache as? ImageCache else { return nil }
    return cache.totalCost
  }
}
