/// One picture made for all processes that share a cache, where it is stored there, and one question to the server about
/// it.
///
/// The lease is taken before the original is loaded or asked about, whose data is stored only as the policy says. The data
/// job's own comes after it, never before.
extension ImageJob {
  /// Whether the picture is this job's to make, now. Otherwise it goes on with a look into the cache, at once or when
  /// somebody else has made it.
  func isLeading() -> Bool {
    guard let lease = lease ?? leaseOfVariant() else { return true }
    switch lease.ask({ [self] in lookAgain(lease) }) {
    case .lead: return true
    case .look:
      lookAgain(lease)
      return false
    case .wait: return false
    }
  }

  private func leaseOfVariant() -> JobLease? {
    guard isVariant, isRequested, storesEncoded, !hasKeyOfOriginal else { return nil }
    return makeLease(of: request, in: pipeline.diskCacheForWriting(request)) { dataCacheKey }
  }

  /// Whether the lease is the one that the data job asks for, which would wait for it: a delegate may give one key to both.
  private var hasKeyOfOriginal: Bool {
    pipeline.delegate != nil && pipeline.configuration.dataCachePolicy.storesOriginal(for: .image, of: request)
      && dataCacheKey == pipeline.originalDataCacheKey(for: request)
  }

  /// Whether others may be at the same. Who does it is found out on a worker.
  func mayHaveToWait() -> Bool { (lease ?? leaseOfVariant()) != nil }

  private func lookAgain(_ lease: JobLease) {
    facts.waitingForOthers += lease.takeWaited()
    guard let check, let cache = lease.cache as? DataCache else { return lookOnDisk(lease.cache) }
    if let held { lookAtRecord(of: held, cache, check) } else { lookForVariant(cache, check) }
  }

  /// Lets others go on when what the server has said of the original is on the disk, where they find it.
  func endLeaseWithRecord() {
    guard let lease, let cache = lease.cache as? DataCache, let right = lease.handOver() as? DiskLease else { return }
    cache.letGo(of: right, withRecordFor: pipeline.originalDataCacheKey(for: request))
  }
}
