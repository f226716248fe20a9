import Foundation
import NukeHTTPCaching

/// The state of a data job outside its download: a value that answers each event with one action.
///
/// ``DataJob`` performs the actions and reports the resulting events. ``Explainer`` follows the same route without
/// performing any action. ``DataJob/Download`` is the state of the download itself.
struct DataRoute {
  typealias Loaded = DataJob.Loaded

  enum Action {
    /// Look for the data in the disk cache.
    case lookOnDisk
    /// Look up the record of the stored data.
    case lookAtRecord
    /// Join the validation of the stored data, or start one.
    case joinValidation
    /// Join the download of requests that do not read the disk cache, or load.
    case joinDownload
    /// Load from the source. If there is a ``DataRoute/validation``, with its conditional request.
    case load
    case finish(Loaded)
  }

  private enum Phase {
    case looking
    /// Another job validates the stored data.
    case waiting(Data, FreshnessStamp?)
    /// This job validates the stored data.
    indirect case validating(DataJob.ValidationContext)
  }

  let purpose: DataJob.Purpose
  private var phase = Phase.looking

  init(_ purpose: DataJob.Purpose) { self.purpose = purpose }

  /// The stored response that this job validates.
  var validation: DataJob.ValidationContext? { if case .validating(let context) = phase { context } else { nil } }

  // MARK: Events

  func started() -> Action {
    switch purpose {
    case .data: .lookOnDisk
    case .download: .load
    case .validation: .lookAtRecord
    }
  }

  /// Handles the result of the look-up on disk; `data` is `nil` for a miss.
  mutating func lookedOnDisk(
    _ data: Data?, _ facts: FreshnessFacts?, _ evaluation: @autoclosure () -> FreshnessEvaluator.Evaluation
  ) -> Action {
    guard let data else { return .joinDownload }
    switch evaluation() {
    case .fresh(let freshness): return .finish(.stored(data, facts.with(freshness)))
    case .stale:
      phase = .waiting(data, facts?.stamp)
      return .joinValidation
    case .outdated: return .load
    }
  }

  /// Handles the release of the lease by its holder.
  func lookAgain() -> Action { purpose == .validation ? .lookAtRecord : .lookOnDisk }

  /// Handles the result of the look-up after the release of the lease. Stale data is replaced: its validation would
  /// wait for the lease of this job.
  func lookedAgain(
    _ data: Data?, _ facts: FreshnessFacts?, _ evaluation: @autoclosure () -> FreshnessEvaluator.Evaluation
  ) -> Action {
    if let data, case .fresh(let freshness) = evaluation() { return .finish(.stored(data, facts.with(freshness))) }
    return purpose == .data ? .joinDownload : .load
  }

  /// Handles the record of the stored data; `nil` if there is none. Another client of the cache may have renewed it
  /// since the data was found stale.
  mutating func lookedAtRecord(
    _ record: FreshnessRecord?, in row: FreshnessTable.Row, _ evaluator: FreshnessEvaluator?, now: Timestamp
  ) -> Action {
    guard let record, let evaluator else { return .load }
    let decision = evaluator.policy.decide(evaluator.request, stored: [record.response], now: now)
    if let forward = decision.forward {
      phase = .validating(.init(row: row, record: record, forward: forward))
    } else if let reuse = decision.reuse {
      let stamp = FreshnessStamp(row: row, representation: record.representation)
      return .finish(.unchanged(stamp, .init(reuse)))
    }
    return .load
  }

  /// Handles a 304 that another job has received, for the version of `facts`.
  func notModified(_ facts: FreshnessFacts?) -> Action {
    guard case .waiting(let data, let stamp) = phase, stamp?.representation == facts?.stamp?.representation else {
      return .load
    }
    return .finish(.stored(data, facts))
  }
}

extension DataJob.Loaded {
  fileprivate static func stored(_ data: Data, _ freshness: FreshnessFacts?) -> Self {
    Self(data: data, cacheType: .disk, freshness: freshness)
  }

  /// The stored data of the version `stamp` is current.
  static func unchanged(
    _ stamp: FreshnessStamp, _ freshness: ImageResponse.Freshness, mayBeStored: Bool = true
  ) -> Self {
    Self(
      data: Data(), freshness: FreshnessFacts(stamp: stamp, freshness: freshness, mayBeStored: mayBeStored),
      isUnchanged: true)
  }
}
