#if Command
  import Foundation
  import Nuke

  /// Prefetches the sources of a list, each once, and reports each. It is the delegate of the pipeline.
  final class PrefetchRun: ImagePipeline.Delegate {
    private struct State {
      var summary = PrefetchSummary()
      var fetched: [ImageRequest] = []
      /// Retained until the run has ended.
      var prefetcher: ImagePrefetcher?
    }

    let progress: ProgressDisplay?
    private let sources: [Source]
    private let sourcesByID: [String: Source]
    private let session: Session
    private let limits: TransferLimits
    private let isToDisk: Bool
    private let state = Lock(State())

    init(sources: [Source], session: Session, limits: TransferLimits, isToDisk: Bool) {
      var known: Set<String> = []
      self.sources = sources.filter { known.insert($0.id).inserted }
      sourcesByID = Dictionary(sources.map { ($0.id, $0) }) { first, _ in first }
      self.session = session
      self.limits = limits
      self.isToDisk = isToDisk
      progress = session.progress(count: self.sources.count)
    }

    var summary: PrefetchSummary { state.withLock { $0.summary } }

    /// Loads everything, and returns when all results have been reported.
    func callAsFunction(
      on pipeline: ImagePipeline, concurrency: Int, request: (Source) throws -> ImageRequest
    ) async {
      var requests: [ImageRequest] = []
      for source in sources {
        if isToDisk, source.isLocal {
          progress?.count(bytes: 0, failed: false)
          state.withLock { $0.summary.skippedCount += 1 }
          session.report(SourceReport(source: source, members: [("passedOver", .bool(true))]))
          continue
        }
        do {
          requests.append(try request(source))
        } catch {
          progress?.count(bytes: 0, failed: true)
          fail(source, LoadFailure(error))
        }
      }
      guard !requests.isEmpty else { return }
      let prefetcher = ImagePrefetcher(
        pipeline: pipeline, destination: isToDisk ? .diskCache : .memoryCache,
        maxConcurrentRequestCount: concurrency)
      state.withLock { $0.prefetcher = prefetcher }
      let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
      // All events have been delivered by then.
      prefetcher.didComplete = { continuation.finish() }
      prefetcher.startPrefetching(with: requests)
      for await _ in ends {}
    }

    /// Returns the number of loaded images that are not on disk anymore.
    func countMissing(on pipeline: ImagePipeline) -> Int {
      state.withLock { $0.fetched }.count { !pipeline.cache.containsData(for: $0) }
    }

    private func fail(_ source: Source, _ failure: LoadFailure) {
      state.withLock { $0.summary.failedCount += 1 }
      session.report(SourceReport(source: source, failure: failure))
    }

    // MARK: ImagePipeline.Delegate

    func imageTaskDidStart(_ task: ImageTask, pipeline: ImagePipeline) {
      guard let source = source(of: task) else { return }
      progress?.begin(Int(task.taskId), name: source.displayName)
    }

    func imageTask(_ task: ImageTask, didReceiveEvent event: ImageTask.Event, pipeline: ImagePipeline) {
      switch event {
      case .progress(let step): progress?.update(Int(task.taskId), step)
      case .preview: break
      case .finished(let result):
        guard let source = source(of: task) else { return }
        let facts = task.facts
        // As in the summary, what was cached before does not count.
        progress?.end(
          Int(task.taskId), failed: (try? result.get()) == nil, bytes: facts.origin == .disk ? 0 : facts.byteCount)
        switch result {
        case .success:
          state.withLock { state in
            state.fetched.append(task.request)
            state.summary.add(facts)
          }
          session.report(
            SourceReport(
              source: source,
              members: [
                ("bytes", .integer(facts.byteCount)), ("origin", .string(source.name(of: facts.origin ?? .network))),
                ("ms", .milliseconds(facts.total)),
              ]))
        case .failure(let error):
          fail(source, limits.failure(error))
        }
      }
    }

    private func source(of task: ImageTask) -> Source? { task.request.imageID.flatMap { sourcesByID[$0] } }
  }
#endif
