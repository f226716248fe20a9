#if Server
  public import CoreMetrics
  import Foundation
  import NukeBase

  /// A swift-metrics backend that provides metrics in the text format of Prometheus.
  ///
  /// Bootstrap it with `MetricsSystem.bootstrap(registry)`, or pass it to code that takes a factory. Timers become
  /// histograms in seconds. Recorders become histograms of their values or, if they do not aggregate, gauges. A family
  /// has at most ``seriesLimit`` label sets. Further label sets are counted together, with `_other` as the value of all
  /// labels.
  public final class PrometheusRegistry: MetricsFactory, Sendable {
    /// The maximum number of label sets in a family.
    public let seriesLimit: Int
    private let state = Lock(State())

    private struct State {
      var families: [String: MetricFamily] = [:]
      /// The `HELP` texts, by the names of metric families.
      var helpTexts: [String: String] = [:]
      var collectors: [@Sendable () -> [CollectedMetric]] = []
      var prefix = ""
    }

    public init(seriesLimit: Int = 500) {
      self.seriesLimit = seriesLimit
    }

    /// Puts a text before the names of all metrics.
    func use(prefix: String) {
      state.withLock { $0.prefix = prefix }
    }

    /// Sets the `HELP` text of a metric family, which Prometheus shows as the description of its metrics.
    func describe(_ name: String, _ help: String) {
      state.withLock { $0.helpTexts[name] = help }
    }

    /// Adds metrics that are read when ``metrics`` or ``text()`` is called, on its thread.
    func collect(_ collector: @escaping @Sendable () -> [CollectedMetric]) {
      state.withLock { $0.collectors.append(collector) }
    }

    /// Returns all metrics in the text format of Prometheus, version 0.0.4.
    public func text() -> String {
      let prefix = state.withLock { $0.prefix }
      return metrics.map { PrometheusText.text($0, prefix: prefix) }.joined()
    }

    /// All metrics, sorted by name. The series of the registry are sorted by their labels.
    var metrics: [CollectedMetric] {
      let (families, helpTexts, collectors) = state.withLock { ($0.families, $0.helpTexts, $0.collectors) }
      let own = families.map { name, family in CollectedMetric(name, family.kind, helpTexts[name], family.samples) }
      let collected = collectors.flatMap { $0() }.filter { families[$0.name] == nil }
      return (own + collected).sorted { $0.name < $1.name }
    }

    /// Returns the series with a name and labels. If the name is in use for another kind of metric, returns a series
    /// that is never reported.
    private func series<Series: MetricSeries>(
      _ label: String, _ dimensions: [(String, String)], _ kind: MetricFamily.Kind, _ make: () -> Series
    ) -> Series {
      let name = PrometheusText.name(label)
      var labels = MetricLabels(dimensions)
      return state.withLock { state in
        var family = state.families[name] ?? MetricFamily(kind: kind)
        if let series = family.series[labels] { return series as? Series ?? make() }
        guard family.kind == kind else { return make() }
        if family.series.count >= seriesLimit {
          labels = labels.overflow
          if let series = family.series[labels] as? Series { return series }
        }
        let series = make()
        family.series[labels] = series
        state.families[name] = family
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

    // Series live as long as the registry. A counter that started again at zero would look as if it had decreased.
    public func destroyCounter(_ handler: any CounterHandler) {}
    public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    public func destroyMeter(_ handler: any MeterHandler) {}
    public func destroyRecorder(_ handler: any RecorderHandler) {}
    public func destroyTimer(_ handler: any TimerHandler) {}
  }

  /// The metrics with one name: their kind, and one series for each label set.
  struct MetricFamily: Sendable {
    enum Kind: String, Sendable { case counter, gauge, histogram }

    let kind: Kind
    var series: [MetricLabels: any MetricSeries] = [:]

    /// The values of all series, sorted by their labels.
    var samples: [CollectedMetric.Sample] {
      series.sorted { $0.key.pairs.lexicographicallyPrecedes($1.key.pairs) { $0[1] < $1[1] } }
        .map { (labels: $0.key.pairs.map { ($0[0], $0[1]) }, value: $0.value.value) }
    }
  }

  /// Labels, sorted by name.
  struct MetricLabels: Hashable, Sendable {
    let pairs: [[String]]

    init(_ dimensions: [(String, String)]) {
      // A label name must be unique in a series, so the last value is used.
      let values = Dictionary(dimensions.map { (PrometheusText.name($0.0), $0.1) }, uniquingKeysWith: { $1 })
      pairs = values.sorted { $0.key < $1.key }.map { [$0.key, $0.value] }
    }

    /// The labels of the series that counts everything above the series limit.
    var overflow: Self { Self(pairs.map { ($0[0], "_other") }) }
  }

  /// The values of a metric at one time.
  struct CollectedMetric: Sendable {
    typealias Sample = (labels: [(String, String)], value: MetricValue)

    let name: String
    let kind: MetricFamily.Kind
    /// The description; `nil` if there is none.
    let help: String?
    let samples: [Sample]

    init(_ name: String, _ kind: MetricFamily.Kind, _ help: String, _ value: Double) {
      self.init(name, kind, help, [([], .number(value))])
    }

    init(_ name: String, _ kind: MetricFamily.Kind, _ help: String?, _ samples: [Sample]) {
      self.name = name
      self.kind = kind
      self.help = help
      self.samples = samples
    }
  }
#endif
