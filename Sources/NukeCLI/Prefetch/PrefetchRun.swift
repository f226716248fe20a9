import Foundation
import Nuke

/// Prefetches the sources of a list, each once, and tells what becomes of each.
final class PrefetchRun: Sendable {
  let observer: Observer
  private let sources: [Source]
  private let destination: PrefetchCommand.Destination
  private let progress: ProgressDisplay?
  /// Keeps the prefetcher until the run has ended.
  private let running = Lock<ImagePrefetcher?>(nil)

  /// - Parameter sources: what is named twice counts once.
  init(sources: [Source], destination: PrefetchCommand.Destination, progress: ProgressDisplay?) {
    var known: Set<String> = []
    self.sources = sources.filter { known.insert($0.url?.absoluteString ?? $0.text).inserted }
    self.destination = destination
    self.progress = progress
    let named = self.sources.compactMap { source in source.url.map { ($0.absoluteString, source) } }
    observer = Observer(sources: Dictionary(named) { first, _ in first }, progress: progress)
  }

  /// Starts, and gives the results as they come.
  ///
  /// - Parameters:
  ///   - pipeline: has ``observer`` for its delegate.
  ///   - limit: the most bytes of one file or body; `nil` for the pipeline's own limit.
  func start(
    on pipeline: ImagePipeline, processors: [any ImageProcessing], options: ImageRequest.Options, maxStale: Double?,
    concurrency: Int,
    limit: Int?
  ) -> AsyncStream<PrefetchResult> {
    let (results, continuation) = AsyncStream.makeStream(of: PrefetchResult.self)
    progress?.setCount(sources.count)
    var requests: [ImageRequest] = []
    for source in sources {
      if case .unusable(let reason) = source.location {
        progress?.count(bytes: 0, failed: true)
        continuation.yield(PrefetchResult(source: source, outcome: .failure(LoadFailure(reason))))
      } else if destination == .disk, source.isLocal {
        progress?.count(bytes: 0, failed: false)
        continuation.yield(PrefetchResult(source: source, outcome: .passedOver))
      } else {
        var request = ImageRequest(url: source.url, processors: processors, options: options)
        request.maxStale = maxStale
        requests.append(request)
      }
    }
    guard !requests.isEmpty else {
      continuation.finish()
      return results
    }
    observer.begin(limit: limit, reportingTo: continuation)
    let prefetcher = ImagePrefetcher(
      pipeline: pipeline, destination: destination == .disk ? .diskCache : .memoryCache,
      maxConcurrentRequestCount: concurrency)
    running.withLock { $0 = prefetcher }
    // All events have been told by then.
    prefetcher.didComplete = { continuation.finish() }
    prefetcher.startPrefetching(with: requests)
    return results
  }

  /// How many images that were fetched are not on the disk any more.
  func countMissing(on pipeline: ImagePipeline) -> Int {
    observer.fetched.count { !pipeline.cache.containsData(for: $0) }
  }
}

extension PrefetchRun {
  /// Is told what happens to the loads of a prefetcher.
  final class Observer: ImagePipeline.Delegate {
    private struct State {
      var limit: Int?
      var results: AsyncStream<PrefetchResult>.Continuation?
      var fetched: [ImageRequest] = []
    }

    /// By their URLs.
    private let sources: [String: Source]
    private let progress: ProgressDisplay?
    private let state = Lock(State())

    init(sources: [String: Source], progress: ProgressDisplay?) {
      self.sources = sources
      self.progress = progress
    }

    /// What has been loaded.
    var fetched: [ImageRequest] { state.withLock { $0.fetched } }

    func begin(limit: Int?, reportingTo results: AsyncStream<PrefetchResult>.Continuation) {
      state.withLock { state in
        state.limit = limit
        state.results = results
      }
    }

    func imageTaskDidStart(_ task: ImageTask, pipeline: ImagePipeline) {
      guard let source = source(of: task) else { return }
      progress?.begin(Int(task.taskId), name: source.displayName)
    }

    func imageTask(_ task: ImageTask, didReceiveEvent event: ImageTask.Event, pipeline: ImagePipeline) {
      switch event {
      case .progress(let step): progress?.update(Int(task.taskId), completed: step.completed, total: step.total)
      case .preview: break
      case .finished(let outcome): end(task, outcome)
      }
    }

    private func end(_ task: ImageTask, _ outcome: Result<ImageResponse, ImagePipeline.Error>) {
      guard let source = source(of: task) else { return }
      progress?.end(Int(task.taskId), failed: (try? outcome.get()) == nil)
      let (results, limit) = state.withLock { state in
        if case .success = outcome { state.fetched.append(task.request) }
        return (state.results, state.limit)
      }
      switch outcome {
      case .success:
        let facts = task.facts
        let origin = (facts.origin ?? .network).rawValue
        results?.yield(
          PrefetchResult(
            source: source, outcome: .fetched(bytes: facts.byteCount, origin: origin, seconds: facts.total)))
      case .failure(let error):
        results?.yield(PrefetchResult(source: source, outcome: .failure(LoadFailure(error, limit: limit))))
      }
    }

    private func source(of task: ImageTask) -> Source? {
      task.request.url.flatMap { sources[$0.absoluteString] }
    }
  }
}

extension Source {
  /// `true` if it is read without a server.
  var isLocal: Bool {
    switch location {
    case .file: true
    case .url(let url): ["file", "data"].contains(url.scheme?.lowercased())
    case .unusable: false
    }
  }
}
