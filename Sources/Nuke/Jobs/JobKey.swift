/// Identifies a piece of work. Jobs with equal keys are shared.
struct JobKey: Hashable {
  enum Kind: UInt8 {
    /// The bytes of the original.
    case data
    /// Validates the stored original, or loads another version.
    case validation
    /// The original decoded; `detail` says how, and holds the options of its data.
    case decoded
    /// An image that was stored encoded after `processorCount` processors, decoded.
    case variant
    /// An image that a closure gives.
    case fetched
    /// The image after `processorCount` processors; `detail` holds the options.
    case image
  }

  let kind: Kind
  let identity: RequestIdentity
  let processorCount: Int
  let detail: Int
  /// Stands for the processors, which are code of the program's and not compared here. See ``ProcessorChains``.
  private let chain: ProcessorChain?

  private init(
    kind: Kind, identity: RequestIdentity, processorCount: Int = 0, detail: Int = 0,
    sharing chains: ProcessorChains? = nil
  ) {
    self.kind = kind
    self.identity = identity
    self.processorCount = processorCount
    self.detail = detail
    chain = chains?.representative(of: identity.chain, count: processorCount)
  }

  static func data(
    _ identity: RequestIdentity, options: ImageRequest.Options, _ requirement: FreshnessRequirement?
  ) -> JobKey {
    let detail = Int(options.ofData.rawValue) | (requirement?.detail ?? 0) << 16
    return JobKey(kind: .data, identity: identity, detail: detail)
  }

  static func validation(
    _ identity: RequestIdentity, options: ImageRequest.Options, _ requirement: FreshnessRequirement?
  ) -> JobKey {
    let detail = Int(options.ofData.rawValue) | (requirement?.detail ?? 0) << 16
    return JobKey(kind: .validation, identity: identity, detail: detail)
  }

  /// Variants of different versions of an original are different.
  static func variant(
    _ identity: RequestIdentity, processorCount: Int, of stamp: FreshnessStamp? = nil, sharing chains: ProcessorChains
  ) -> JobKey {
    let detail = Int(truncatingIfNeeded: stamp?.representation ?? 0)
    return JobKey(
      kind: .variant, identity: identity, processorCount: processorCount, detail: detail, sharing: chains)
  }

  /// Data that was loaded in another way may be other data, so its decoding is not shared.
  static func decoded(
    _ identity: RequestIdentity, plan: DecodePlan, options: ImageRequest.Options, of stamp: FreshnessStamp? = nil
  ) -> JobKey {
    var detail = plan.detail | Int(options.ofData.rawValue) << 8 | plan.sizeDetail << 28
    detail ^= Int(truncatingIfNeeded: stamp?.representation ?? 0)
    return JobKey(kind: .decoded, identity: identity, detail: detail)
  }

  static func fetched(_ identity: RequestIdentity) -> JobKey { JobKey(kind: .fetched, identity: identity) }

  static func image(
    _ identity: RequestIdentity, processorCount: Int, options: ImageRequest.Options,
    _ requirement: FreshnessRequirement?,
    sharing chains: ProcessorChains
  ) -> JobKey {
    let detail = Int(options.ofWork.rawValue) | (requirement?.detail ?? 0) << 16
    return JobKey(kind: .image, identity: identity, processorCount: processorCount, detail: detail, sharing: chains)
  }

  /// `true` if processors, scale and thumbnail count, and not the data alone.
  private var isOfImage: Bool { kind == .image || kind == .variant }

  /// Runs no code of the program's, so that keys can be compared under a lock.
  static func == (lhs: JobKey, rhs: JobKey) -> Bool {
    guard lhs.kind == rhs.kind, lhs.detail == rhs.detail, lhs.processorCount == rhs.processorCount,
      lhs.identity.hasSameData(as: rhs.identity)
    else { return false }
    guard lhs.isOfImage else { return true }
    return lhs.identity.likeness(to: rhs.identity, processorCount: lhs.processorCount).isSame
      ?? (lhs.chain === rhs.chain)
  }

  func hash(into hasher: inout Hasher) {
    let hash = isOfImage ? identity.imageHash(processorCount: processorCount) : identity.dataHash
    hasher.combine(hash ^ (detail << 8) ^ Int(kind.rawValue))
  }
}

extension ImagePipeline {
  /// The key of the data of a request's original.
  ///
  /// A request that reads no cache shares the download of one that may: where there is no cache to read, at once, and else
  /// when that one has found nothing. An HTTP cache below the loader answers them differently, so then they share nothing.
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
