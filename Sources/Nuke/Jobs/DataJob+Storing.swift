import Foundation
import FoundationNetworking

/// What becomes of the bytes of an original on the disk.
extension DataJob {
  /// Keeps the data on disk, where the policy says so for one of those who wait.
  func store(_ loaded: Loaded) {
    let (spool, resumedCount) = download.withLock { ($0.spool, $0.resumedCount) }
    facts.resumedByteCount = resumedCount
    let part = spool?.takePart()
    if part == nil, resumedCount > 0 { spool?.forget(of: self) }
    guard !isLocal, isStoringAllowed, !loaded.isPart,
      let cache = pipeline.dataCache(for: request), isOriginalWanted
    else {
      if let part { spool?.cache.abandon(part) }
      return
    }
    pipeline.store(
      loaded.data, of: nil, for: request, key: pipeline.originalDataCacheKey(for: request), in: cache, from: part)
  }

  var isStoringAllowed: Bool {
    !pipeline.configuration.isDataCacheReadOnly && !request.options.contains(.disableDiskCacheWrites)
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
  fileprivate var isPart: Bool { (response as? HTTPURLResponse)?.statusCode == 206 }
}
