extension ImagePipeline.Explanation: CustomStringConvertible {
  /// A description in several lines.
  public var description: String {
    var lines = [request, "  memory key: \(memoryKey)", "  disk key: \(diskKey)"]
    if let originalDiskKey, originalDiskKey != diskKey {
      lines.append("  disk key of the original: \(originalDiskKey)")
    }
    switch freshnessPolicy {
    case .ignore: lines.append("  freshness: ignored, cached data is never validated")
    case .respect: lines.append("  freshness: respected")
    case .revalidate: lines.append("  freshness: cached data is always validated")
    case nil: break
    }
    list("looks", lookups.map(\.description), &lines)
    if isUnderWay { lines.append("  an equal load is running and would be joined") }
    list("work", steps.isEmpty ? ["none"] : steps.map(\.description), &lines)
    if failure == nil { list("cost", cost, &lines) }
    list("stores", stores.map(\.description), &lines)
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
      byteCount.map { "\($0) bytes of data" } ?? "bytes of data: not known yet",
      decodingByteCount.map { "\($0) bytes of memory for decoding" } ?? "memory for decoding: not known yet",
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
    case .hit: text += ": found"
    case .preview: text += ": a preview"
    case .miss: text += reason == nil ? ": nothing there" : ": not usable"
    case .notAsked: text += ": not asked"
    case .stale: text += ": found, and to be validated"
    case .shownStale: text += ": found, and used while it is validated"
    case .unknown: text += ": to be loaded"
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
    case .disabledByOption: "the request's options forbid it"
    case .reload: "everything is loaded again"
    case .noCache: "there is no such cache"
    case .cacheOnly: "the request allows caches only"
    case .damaged: "it cannot be decoded, and would be created again"
    case .decodedSmaller: "the original would be decoded at a smaller size"
    case .versionUnknown: "it was made from another or an unknown version of the original"
    case .freshnessNotKept: "it stores no freshness information"
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
    return "\(place.rawValue): not \(what) (\(notCachedReason))"
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
