/// One download for all processes that share a cache, where the original is stored there.
extension DataJob {
  /// Whether the download is this job's to make, now. Otherwise it goes on with a look into the cache, at once or when
  /// somebody else's download has ended.
  func isLeading() -> Bool {
    guard let lease = lease ?? leaseOfOriginal() else { return true }
    switch lease.ask({ [self] in lookAgain(lease) }) {
    case .lead: return true
    case .look:
      // What the server is to be asked about is stored in any case.
      if purpose == .validation, let check, let cache = lease.cache as? DataCache {
        return isStillInQuestion(cache, check)
      }
      lookAgain(lease)
      return false
    case .wait: return false
    }
  }

  private func leaseOfOriginal() -> JobLease? {
    guard isOriginalWanted else { return nil }
    return makeLease(of: request, in: pipeline.diskCacheForOriginal(request)) {
      pipeline.originalDataCacheKey(for: request)
    }
  }

  private func lookAgain(_ lease: JobLease) {
    let waited = lease.takeWaited()
    facts.waitingForOthers += waited
    // It is no waiting for a slot, nor loading.
    queuedAt = min(queuedAt + UInt64(waited * 1e9), Clock.now)
    if let check, let cache = lease.cache as? DataCache { return lookAgain(cache, check) }
    send(
      DiskRead(pipeline.originalDataCacheKey(for: request), in: lease.cache, for: self, request) { [self] in
        useCached($0)
      }, to: pipeline.diskQueue)
  }
}
