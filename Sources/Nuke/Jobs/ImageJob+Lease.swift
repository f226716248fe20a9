/// One picture made for all processes that share a cache, where it is stored there.
///
/// The lease is taken before the original is loaded, which is stored only as the policy says.
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
    guard isRequested, storesEncoded else { return nil }
    return makeLease(of: request, isLocal: isLocal) { dataCacheKey }
  }

  private func lookAgain(_ lease: JobLease) {
    facts.waitingForOthers += lease.takeWaited()
    if let check, let cache = lease.cache as? DataCache { return lookForVariant(cache, check) }
    lookOnDisk(lease.cache)
  }
}
