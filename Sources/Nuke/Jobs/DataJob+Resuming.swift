import FoundationNetworking

/// The partial body of a download that ended early, which the next download resumes.
///
/// It is kept on the disk, in the request's ``DataCache``, where the whole would be stored there too; in memory until it
/// is written, and where there is no such cache.
extension DataJob {
  /// `true` if something may be looked for on the disk.
  var mayUseDisk: Bool { diskCacheForParts != nil }

  /// Our own cache on the disk, where the request may write to it.
  private var diskCacheForParts: DataCache? {
    guard case .into(let cache) = pipeline.diskCacheForOriginal(request) else { return nil }
    return cache as? DataCache
  }

  /// Returns the partial body to resume; `nil` if the whole body is to be requested.
  func partToResume(_ urlRequest: URLRequest) -> PartialBodies.Part? {
    let isEnabled = pipeline.configuration.isResumableDataEnabled
    let cache = diskCacheOfOriginal
    // So that what has none of both is not held up by making a key.
    guard cache != nil || isEnabled && !pipeline.partialBodies.isEmpty, let key = PartialBodies.Key(urlRequest) else {
      return nil
    }
    let spool = cache.map { BodySpool(cache: $0, key: key) }
    if let spool { download.withLock { $0.spool = spool } }
    guard isEnabled else { return nil }
    if let part = pipeline.partialBodies.take(key) { return part }
    return request.options.allowDiskReads ? spool?.find() : nil
  }

  /// The cache that the body will be stored in, as things stand.
  private var diskCacheOfOriginal: DataCache? {
    guard let cache = diskCacheForParts, isOriginalWanted else { return nil }
    return cache
  }

  /// Keeps what has come for the next download.
  func keep(_ part: PartialBodies.Part?) {
    let (spool, sent) = download.withLock { ($0.spool, $0.sent) }
    guard let part, pipeline.configuration.isResumableDataEnabled, let urlRequest = sent ?? request.urlRequest,
      let key = PartialBodies.Key(urlRequest)
    else {
      spool?.drop(of: self)
      return
    }
    let copy = pipeline.partialBodies.keep(part, for: key)
    spool?.keep(part, copy: copy, of: self)
  }

  // MARK: For the spool

  var spoolSource: BodySpool.Source? {
    download.withLock { $0.spoolSource { request.urlRequest } }
  }

  /// Spools the bytes that arrived while the spool was busy.
  func spoolIfDue() {
    let (count, spool) = download.withLock { ($0.isLoading ? $0.body.count : 0, $0.spool) }
    spool?.dataDidGrow(to: count, of: self)
  }
}
