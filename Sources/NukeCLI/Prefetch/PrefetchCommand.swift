#if Command
  import ArgumentParser
  import Foundation
  import Nuke

  /// `nuke prefetch`: loads the images of a list into a cache.
  struct PrefetchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "prefetch",
      abstract: "Load the images of a list into a cache.",
      discussion: """
        With --destination disk, data is stored in --cache and not decoded. Local files are skipped, since they are never \
        copied to a cache. With --destination memory, images are also decoded and processed, which shows whether they can \
        be, and stored in --cache according to --store. The memory cache exists only while the command runs.

        The list is a file, or - for standard input, with one URL or path per line. Empty lines and lines that begin with # \
        are ignored, and duplicates are loaded once. Prints failures and a summary.

        PROCESSORS
        \(ProcessorSyntax.help)

        EXAMPLES
          nuke prefetch list.txt --cache images
          grep -o 'https://[^"]*' page.html | nuke prefetch - --cache images
          nuke prefetch list.txt --destination memory --size 200x200 \\
            --cache thumbnails --store encoded

        The exit status is 0 if all images were loaded, 1 if some failed, and 2 for invalid usage. After an interrupt, the \
        cache contains what was stored until then. Run the command again for the rest.
        """)

    enum Destination: String, ExpressibleByArgument, CaseIterable {
      case memory, disk
    }

    @Argument(
      help: ArgumentHelp("A file with one URL or path per line, or - for standard input.", valueName: "list"),
      completion: .file())
    var list: String

    @Option(help: ArgumentHelp("Cache to load the images into.", valueName: "where"))
    var destination = Destination.disk

    @Flag(help: "Print which images would be loaded, and load and store nothing.")
    var dryRun = false

    @OptionGroup(title: "Processing") var processing: ProcessingOptions

    @OptionGroup(title: "Cache") var cache: CacheOptions

    @OptionGroup(title: "Downloads") var concurrency: ConcurrencyOption

    @OptionGroup(title: "Downloads") var limits: TransferLimits

    @OptionGroup(title: "Downloads") var requests: RequestOptions

    @OptionGroup var printing: PrintingOptions

    func validate() throws {
      if list.isEmpty { throw ValidationError("Specify a list: a file, or - for standard input.") }
      guard destination == .disk else { return }
      if cache.cache == nil { throw ValidationError("--destination disk needs --cache.") }
      if !processing.processors.isEmpty {
        throw ValidationError("--destination disk stores data unchanged: use --destination memory to process images.")
      }
      if processing.frame != nil { throw ValidationError("--destination disk stores data unchanged: remove --at.") }
      if cache.store != nil, cache.store != .original {
        throw ValidationError("--destination disk stores originals: --store needs --destination memory.")
      }
    }

    func run() async throws {
      let session = Session(printing)
      let sources = try session.attempt { SourceList.sources(in: try SourceList.read(list)) }
      if dryRun { return try await dryRun(sources, session) }
      let run = PrefetchRun(sources: sources, session: session, limits: limits, isToDisk: destination == .disk)
      let setup = try session.attempt {
        try PipelineSetup(
          limits: limits, requests: requests, concurrency: concurrency.count, usualRetryCount: 3, cache: cache,
          delegate: run
        ) {
          // One slot is reserved for urgent loads, which do not occur here.
          $0.dataLoadingQueue = TaskQueue(maxConcurrentOperationCount: concurrency.count + 1)
        }
      }
      await run(on: setup.pipeline, concurrency: concurrency.count) { [cache, processing, limits] in
        try cache.request(for: $0, processing, limits)
      }
      await setup.finish()
      run.progress?.finish()

      let lostCount = destination == .disk ? run.countMissing(on: setup.pipeline) : 0
      if lostCount > 0 {
        session.fail(
          "\(Format.count(lostCount, "image")) did not stay in the cache: increase --cache-size, or check the disk")
      }
      if session.printsText {
        let memory = destination == .memory ? setup.pipeline.configuration.imageCache as? ImageCache : nil
        session.console.print(run.summary.line(seconds: session.seconds, memory: memory?.totalCost))
      }
      try session.finish()
    }

    /// Prints what would be done for each source.
    private func dryRun(_ sources: [Source], _ session: Session) async throws {
      let pipeline = try session.attempt {
        try PipelineSetup(limits: limits, requests: requests, cache: cache, isDryRun: true).pipeline
      }
      var known: Set<String> = []
      for source in sources where known.insert(source.id).inserted {
        do {
          let explanation = await pipeline.explain(try cache.request(for: source, processing, limits))
          let isSkipped = destination == .disk && source.isLocal
          if !isSkipped, let failure = explanation.failure { throw LoadFailure(failure) }
          let origin = source.name(of: explanation.origin ?? source.origin)
          let action = isSkipped ? "skipped, since it is local" : "would be loaded from: \(origin)"
          session.report(
            SourceReport(
              source: source, lines: ["\(source.displayName)  \(action)"],
              members: [("dryRun", .bool(true)), ("passedOver", .bool(isSkipped)), ("origin", .string(origin))]))
        } catch {
          session.report(SourceReport(source: source, failure: LoadFailure(error)))
        }
      }
      try session.finish()
    }
  }

  /// The totals of a run.
  struct PrefetchSummary {
    private var fetchedCount = 0
    private var presentCount = 0
    private var bytes: Int64 = 0
    var skippedCount = 0
    var failedCount = 0

    mutating func add(_ facts: ImageTask.Facts) {
      if facts.origin == .disk {
        presentCount += 1
      } else {
        fetchedCount += 1
        bytes += Int64(facts.byteCount)
      }
    }

    /// - Parameter memory: the size of the images in memory, in bytes, if they were loaded there.
    func line(seconds: TimeInterval, memory: Int?) -> String {
      var parts = ["\(fetchedCount) fetched (\(Format.bytes(bytes)))"]
      if presentCount > 0 { parts.append("\(presentCount) already cached") }
      if skippedCount > 0 { parts.append("\(skippedCount) local and skipped") }
      if failedCount > 0 { parts.append("\(failedCount) failed") }
      var line = parts.joined(separator: ", ")
      if let memory { line += "; \(Format.bytes(Int64(memory))) of images in memory" }
      return line + ": \(Format.duration(seconds))"
    }
  }
#endif
