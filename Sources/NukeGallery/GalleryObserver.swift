#if GTK
  import Foundation
  import Nuke

  /// Counts the results of loads, stores a placeholder of each image, and has the pipeline use shared thumbnails.
  final class GalleryObserver: ImagePipeline.Delegate {
    private let state: Lock<(counts: LoadCounts, placeholders: Placeholders)>
    private let fetchHandler = Lock<(@Sendable (URL, Data) -> Void)?>(nil)

    /// The thumbnails of files; `nil` for none, for example in tests.
    private let thumbnails: SharedThumbnails?

    init(_ placeholders: Placeholders = Placeholders(), thumbnails: SharedThumbnails? = nil) {
      state = Lock((LoadCounts(), placeholders))
      self.thumbnails = thumbnails
    }

    var counts: LoadCounts { state.withLock { $0.counts } }

    /// Called with the data of a prefetched image that has no placeholder.
    var onFetch: (@Sendable (URL, Data) -> Void)? {
      get { fetchHandler.withLock { $0 } }
      set { fetchHandler.withLock { $0 = newValue } }
    }

    /// Counts an image that was in memory, for which there is no task.
    func countMemoryHit() { state.withLock { $0.counts.count(.shown, from: .memory) } }

    /// The placeholders of all images.
    var placeholders: Placeholders { state.withLock { $0.placeholders } }

    /// Returns the placeholder of an image that was shown before.
    func placeholder(of url: URL) -> ThumbHash? { state.withLock { $0.placeholders[url] } }

    func imageTask(_ task: ImageTask, didReceiveEvent event: ImageTask.Event, pipeline: ImagePipeline) {
      guard case .finished(let result) = event else { return }
      let facts = task.facts
      let isAhead = task.priority == .low
      var outcome = LoadCounts.Outcome.shown
      switch result {
      case .success(let response):
        if isAhead {
          outcome = .ahead
          offer(response)
        } else {
          storePlaceholder(of: response)
        }
      case .failure(.cancelled): outcome = .cancelled
      case .failure(let error):
        outcome = .failed
        thumbnails?.storeFailure(error)
      }
      state.withLock {
        $0.counts.count(outcome, from: facts.origin, isCoalesced: facts.isCoalesced, byteCount: facts.byteCount)
      }
    }

    private func storePlaceholder(of response: ImageResponse) {
      guard let url = response.request.url, placeholder(of: url) == nil,
        let hash = try? ThumbHash(encoding: response.image)
      else { return }
      store(hash, for: url)
    }

    func store(_ placeholder: ThumbHash, for url: URL) { state.withLock { $0.placeholders[url] = placeholder } }

    /// Removes the placeholder and the shared thumbnails of an image that has changed, or that is tried again.
    func remove(_ url: URL) {
      state.withLock { $0.placeholders.remove(url) }
      thumbnails?.remove(url)
    }

    private func offer(_ response: ImageResponse) {
      guard let onFetch, let url = response.request.url, placeholder(of: url) == nil, let data = response.container.data
      else { return }
      onFetch(url, data)
    }

    // MARK: Shared thumbnails

    /// Images of files are stored as shared thumbnails or not at all.
    func dataCache(for request: ImageRequest, pipeline: ImagePipeline) -> (any DataCaching)? {
      guard let thumbnails, request.url?.isFileURL == true else { return pipeline.configuration.dataCache }
      return thumbnails.cache(for: request)
    }

    func imageEncoder(for context: ImageEncodingContext, pipeline: ImagePipeline) -> any ImageEncoding {
      thumbnails?.encoder(for: context.request) ?? pipeline.configuration.makeImageEncoder(context)
    }

    func imageDecoder(for context: ImageDecodingContext, pipeline: ImagePipeline) -> (any ImageDecoding)? {
      let decoder = pipeline.configuration.makeImageDecoder(context)
      guard let thumbnails, context.isCompleted, context.cacheType == nil else { return decoder }
      return thumbnails.decoder(for: context, decoder)
    }
  }
#endif
