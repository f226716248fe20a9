#if Server
  public import CoreMetrics
  import Foundation
  import NukeImaging

  /// Counts and times what swift-metrics is told, and tells it in the text format of Prometheus.
  ///
  /// Bootstrap it with `MetricsSystem.bootstrap(registry)`, or hand it to whatever takes a factory. Timers become
  /// histograms in seconds, recorders histograms of their values or, where they do not aggregate, gauges. A family has
  /// at most ``seriesLimit`` label sets: what comes after that is counted together, under labels that are `_other`.
  public final class PrometheusRegistry: MetricsFactory, Sendable {
    /// The most label sets of a family.
    public let seriesLimit: Int
    private let guarded = Lock(Guarded())

    private struct Guarded {
      var families: [String: MetricFamily] = [:]
      var descriptions: [String: String] = [:]
      var collectors: [@Sendable () -> [CollectedMetric]] = []
    }

    public init(seriesLimit: Int = 500) {
      self.seriesLimit = seriesLimit
    }

    /// Says what a family's figures mean, in a sentence.
    func describe(_ name: String, _ help: String) {
      guarded.withLock { $0.descriptions[name] = help }
    }

    /// Adds figures that are read when they are asked for. It is called on the thread that asks.
    func collect(_ collector: @escaping @Sendable () -> [CollectedMetric]) {
      guarded.withLock { $0.collectors.append(collector) }
    }

    /// Returns all metrics in the text format of Prometheus, version 0.0.4.
    public func text() -> String {
      let (families, descriptions, collectors) = guarded.withLock { ($0.families, $0.descriptions, $0.collectors) }
      var texts = families.map { name, family in
        (name, PrometheusText.family(name, family.kind, help: descriptions[name], family.series.mapValues { $0.value }))
      }
      for metric in collectors.flatMap({ $0() }) where families[metric.name] == nil {
        texts.append((metric.name, PrometheusText.collected(metric)))
      }
      return texts.sorted { $0.0 < $1.0 }.map(\.1).joined()
    }

    /// The series of a name and labels; one that nobody reads where the name is of another kind already.
    private func series<Series: MetricSeries>(
      _ label: String, _ dimensions: [(String, String)], _ kind: MetricFamily.Kind, _ make: () -> Series
    ) -> Series {
      let name = PrometheusText.name(label)
      var labels = MetricLabels(dimensions)
      return guarded.withLock { guarded in
        var family = guarded.families[name] ?? MetricFamily(kind: kind)
        if let series = family.series[labels] { return series as? Series ?? make() }
        guard family.kind == kind else { return make() }
        if family.series.count >= seriesLimit {
          labels = labels.overflow
          if let series = family.series[labels] as? Series { return series }
        }
        let series = make()
        family.series[labels] = series
        guarded.families[name] = family
        return series
      }
    }

    // MARK: MetricsFactory

    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
      series(label, dimensions, .counter) { CounterSeries() }
    }

    public func makeFloatingPointCounter(
      label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
      series(label, dimensions, .counter) { FloatingPointCounterSeries() }
    }

    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
      series(label, dimensions, .gauge) { GaugeSeries() }
    }

    public func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
      guard aggregate else { return series(label, dimensions, .gauge) { GaugeSeries() } }
      let bounds = label.hasSuffix("_seconds") ? HistogramBounds.seconds : HistogramBounds.sizes
      return series(label, dimensions, .histogram) { HistogramSeries(bounds) }
    }

    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
      let label = label.hasSuffix("_seconds") ? label : label + "_seconds"
      return series(label, dimensions, .histogram) { HistogramSeries(HistogramBounds.seconds) }
    }

    // Series stay as long as the registry: a counter that began anew would look like one that fell.
    public func destroyCounter(_ handler: any CounterHandler) {}
    public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    public func destroyMeter(_ handler: any MeterHandler) {}
    public func destroyRecorder(_ handler: any RecorderHandler) {}
    public func destroyTimer(_ handler: any TimerHandler) {}
  }

  /// Figures of one name: how they are to be read, and one series for each set of labels.
  struct MetricFamily: Sendable {
    enum Kind: String, Sendable { case counter, gauge, histogram }

    let kind: Kind
    var series: [MetricLabels: any MetricSeries] = [:]
  }

  /// Labels in the order of their names.
  struct MetricLabels: Hashable, Sendable {
    let pairs: [[String]]

    init(_ dimensions: [(String, String)]) {
      // The last one of a name counts, since a name may stand in a series once.
      let values = Dictionary(dimensions.map { (PrometheusText.name($0.0), $0.1) }, uniquingKeysWith: { $1 })
      pairs = values.sorted { $0.key < $1.key }.map { [$0.key, $0.value] }
    }

    /// The labels under which values are counted once there are too many series.
    var overflow: Self { Self(pairs.map { ($0[0], "_other") }) }
  }

  /// A figure that is read when it is asked for.
  struct CollectedMetric: Sendable {
    let name: String
    let kind: MetricFamily.Kind
    let help: String
    let samples: [(labels: [(String, String)], value: MetricValue)]

    init(_ name: String, _ kind: MetricFamily.Kind, _ help: String, _ value: Double) {
      self.init(name, kind, help, [([], .number(value))])
    }

    init(
      _ name: String, _ kind: MetricFamily.Kind, _ help: String,
      _ samples: [(labels: [(String, String)], value: MetricValue)]
    ) {
      self.name = name
      self.kind = kind
      self.help = help
      self.samples = samples
    }
  }
#endif
