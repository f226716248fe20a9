/// Identifies a step of a load. Requests with equal keys share one job.
///
/// It is an object because the graph copies keys. Copying a value would retain the objects in it, which is slow because
/// many threads share them.
final class JobKey: Hashable, Sendable {
  /// The kind of work, and the values that must be equal in addition to the request's identity.
  private enum Kind: Hashable, Sendable {
    /// Loads the bytes of the original.
    case data(ImageRequest.Options, FreshnessRequirement.Key?)
    /// Validates the stored original, or loads another version.
    case validation(ImageRequest.Options, FreshnessRequirement.Key?)
    /// Opens the original. Requests with other options may load other data.
    case opened(ImageRequest.Options, version: UInt64?)
    /// Decodes the original.
    case decoded(DecodePlan.Key, ImageRequest.Options, version: UInt64?)
    /// Decodes the stored image after `processorCount` processors, which was made from one version of the original.
    case variant(version: UInt64?)
    /// Calls the closure that returns the image.
    case fetched
    /// Creates the image after `processorCount` processors.
    case image(ImageRequest.Options, FreshnessRequirement.Key?)

    /// `true` if the key includes processors, scale and thumbnail; `false` if it identifies only the data.
    var isOfImage: Bool {
      switch self {
      case .image, .variant: true
      case .data, .validation, .opened, .decoded, .fetched: false
      }
    }

    var ordinal: Int {
      switch self {
      case .data: 0
      case .validation: 1
      case .opened: 2
      case .decoded: 3
      case .variant: 4
      case .fetched: 5
      case .image: 6
      }
    }
  }

  private let kind: Kind
  private let identity: RequestIdentity
  private let processorCount: Int
  /// Represents the processors. Comparing them could run user code, so ``ProcessorChains`` does it in advance.
  private let chain: ProcessorChain?

  private init(
    _ kind: Kind, of identity: RequestIdentity, processorCount: Int = 0, sharing chains: ProcessorChains? = nil
  ) {
    self.kind = kind
    self.identity = identity
    self.processorCount = processorCount
    chain = chains?.representative(of: identity.chain, count: processorCount)
  }

  static func data(
    _ identity: RequestIdentity, options: ImageRequest.Options, _ requirement: FreshnessRequirement?
  ) -> JobKey {
    JobKey(.data(options.ofData, requirement?.key), of: identity)
  }

  static func validation(
    _ identity: RequestIdentity, options: ImageRequest.Options, _ requirement: FreshnessRequirement?
  ) -> JobKey {
    // Unlike the download of an original, a validation stores its result for its own request only.
    let writes = options.intersection(.disableDiskCacheWrites)
    return JobKey(.validation(options.ofData.union(writes), requirement?.key), of: identity)
  }

  static func variant(
    _ identity: RequestIdentity, processorCount: Int, of stamp: FreshnessStamp? = nil, sharing chains: ProcessorChains
  ) -> JobKey {
    JobKey(
      .variant(version: stamp?.representation), of: identity, processorCount: processorCount, sharing: chains)
  }

  static func opened(
    _ identity: RequestIdentity, options: ImageRequest.Options, of stamp: FreshnessStamp? = nil
  ) -> JobKey {
    JobKey(.opened(options.ofData, version: stamp?.representation), of: identity)
  }

  static func decoded(
    _ identity: RequestIdentity, plan: DecodePlan, options: ImageRequest.Options, of stamp: FreshnessStamp? = nil
  ) -> JobKey {
    JobKey(.decoded(plan.key, options.ofData, version: stamp?.representation), of: identity)
  }

  static func fetched(_ identity: RequestIdentity) -> JobKey { JobKey(.fetched, of: identity) }

  static func image(
    _ identity: RequestIdentity, processorCount: Int, options: ImageRequest.Options,
    _ requirement: FreshnessRequirement?, sharing chains: ProcessorChains
  ) -> JobKey {
    JobKey(
      .image(options.ofWork, requirement?.key), of: identity, processorCount: processorCount, sharing: chains)
  }

  /// Runs no user code, so that keys can be compared under a lock.
  static func == (lhs: JobKey, rhs: JobKey) -> Bool {
    if lhs === rhs { return true }
    guard lhs.kind == rhs.kind, lhs.processorCount == rhs.processorCount, lhs.identity.hasSameData(as: rhs.identity)
    else { return false }
    guard lhs.kind.isOfImage else { return true }
    return lhs.identity.isSameImage(as: rhs.identity, processorCount: lhs.processorCount)
      ?? (lhs.chain === rhs.chain)
  }

  func hash(into hasher: inout Hasher) {
    let hash = kind.isOfImage ? identity.imageHash(processorCount: processorCount) : identity.dataHash
    hasher.combine(hash ^ kind.ordinal)
  }
}

extension ImagePipeline {
  /// Returns the key of the data of a request's original.
  ///
  /// Requests that read the disk cache and requests that do not can share a download. Without a disk cache, they share
  /// it from the start; otherwise after the look-up was a miss. They share nothing if the loader has an HTTP cache,
  /// because it treats them differently.
  func dataKey(for request: ImageRequest, _ requirement: FreshnessRequirement?) -> JobKey {
    let mayRead = request.options.allowDiskReads && dataCache(for: request) != nil
    return mayRead || !sharesDownload(request, requirement)
      ? .data(request.storage.identity, options: request.options, requirement) : downloadKey(for: request)
  }

  /// Returns the key of the download of a request's original, for use after a cache miss.
  func downloadKey(for request: ImageRequest) -> JobKey {
    .data(request.storage.identity, options: request.options.union(.reloadIgnoringCachedData), nil)
  }

  /// Returns `true` if requests that read caches and requests that do not can share a download.
  func sharesDownload(_ request: ImageRequest, _ requirement: FreshnessRequirement?) -> Bool {
    requirement == nil && !request.isCacheOnly && !hasHTTPCache(for: request)
  }
}
