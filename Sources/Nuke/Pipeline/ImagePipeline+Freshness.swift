import Foundation
import NukeHTTPCaching

extension ImagePipeline {
  /// What is to be known of how old the stored pictures of a request are; nil for nothing.
  func freshnessWish(of request: ImageRequest) -> FreshnessWish? {
    FreshnessWish(request, default: configuration.freshnessPolicy)
  }

  /// The same with what is needed to decide.
  func freshnessCheck(of request: ImageRequest) -> FreshnessCheck? {
    guard let wish = freshnessWish(of: request), let urlRequest = request.urlRequest else { return nil }
    let loader = request.url.flatMap { streamingLoader(for: request)?.configuration(for: $0) }
    return FreshnessCheck(wish, urlRequest, of: loader)
  }

  func freshnessRow(of request: ImageRequest) -> FreshnessTable.Row {
    freshnessTable.row(for: originalDataCacheKey(for: request))
  }

  /// Whether a picture of the request is used however old. Hits of the memory cache go by this, so it has to be cheap.
  func ignoresFreshness(of request: ImageRequest) -> Bool {
    configuration.freshnessPolicy == .ignore && !request.storage.hasFreshnessPolicy
  }

  /// Whether a picture in memory can be given at once.
  func isUsable(_ container: ImageContainer, for request: ImageRequest) -> Bool {
    if ignoresFreshness(of: request) { return true }
    if case .use = verdict(on: container, for: request) { return true }
    return false
  }

  /// What is to be done with a picture of a request that is in memory.
  func verdict(on container: ImageContainer, for request: ImageRequest) -> FreshnessCheck.Verdict {
    guard let check = freshnessCheck(of: request) else { return .use(nil) }
    return check.verdict(on: knownStamp(container, of: request), now: configuration.now())
  }

  /// The stamp of a picture in memory. One that another pipeline has put there is told by what both know.
  func knownStamp(_ container: ImageContainer, of request: ImageRequest) -> FreshnessStamp? {
    guard let stamp = container.stamp else { return nil }
    if stamp.row.isOf(freshnessTable) { return stamp }
    let row = freshnessRow(of: request)
    row.merge(stamp.row.record)
    return FreshnessStamp(row: row, representation: stamp.representation)
  }

  /// Our own disk cache, which can keep what is known of freshness.
  func freshnessCache(for request: ImageRequest) -> DataCache? {
    guard request.options.allowDiskReads else { return nil }
    return dataCache(for: request) as? DataCache
  }

  /// Keeps what the server says of one version of a request's original, unless another has come since; nil forgets it.
  ///
  /// - Parameter lease: is let go of when that is on the disk, where other processes find it.
  func renew(
    _ record: FreshnessRecord?, of stamp: FreshnessStamp, for request: ImageRequest, lease: (any DataLease)? = nil
  ) {
    if stamp.record != nil { keep(record, in: stamp.row, for: request, lease: lease) }
  }

  /// Keeps what is known of a request's original; nil forgets it.
  func keep(
    _ record: FreshnessRecord?, in row: FreshnessTable.Row, for request: ImageRequest, lease: (any DataLease)? = nil
  ) {
    row.set(record)
    guard case .into(let cache) = diskCacheForOriginal(request), let cache = cache as? DataCache else {
      return
    }
    cache.store(record, for: originalDataCacheKey(for: request), lease: lease as? DiskLease)
  }
}

extension ImageResponse {
  /// A stored picture as it is shown while the server is asked about it.
  var asStalePreview: ImageResponse {
    var response = self
    response.container.isPreview = true
    response.freshness = .stale(.whileRevalidating)
    return response
  }
}
