import Foundation

/// What becomes of the bytes of an original on the disk.
extension DataJob {
  /// Keeps the data on disk, where the policy says so for one of those who wait.
  ///
  /// - Returns: why it was not stored.
  func store(_ loaded: Loaded) -> ImageTask.Facts.NotCachedReason? {
    let (spool, resumedCount) = download.withLock { ($0.spool, $0.resumedCount) }
    facts.resumedByteCount = resumedCount
    let part = spool?.takePart()
    if part == nil, resumedCount > 0 { spool?.forget(of: self) }
    switch cacheToStore(loaded) {
    case .excluded(let reason):
      if let part { spool?.cache.abandon(part) }
      return reason
    case .into(let cache):
      let key = pipeline.originalDataCacheKey(for: request)
      let label = StagedWrites.Label(loaded.freshness, original: key, key: key)
      let isRefused = pipeline.store(
        loaded.data, of: nil, for: request, key: key, in: cache, from: part, label: label, lease: lease?.handOver())
      return isRefused ? .refusedByDelegate : nil
    }
  }

  private func cacheToStore(_ loaded: Loaded) -> ImagePipeline.Storing<any DataCaching> {
    let storing = pipeline.diskCacheForOriginal(request)
    guard case .into = storing else { return storing }
    if loaded.isPart { return .excluded(.partOfOriginal) }
    if loaded.freshness?.mayBeStored == false { return .excluded(.forbiddenByServer) }
    return isOriginalWanted ? storing : .excluded(.policy)
  }

  /// Whether the policy says of one of those who wait that the original is stored.
  var isOriginalWanted: Bool {
    let policy = pipeline.configuration.dataCachePolicy
    return pipeline.state.withLock { state in
      var isWanted = false
      state.graph.forEachClient(of: id) { task in
        isWanted = isWanted || policy.storesOriginal(for: task.kind, of: task.request)
      }
      return isWanted
    }
  }
}

extension DataJob.Loaded {
  /// Whether the bytes are what a range of the program's own gave, which is not the original.
  var isPart: Bool { response?.head.status == 206 }
}
