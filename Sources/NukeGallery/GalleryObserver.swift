#if GTK
  import Foundation
  import Nuke

  /// Counts what the pipeline's tasks come to, keeps a small likeness of each picture, and tells of failures.
  final class GalleryObserver: ImagePipeline.Delegate {
    private let state = Lock((counts: LoadCounts(), likenesses: Likenesses()))
    private let failureHandler = Lock<(@MainActor @Sendable (URL, Bool) -> Void)?>(nil)

    var counts: LoadCounts { state.withLock { $0.counts } }

    /// Is called with the address of a picture that could not be loaded, and true, and of one that was, and false.
    var onEnd: (@MainActor @Sendable (URL, _ hasFailed: Bool) -> Void)? {
      get { failureHandler.withLock { $0 } }
      set { failureHandler.withLock { $0 = newValue } }
    }

    /// Notes a picture that was in memory, so that it needed no task.
    func countMemoryHit() { state.withLock { $0.counts.count(.shown, from: .memory) } }

    /// What stands for a picture that was seen before, until it is there again.
    func likeness(of url: URL) -> ThumbHash? { state.withLock { $0.likenesses[url] } }

    func imageTask(_ task: ImageTask, didReceiveEvent event: ImageTask.Event, pipeline: ImagePipeline) {
      guard case .finished(let result) = event else { return }
      let facts = task.facts
      let isAhead = task.priority == .low
      var end = LoadCounts.End.shown
      switch result {
      case .success(let response):
        if isAhead { end = .ahead } else { keepLikeness(of: response) }
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
      state.withLock { $0.likenesses[url] = hash }
    }
  }

  /// The hashes of the pictures seen last, of a few bytes each.
  struct Likenesses {
    /// How many are kept at most.
    let limit: Int
    private var hashes: [URL: ThumbHash] = [:]
    private var order: [URL] = []

    init(limit: Int = 20_000) { self.limit = max(2, limit) }

    var count: Int { hashes.count }

    subscript(url: URL) -> ThumbHash? {
      get { hashes[url] }
      set {
        guard let newValue else { return }
        if hashes.updateValue(newValue, forKey: url) == nil { order.append(url) }
        guard hashes.count > limit else { return }
        // Half at once, so that it is cheap.
        let gone = order.prefix(limit / 2)
        for url in gone { hashes[url] = nil }
        order.removeFirst(gone.count)
      }
    }
  }
#endif
