import CoreMetrics
import Foundation
import NukeBase
import Synchronization

/// The counters and timers of a pipeline. Names and units follow Prometheus: `_total` for counters and seconds for
/// durations; swift-metrics passes nanoseconds.
final class PipelineMetrics: Sendable {
  private enum Outcome: String, CaseIterable { case success, failure, cancelled }
  private typealias Origin = ImageTask.Facts.Origin

  /// The counters, first by outcome, then by origin. The last element is for loads without an origin.
  private let loads: [[Counter]]
  private let durations: [CoreMetrics.Timer]
  private let bytes: [Counter]
  private let joins: Counter
  private let stages: [CoreMetrics.Timer]
  private let hits: [Counter]
  private let misses: [Counter]
  private let gauges: Gauges
  private let sampledAt = Atomic<UInt64>(0)

  init(_ factory: any MetricsFactory) {
    let origins = Origin.allCases.map(\.rawValue) + ["none"]
    loads = Outcome.allCases.map { outcome in
      origins.map { origin in
        Counter(
          label: "nuke_loads_total", dimensions: [("outcome", outcome.rawValue), ("origin", origin)],
          factory: factory)
      }
    }
    durations = origins.map {
      CoreMetrics.Timer(label: "nuke_load_duration_seconds", dimensions: [("origin", $0)], factory: factory)
    }
    bytes = Origin.allCases.map {
      Counter(label: "nuke_loaded_bytes_total", dimensions: [("origin", $0.rawValue)], factory: factory)
    }
    joins = Counter(label: "nuke_joined_loads_total", factory: factory)
    stages = Stage.allCases.map {
      CoreMetrics.Timer(label: "nuke_stage_duration_seconds", dimensions: [("stage", $0.rawValue)], factory: factory)
    }
    func lookups(_ result: String) -> [Counter] {
      CacheKind.allCases.map {
        Counter(
          label: "nuke_cache_lookups_total", dimensions: [("cache", $0.rawValue), ("result", result)],
          factory: factory)
      }
    }
    hits = lookups("hit")
    misses = lookups("miss")
    gauges = Gauges(factory)
  }

  func ended(_ outcome: ImageTask.Outcome, _ facts: ImageTask.Facts) {
    let place = facts.origin.map(Self.place) ?? Origin.allCases.count
    let kind: Outcome =
      switch outcome {
      case .success: .success
      case .failure(.cancelled): .cancelled
      case .failure: .failure
      }
    loads[Outcome.allCases.firstIndex(of: kind)!][place].increment()
    durations[place].recordSeconds(facts.total)
    if facts.isCoalesced { joins.increment() }
  }

  func endedFromMemory() {
    let place = Self.place(.memory)
    loads[0][place].increment()
  }

  func ended(
    _ stage: Stage, seconds: TimeInterval, byteCount: Int?, isHit: Bool?, origin: ImageTask.Facts.Origin?
  ) {
    stages[Stage.allCases.firstIndex(of: stage)!].recordSeconds(seconds)
    if let isHit { looked(into: .disk, isHit: isHit) }
    if let byteCount, let origin { bytes[Self.place(origin)].increment(by: byteCount) }
  }

  func looked(into cache: CacheKind, isHit: Bool) {
    let place = CacheKind.allCases.firstIndex(of: cache)!
    (isHit ? hits : misses)[place].increment()
  }

  private static func place(_ origin: Origin) -> Int { Origin.allCases.firstIndex(of: origin)! }

  /// Updates the gauges: at most once a second, and when no work is left, so that no outdated values remain.
  func sample(_ pipeline: ImagePipeline) {
    let (now, last) = (MonotonicClock.now, sampledAt.load(ordering: .relaxed))
    guard now &- last >= 1_000_000_000 || pipeline.load.subscriptions == 0 else { return }
    sampledAt.store(now, ordering: .relaxed)
    gauges.record(pipeline)
  }

  /// The current values of the gauges.
  private final class Gauges: Sendable {
    private static let works = ["load", "decode", "process", "encode"]
    private let waiting: [Gauge]
    private let running: [Gauge]
    private let active: Gauge
    private let cachedBytes: Gauge
    private let cachedImages: Gauge

    init(_ factory: any MetricsFactory) {
      func ofQueues(_ label: String) -> [Gauge] {
        Self.works.map { Gauge(label: label, dimensions: [("queue", $0)], factory: factory) }
      }
      waiting = ofQueues("nuke_queue_waiting")
      running = ofQueues("nuke_queue_running")
      active = Gauge(label: "nuke_loads_active", factory: factory)
      cachedBytes = Gauge(label: "nuke_memory_cache_bytes", factory: factory)
      cachedImages = Gauge(label: "nuke_memory_cache_images", factory: factory)
    }

    func record(_ pipeline: ImagePipeline) {
      let configuration = pipeline.configuration
      let queues = [
        configuration.dataLoadingQueue, configuration.imageDecodingQueue, configuration.imageProcessingQueue,
        configuration.imageEncodingQueue,
      ]
      for (place, queue) in queues.enumerated() {
        let status = queue.status
        waiting[place].record(status.waiting)
        running[place].record(status.running)
      }
      active.record(pipeline.load.subscriptions)
      guard let cache = configuration.imageCache as? ImageCache else { return }
      cachedBytes.record(cache.totalCost)
      cachedImages.record(cache.totalCount)
    }
  }
}
