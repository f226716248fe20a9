extension ImagePipeline.Explanation: CustomStringConvertible {
  /// A description in several lines.
  public var description: String {
    var lines = [request, "  memory key: \(memoryKey)", "  disk key: \(diskKey)"]
    if let originalDiskKey, originalDiskKey != diskKey {
      lines.append("  disk key of the original: \(originalDiskKey)")
    }
    switch freshnessPolicy {
    case .ignore: lines.append("  freshness: ignored, so cached entries are used however old they are")
    case .respect: lines.append("  freshness: respected, so stale entries are validated with the server")
    case .revalidate: lines.append("  freshness: cached entries are always validated with the server")
    case nil: break
    }
    list("lookups", lookups.map(\.description), &lines)
    if isUnderWay { lines.append("  a load of the same image is running, and this one would join it") }
    list("work", steps.isEmpty ? ["none"] : steps.map(\.description), &lines)
    if failure == nil { list("cost", cost, &lines) }
    list("stored", stores.map(\.description), &lines)
    list("queues", queues.map(\.description) + (rateLimit.map { [$0.description] } ?? []), &lines)
    if let failure { lines.append("  fails: \(failure)") }
    return lines.joined(separator: "\n")
  }

  private func list(_ title: String, _ entries: [String], _ lines: inout [String]) {
    if !entries.isEmpty { lines.append("  \(title):") }
    lines += entries.map { "    \($0)" }
  }

  private var cost: [String] {
    [
      byteCount.map { "data: \($0) bytes" } ?? "data: size not known in advance",
      decodingByteCount.map { "memory for decoding: \($0) bytes" } ?? "memory for decoding: not known in advance",
    ]
  }
}

extension ImagePipeline.Explanation.Lookup: CustomStringConvertible {
  /// A description in one line.
  public var description: String {
    var text = isInHTTPCache ? "HTTP cache" : place.rawValue
    if !isInHTTPCache, place == .memory || place == .disk {
      text += ", " + (processorCount.map(Self.name) ?? "data of the original")
      if isLargerImage { text += ", at a larger size" }
    }
    switch finding {
    case .hit: text += ": hit"
    case .preview: text += ": hit, a preview"
    case .miss: text += reason == nil ? ": miss" : ": not usable"
    case .notAsked: text += ": not used"
    case .stale: text += ": hit, but it must be validated"
    case .shownStale: text += ": hit, and used while it is validated"
    case .unknown: text += ": requested"
    }
    if let byteCount { text += ", \(byteCount) bytes" }
    if let freshness { text += ", \(freshness)" }
    if let reason { text += " (\(reason.description))" }
    return text
  }

  private static func name(_ processorCount: Int) -> String {
    switch processorCount {
    case 0: "no processor applied"
    case 1: "1 processor applied"
    default: "\(processorCount) processors applied"
    }
  }
}

extension ImagePipeline.Explanation.Lookup.Reason: CustomStringConvertible {
  /// A short description.
  public var description: String {
    switch self {
    case .disabledByOption: "disabled by the request's options"
    case .reload: "the request ignores cached data"
    case .noCache: "there is no such cache"
    case .cacheOnly: "the request may only use caches"
    case .damaged: "it is damaged"
    case .decodedSmaller: "the original is decoded at a reduced size"
    case .versionUnknown: "it may belong to another version of the original"
    case .freshnessNotKept: "the cache does not record freshness"
    case .unreadable: "it cannot be read"
    case .noValidator: "it is stale, and has no validator"
    }
  }
}

extension ImagePipeline.Explanation.Step: CustomStringConvertible {
  /// A description in one line.
  public var description: String {
    var text = kind.rawValue
    if let name { text += kind == .load ? " from \(name)" : " with \(name)" }
    if let pixelWidth, let pixelHeight { text += ", \(pixelWidth)x\(pixelHeight) pixels" }
    if let scaleDenominator, scaleDenominator > 1 { text += ", at 1/\(scaleDenominator)" }
    if isUnderWay { text += " (under way)" }
    return text
  }
}

extension ImagePipeline.Explanation.Store: CustomStringConvertible {
  /// A description in one line.
  public var description: String {
    let what = isOriginal ? "data of the original" : "the image"
    guard let notCachedReason else { return "\(place.rawValue): \(what)" }
    return "\(place.rawValue): not \(what), because \(notCachedReason)"
  }
}

extension ImagePipeline.Explanation.Queue: CustomStringConvertible {
  /// A description in one line.
  public var description: String {
    let text = "\(work.rawValue): \(waitingCount) waiting, \(runningCount) of \(limit) running"
    return isSuspended ? text + ", suspended" : text
  }
}

extension ImagePipeline.Explanation.RateLimit: CustomStringConvertible {
  /// A description in one line.
  public var description: String { "rate limit: \(tokenCount) may start immediately, \(waitingCount) waiting" }
}
