/// What makes two pieces of work the same, so that one is done for both.
struct JobKey: Hashable {
  enum Kind: UInt8 {
    /// The bytes of the original.
    case data
    /// What the server says of the original that is stored: that it is right, or another one.
    case validation
    /// The original decoded; `detail` says how, and holds the options of its data.
    case decoded
    /// A picture that was stored encoded after `processorCount` processors, decoded.
    case variant
    /// A picture that a closure gives.
    case fetched
    /// The picture after `processorCount` processors; `detail` holds the options.
    case image
  }

  let kind: Kind
  let identity: RequestIdentity
  let processorCount: Int
  let detail: Int

  static func data(
    _ identity: RequestIdentity, options: ImageRequest.Options, _ wish: FreshnessWish?
  ) -> JobKey {
    let detail = Int(options.ofData.rawValue) | (wish?.detail ?? 0) << 16
    return JobKey(kind: .data, identity: identity, processorCount: 0, detail: detail)
  }

  static func validation(
    _ identity: RequestIdentity, options: ImageRequest.Options, _ wish: FreshnessWish?
  ) -> JobKey {
    let detail = Int(options.ofData.rawValue) | (wish?.detail ?? 0) << 16
    return JobKey(kind: .validation, identity: identity, processorCount: 0, detail: detail)
  }

  /// What is made of different versions of an original is different.
  static func variant(
    _ identity: RequestIdentity, processorCount: Int, of stamp: FreshnessStamp? = nil
  ) -> JobKey {
    let detail = Int(truncatingIfNeeded: stamp?.representation ?? 0)
    return JobKey(kind: .variant, identity: identity, processorCount: processorCount, detail: detail)
  }

  /// Data that was loaded in another way may be other data, so its decoding is not shared.
  static func decoded(
    _ identity: RequestIdentity, plan: DecodePlan, options: ImageRequest.Options, of stamp: FreshnessStamp? = nil
  ) -> JobKey {
    var detail = plan.detail | Int(options.ofData.rawValue) << 8 | plan.sizeDetail << 28
    detail ^= Int(truncatingIfNeeded: stamp?.representation ?? 0)
    return JobKey(kind: .decoded, identity: identity, processorCount: 0, detail: detail)
  }

  static func fetched(_ identity: RequestIdentity) -> JobKey {
    JobKey(kind: .fetched, identity: identity, processorCount: 0, detail: 0)
  }

  static func image(
    _ identity: RequestIdentity, processorCount: Int, options: ImageRequest.Options, _ wish: FreshnessWish?
  ) -> JobKey {
    let detail = Int(options.ofWork.rawValue) | (wish?.detail ?? 0) << 16
    return JobKey(kind: .image, identity: identity, processorCount: processorCount, detail: detail)
  }

  /// Whether processors and the like count, and not the data alone.
  private var isOfImage: Bool { kind == .image || kind == .variant }

  static func == (lhs: JobKey, rhs: JobKey) -> Bool {
    guard lhs.kind == rhs.kind, lhs.detail == rhs.detail, lhs.processorCount == rhs.processorCount else {
      return false
    }
    guard lhs.identity.hasSameData(as: rhs.identity) else { return false }
    return !lhs.isOfImage || lhs.identity.hasSameImage(as: rhs.identity, processorCount: lhs.processorCount)
  }

  func hash(into hasher: inout Hasher) {
    let hash = isOfImage ? identity.imageHash(processorCount: processorCount) : identity.dataHash
    hasher.combine(hash ^ (detail << 8) ^ Int(kind.rawValue))
  }
}
