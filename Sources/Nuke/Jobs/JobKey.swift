/// What makes two pieces of work the same, so that one is done for both.
struct JobKey: Hashable {
  enum Kind: UInt8 {
    /// The bytes of the original.
    case data
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

  static func data(_ identity: RequestIdentity, options: ImageRequest.Options) -> JobKey {
    JobKey(kind: .data, identity: identity, processorCount: 0, detail: Int(options.ofData.rawValue))
  }

  static func variant(_ identity: RequestIdentity, processorCount: Int) -> JobKey {
    JobKey(kind: .variant, identity: identity, processorCount: processorCount, detail: 0)
  }

  /// Data that was loaded in another way may be other data, so its decoding is not shared.
  static func decoded(_ identity: RequestIdentity, plan: DecodePlan, options: ImageRequest.Options) -> JobKey {
    let detail = plan.detail | Int(options.ofData.rawValue) << 8 | plan.sizeDetail << 28
    return JobKey(kind: .decoded, identity: identity, processorCount: 0, detail: detail)
  }

  static func fetched(_ identity: RequestIdentity) -> JobKey {
    JobKey(kind: .fetched, identity: identity, processorCount: 0, detail: 0)
  }

  static func image(_ identity: RequestIdentity, processorCount: Int, options: ImageRequest.Options) -> JobKey {
    JobKey(
      kind: .image, identity: identity, processorCount: processorCount, detail: Int(options.ofWork.rawValue))
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
