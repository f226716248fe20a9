#if GTK
  import Foundation
  import Nuke

  /// Counts what the pipeline's tasks come to, keeps a small likeness of each image, and tells of failures.
  final class GalleryObserver: ImagePipeline.Delegate {
    private let state: Lock<(counts: LoadCounts, likenesses: Likenesses)>
    private let fetchHandler = Lock<(@Sendable (URL, Data) -> Void)?>(nil)
    private let endHandler = Lock<(@MainActor @Sendable (URL, Bool) -> Void)?>(nil)

    init(_ likenesses: Likenesses = Likenesses()) { state = Lock((LoadCounts(), likenesses)) }

    var counts: LoadCounts { state.withLock { $0.counts } }

    /// Is called with the address of an image that could not be loaded, and true, and of one that was, and false.
    var onEnd: (@MainActor @Sendable (URL, _ hasFailed: Bool) -> Void)? {
      get { endHandler.withLock { $0 } }
      set { endHandler.withLock { $0 = newValue } }
    }

    /// Is called with the data of an image that was fetched before it was seen, and of which no likeness is known.
    var onFetch: (@Sendable (URL, Data) -> Void)? {
      get { fetchHandler.withLock { $0 } }
      set { fetchHandler.withLock { $0 = newValue } }
    }

    /// Notes an image that was in memory, so that it needed no task.
    func countMemoryHit() { state.withLock { $0.counts.count(.shown, from: .memory) } }

    /// All that is known of images.
    var likenesses: Likenesses { state.withLock { $0.likenesses } }

    /// What stands for an image that was seen before, until it is there again.
    func likeness(of url: URL) -> ThumbHash? { state.withLock { $0.likenesses[url] } }

    func imageTask(_ task: ImageTask, didReceiveEvent event: ImageTask.Event, pipeline: ImagePipeline) {
      guard case .finished(let result) = event else { return }
      let facts = task.facts
      let isAhead = task.priority == .low
      var end = LoadCounts.End.shown
      switch result {
      case .success(let response):
        if isAhead {
          end = .ahead
          offer(response)
        } else {
          keepLikeness(of: response)
        }
      case .failure(.cancelled): end = .cancelled
      case .failure: end = .failed
      }
      state.withLock {
        $0.counts.count(end, from: facts.origin, isCoalesced: facts.isCoalesced, byteCount: facts.byteCount)
      }
      if end == .shown || end == .failed, let url = task.request.url, let onEnd {
        let hasFailed = end == .failed
        Task { @MainActor in onEnd(url, hasFailed) }
      }
    }

    private func keepLikeness(of response: ImageResponse) {
      guard let url = response.request.url, likeness(of: url) == nil,
        let hash = try? ThumbHash(encoding: response.image)
      else { return }
      keep(hash, for: url)
    }

    /// Keeps what stands for an image.
    func keep(_ likeness: ThumbHash, for url: URL) { state.withLock { $0.likenesses[url] = likeness } }

    private func offer(_ response: ImageResponse) {
      guard let onFetch, let url = response.request.url, likeness(of: url) == nil, let data = response.container.data
      else { return }
      onFetch(url, data)
    }
  }
#endif
