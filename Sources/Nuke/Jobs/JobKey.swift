/// Identifies a piece of work. Jobs with equal keys are shared.
///
/// It is an object because the graph copies keys, and the objects that it contains are shared by many threads, so that
/// counting references to them is slow.
final class JobKey: Hashable, Sendable {
  /// The kind of work, and what must be equal besides the request's identity.
  private enum Work: Hashable, Sendable {
    /// Loads the bytes of the original.
    case data(ImageRequest.Options, FreshnessRequirement.Key?)
    /// Validates the stored original, or loads another version.
    case validation(ImageRequest.Options, FreshnessRequirement.Key?)
    /// Decodes the original. Data that was loaded with other options may be other data.
    case decoded(DecodePlan.Key, ImageRequest.Options, version: UInt64?)
    /// Decodes the image that is stored after `processorCount` processors, made of one version of the original.
    case variant(version: UInt64?)
    /// Gets the image that a closure returns.
    case fetched
    /// Makes the image after `processorCount` processors.
    case image(ImageRequest.Options, FreshnessRequirement.Key?)

    /// `true` if processors, scale and thumbnail count, and not the data alone.
    var isOfImage: Bool {
      switch self {
      case .image, .variant: true
      case .data, .validation, .decoded, .fetched: false
      }
    }

    var ordinal: Int {
      switch self {
      case .data: 0
      case .validation: 1
      case .decoded: 2
      case .variant: 3
      case .fetched: 4
      case .image: 5
      }
    }
  }

  private let work: Work
  private let identity: RequestIdentity
  private let processorCount: Int
  /// Stands for the processors, which are code of the program's and not compared here. See ``ProcessorChains``.
  private let chain: ProcessorChain?

  private init(
    _ work: Work, of identity: RequestIdentity, processorCount: Int = 0, sharing chains: ProcessorChains? = nil
  ) {
    self.work = work
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
    JobKey(.validation(options.ofData, requirement?.key), of: identity)
  }

  static func variant(
    _ identity: RequestIdentity, processorCount: Int, of stamp: FreshnessStamp? = nil, sharing chains: ProcessorChains
  ) -> JobKey {
    JobKey(
      .variant(version: stamp?.representation), of: identity, processorCount: processorCount, sharing: chains)
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

  /// Runs no code of the program's, so that keys can be compared under a lock.
  static func == (lhs: JobKey, rhs: JobKey) -> Bool {
    if lhs === rhs { return true }
    guard lhs.work == rhs.work, lhs.processorCount == rhs.processorCount, lhs.identity.hasSameData(as: rhs.identity)
    else { return false }
    guard lhs.work.isOfImage else { return true }
    return lhs.identity.isSameImage(as: rhs.identity, processorCount: lhs.processorCount)
      ?? (lhs.chain === rhs.chain)
  }

  func hash(into hasher: inout Hasher) {
    let hash = work.isOfImage ? identity.imageHash(processorCount: processorCount) : identity.dataHash
    hasher.combine(hash ^ work.ordinal)
  }
}

extension ImagePipeline {
  /// The key of the data of a request's original.
  ///
  /// A request that reads no cache shares the download of one that may: where there is no cache to read, at once, and
  /// else when that one has found nothing. An HTTP cache below the loader answers them differently, so then they share
  /// nothing.
  func dataKey(for request: ImageRequest, _ requirement: FreshnessRequirement?) -> JobKey {
    let mayRead = request.options.allowDiskReads && dataCache(for: request) != nil
    return mayRead || !sharesDownload(request, requirement)
      ? .data(request.storage.identity, options: request.options, requirement) : downloadKey(for: request)
  }

  /// The key of the download that a request's original needs if no cache has it.
  func downloadKey(for request: ImageRequest) -> JobKey {
    .data(request.storage.identity, options: request.options.union(.reloadIgnoringCachedData), nil)
  }

  /// Returns `true` if the download is the same whether the request reads caches or not.
  func sharesDownload(_ request: ImageRequest, _ requirement: FreshnessRequirement?) -> Bool {
    requirement == nil && !request.options.contains(.returnCacheDataDontLoad) && !hasHTTPCache(for: request)
  }
}
