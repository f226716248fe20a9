extension ImagePipeline.Explanation: CustomStringConvertible {
  /// A description in several lines.
  public var description: String {
    var lines = [request, "  memory key: \(memoryKey)", "  disk key: \(diskKey)"]
    if let originalDiskKey, originalDiskKey != diskKey {
      lines.append("  disk key of the original: \(originalDiskKey)")
    }
    switch freshnessPolicy {
    case .ignore: lines.append("  freshness: ignored, nothing that is stored is ever validated")
    case .respect: lines.append("  freshness: respected")
    case .revalidate: lines.append("  freshness: what is stored is always validated")
    case nil: break
    }
    list("looks", lookups.map(\.description), &lines)
    if isUnderWay { lines.append("  a load of the same is under way and would be joined") }
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
      byteCount.map { "\($0) bytes of data" } ?? "bytes of data: not known before",
      decodingByteCount.map { "\($0) bytes of memory for decoding" } ?? "memory for decoding: not known before",
    ]
  }
}

extension ImagePipeline.Explanation.Lookup: CustomStringConvertible {
  /// A description in one line.
  public var description: String {
    var text = isInHTTPCache ? "HTTP cache" : place.rawValue
    if !isInHTTPCache, place == .memory || place == .disk {
      text += ", " + (processorCount.map(Self.name) ?? "data of the original")
    }
    switch finding {
    case .hit: text += ": found"
    case .preview: text += ": a preview"
    case .miss: text += reason == nil ? ": nothing there" : ": of no use"
    case .notAsked: text += ": not asked"
    case .stale: text += ": found, and to be validated"
    case .shownStale: text += ": found, and given while it is validated"
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
    case .reload: "everything is to be loaded anew"
    case .noCache: "there is no such cache"
    case .cacheOnly: "the request allows caches only"
    case .damaged: "it cannot be decoded, and would be made anew"
    case .decodedSmaller: "the original would be decoded smaller"
    case .versionUnknown: "it was made from another or an unknown version of the original"
    case .freshnessNotKept: "it does not keep what is to be known of freshness"
    case .unreadable: "it cannot be read"
    case .noValidator: "it is out of date, with nothing to ask the server by"
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
  public var description: String { "rate limit: \(tokenCount) may begin at once, \(waitingCount) waiting" }
}
