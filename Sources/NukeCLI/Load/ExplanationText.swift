#if Command
  import Foundation
  import Nuke

  /// The text of `--explain`: where an image comes from, and why.
  ///
  /// A command starts without images in memory and without other loads. What an explanation says about these is only in
  /// the JSON output.
  struct ExplanationText {
    typealias Explanation = ImagePipeline.Explanation

    private let explanation: Explanation
    private let request: ImageRequest
    private let hasCache: Bool
    private let lookups: [Explanation.Lookup]

    init(_ explanation: Explanation, of request: ImageRequest, hasCache: Bool) {
      self.explanation = explanation
      self.request = request
      self.hasCache = hasCache
      lookups = explanation.lookups.filter { $0.place != .memory && $0.reason != .noCache }
    }

    var lines: [String] {
      var lines = [failure.map { "would fail: \($0)" } ?? "source: \(source)"]
      // Only images of servers have a freshness.
      if hasCache, let policy = explanation.freshnessPolicy { lines.append("freshness: \(text(policy))") }
      lines += section("looked up, in this order", lookups.map(text))
      lines += section("work", work)
      if failure == nil {
        let (data, memory) = isReplaced ? (nil, nil) : (explanation.byteCount, explanation.decodingByteCount)
        lines += section("cost", ["data: \(bytes(data))", "memory for decoding: \(bytes(memory))"])
      }
      if hasCache {
        lines += section("stored in the disk cache", explanation.stores.filter { $0.place == .disk }.map(text))
        if explanation.freshnessPolicy != nil { lines += section("keys in the disk cache", keys) }
      }
      return lines.map { "  " + $0.onOneLine }
    }

    /// The reason as it is printed when the image is loaded.
    private var failure: String? {
      guard let failure = explanation.failure else { return nil }
      let isMissing = lookups.last?.reason == .cacheOnly
      return isMissing ? LoadFailure(ImagePipeline.Error.dataMissingInCache).reason : LoadFailure(failure).reason
    }

    private func section(_ title: String, _ entries: [String]) -> [String] {
      entries.isEmpty ? [] : ["\(title):"] + entries.map { "  " + $0 }
    }

    private func bytes(_ count: Int?) -> String { count.map { Format.bytes(Int64($0)) } ?? "not known in advance" }

    private var keys: [String] {
      let original = explanation.originalDiskKey
      let own = request.processors.isEmpty ? [] : ["resulting image: \(explanation.diskKey)"]
      return (original.map { ["original: \($0)"] } ?? []) + own
    }

    // MARK: The source

    /// `true` if the server is asked.
    private var asksServer: Bool { lookups.contains { $0.place == .network && $0.finding == .unknown } }

    /// The entry that the load validates with the server.
    private var validated: Explanation.Lookup? {
      asksServer ? lookups.first { $0.finding == .stale || $0.finding == .shownStale } : nil
    }

    /// `true` if the server can only send the original again, because an entry to be validated has no validator. The
    /// steps and costs of an explanation assume that the entry has not changed.
    private var isReplaced: Bool { validated?.finding == .stale && validated?.freshness?.validators.isEmpty == true }

    private var source: String {
      switch explanation.origin {
      case .network where isReplaced: "the server, because the cached image must be validated, and has no validator"
      case .network:
        switch validated?.finding {
        case .stale: "the disk cache, if the server confirms that the original has not changed"
        case .shownStale: "the disk cache, and the server, which is asked whether the original has changed"
        default: "the server, because \(reasonForServer)"
        }
      case .disk: "the disk cache, which has the \(lookups.last.map(subject) ?? "image")"
      case .file: "the file"
      case .inline: "the data: URL"
      case .closure: "standard input"
      case .memory, nil: "memory"
      }
    }

    private var reasonForServer: String {
      let cached = lookups.filter { $0.place == .disk }
      if cached.contains(where: { $0.reason == .reload }) { return Self.text(.reload) }
      if let unusable = cached.last(where: { $0.finding == .miss && $0.reason != nil })?.reason {
        return "the cached image is not usable: \(Self.text(unusable))"
      }
      return hasCache ? "the disk cache does not have the image" : "there is no disk cache (see --cache)"
    }

    // MARK: Entries

    private func text(_ policy: ImagePipeline.FreshnessPolicy) -> String {
      if request.options.contains(.returnCacheDataDontLoad) { return "cached images are used, however old (--offline)" }
      return switch policy {
      case .ignore: "cached images are used, however old (--cache-policy ignore)"
      case .respect: "stale images are validated with the server (--cache-policy respect)"
      case .revalidate: "cached images are validated with the server (--cache-policy revalidate)"
      }
    }

    private func text(_ lookup: Explanation.Lookup) -> String {
      let isServer = lookup.place == .network
      var text = lookup.place == .disk ? "\(Self.name(of: lookup)), \(subject(lookup))" : Self.name(of: lookup)
      switch lookup.finding {
      case .hit where lookup.place == .disk: text += ": hit"
      case .hit: text += ": can be read"
      case .preview: text += ": hit, a preview of the image"
      case .miss: text += lookup.reason.map { ": not usable, because \(Self.text($0))" } ?? ": miss"
      case .notAsked: text += lookup.reason.map { ": not used, because \(Self.text($0))" } ?? ": not used"
      case .stale, .shownStale: text += lookup.freshness == nil ? ": hit, but stale" : ": hit"
      case .unknown where isServer && validated != nil && !isReplaced:
        text += ": the original is validated"
      case .unknown: text += isServer ? ": the original is requested" : ": is read"
      }
      if let byteCount = lookup.byteCount { text += ", \(bytes(byteCount))" }
      if let freshness = lookup.freshness { text += ", \(Self.text(freshness))" }
      if lookup.finding == .shownStale, asksServer { text += "; used until the server has answered" }
      return text
    }

    /// The image or the data that is looked up.
    private func subject(_ lookup: Explanation.Lookup) -> String {
      let size = lookup.isLargerImage ? " at a larger size" : ""
      guard let count = lookup.processorCount else { return "original" }
      let total = request.processors.count
      return (count == total ? "resulting image" : "image after \(count) of \(total) processors") + size
    }

    private static func name(of lookup: Explanation.Lookup) -> String {
      switch lookup.place {
      case .memory: "memory"
      case .disk: lookup.isInHTTPCache ? "HTTP cache" : "disk cache"
      case .network: "server"
      case .file: "file"
      case .inline: "data: URL"
      case .closure: "standard input"
      }
    }

    private static func text(_ freshness: Explanation.Freshness) -> String {
      let validators = freshness.validators.joined(separator: " and ")
      return "\(freshness.isFresh ? "fresh until" : "stale since") \(freshness.until.formatted(.iso8601)), "
        + (validators.isEmpty ? "without a validator" : "with the validator \(validators)")
    }

    private static func text(_ reason: Explanation.Lookup.Reason) -> String {
      switch reason {
      case .disabledByOption: "data from standard input is not cached"
      case .reload: "--reload ignores the images in the cache"
      case .noCache: "there is none (see --cache)"
      case .cacheOnly: "--offline sends no requests"
      case .damaged: "the entry is damaged"
      case .decodedSmaller: "the original is decoded at a reduced size"
      case .versionUnknown: "it may belong to another version of the original"
      case .freshnessNotKept: "the cache does not record freshness"
      case .unreadable: "it cannot be read"
      case .noValidator: "it is stale, and has no validator"
      }
    }

    private var work: [String] {
      guard isReplaced else { return explanation.steps.map(text) }
      return ["request the original", "decode the image"]
        + request.processors.map { "apply \(Self.processorName($0.identifier))" }
    }

    private func text(_ step: Explanation.Step) -> String {
      switch step.kind {
      case .load:
        switch step.name {
        case "network": validated == nil ? "request the original" : "ask the server whether the original has changed"
        case "disk": validated?.finding == .stale ? "read the disk cache if it has not" : "read the disk cache"
        case "closure": "read standard input"
        case "inline": "read the data: URL"
        case let name: "read the \(name ?? "data")"
        }
      case .decode:
        [
          "decode the image", step.scaleDenominator.flatMap { $0 > 1 ? " at 1/\($0) of its size" : nil },
          step.pixelWidth.flatMap { width in step.pixelHeight.map { ", \(width)x\($0) pixels" } },
        ].compactMap(\.self).joined()
      case .process: "apply \(Self.processorName(step.name ?? ""))"
      case .encode: "encode the resulting image for the disk cache"
      }
    }

    /// The name in an identifier such as `org.nuke.resize?s=…`, in the spelling of `--processor`.
    private static func processorName(_ identifier: String) -> String {
      identifier.prefix { $0 != "?" }.split(separator: ".").last.map(String.init)?.replacing("_", with: "-")
        ?? identifier
    }

    private func text(_ store: Explanation.Store) -> String {
      let what = store.isOriginal ? "the original" : "the resulting image"
      return switch store.notCachedReason {
      case nil: what
      case .cameFromCache where isReplaced: what
      case .cameFromCache: "not \(what), because it comes from the cache"
      case .disabledByOption: "not \(what), because data from standard input is not cached"
      case .policy: "not \(what), because --store does not include it"
      case let reason?: "not \(what), because \(reason)"
      }
    }
  }
#endif
