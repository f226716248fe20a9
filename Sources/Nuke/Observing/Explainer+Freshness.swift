import Foundation
import NukeHTTPCaching

/// How a load would treat the freshness of cached images.
extension Explainer {
  /// The evaluation of a cached entry, and what is known of its freshness.
  struct Judgement {
    var evaluation: FreshnessEvaluator.Evaluation
    var freshness: Explanation.Freshness?
    var stamp: FreshnessStamp?

    /// A look that leads to it alone, or to the server.
    var finding: Explanation.Lookup.Finding {
      switch evaluation {
      case .fresh: .hit
      case .stale(let mayServe): mayServe ? .shownStale : .stale
      case .outdated(let mayServe): mayServe ? .shownStale : .miss
      }
    }

    var reason: Explanation.Lookup.Reason? {
      if case .outdated = evaluation { .versionUnknown } else { nil }
    }
  }

  func judgement(on container: ImageContainer) -> Judgement {
    guard let evaluator else { return Judgement(evaluation: .fresh(nil)) }
    let stamp = pipeline.knownStamp(container, of: request)
    var judgement = judgement(evaluator, stamp?.representation, stamp?.row.record)
    judgement.stamp = stamp
    return judgement
  }

  /// The same for what is on disk under `key`.
  func judgement(onDisk key: String) -> Judgement {
    guard let evaluator else { return Judgement(evaluation: .fresh(nil)) }
    guard let cache = pipeline.freshnessCache(for: request) else { return judgement(evaluator, nil, nil) }
    let row = pipeline.freshnessRow(of: request)
    let record = row.merge(
      cache.freshnessRecord(for: pipeline.originalDataCacheKey(for: request), isUse: false))
    let representation = cache.representation(for: key)
    var judgement = judgement(evaluator, representation, record)
    judgement.stamp = representation.map { FreshnessStamp(row: row, representation: $0) }
    return judgement
  }

  private func judgement(
    _ evaluator: FreshnessEvaluator, _ representation: UInt64?, _ record: FreshnessRecord?
  ) -> Judgement {
    let now = pipeline.configuration.now()
    var judgement = Judgement(evaluation: evaluator.evaluate(representation, record, now: now))
    guard let record, record.representation == representation else { return judgement }
    judgement.freshness = Explanation.Freshness(
      record.response, evaluator.policy.freshness(of: record.response, now: now), now)
    return judgement
  }

  /// The look at the server that follows one which found something stale.
  mutating func askServer(isUnderWay: Bool) {
    let isAsked = isAlive(.validation(identity, options: request.options, requirement))
    lookUp(.network, request.url?.absoluteString ?? "", finding: .unknown)
    addStep(.load, "network", isUnderWay: isUnderWay || isAsked)
  }
}

extension ImagePipeline.Explanation.Freshness {
  init(_ response: StoredResponse, _ freshness: NukeHTTPCaching.Freshness, _ now: Timestamp) {
    validators = [FieldName.eTag, .lastModified].compactMap { name in
      response.fields.only(name).map { "\(name.spelling) \(String(decoding: $0, as: UTF8.self))" }
    }
    isFresh = freshness.isFresh
    until = Date(timeIntervalSince1970: TimeInterval(now.seconds + freshness.remaining))
  }
}
