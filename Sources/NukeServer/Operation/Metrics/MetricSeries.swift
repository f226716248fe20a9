#if Server
  import CoreMetrics
  import NukeBase

  /// The value of one set of labels.
  enum MetricValue: Sendable, Equatable {
    case number(Double)
    /// The number of values in each bucket, the last one for all larger values, and the sum of all values.
    case histogram(bounds: [Double], counts: [UInt64], sum: Double)
  }

  extension CollectedMetric {
    /// The value as a number; `nil` for a histogram.
    var number: Double? {
      guard samples.count == 1, case .number(let number) = samples[0].value else { return nil }
      return number
    }
  }

  protocol MetricSeries: Sendable {
    var value: MetricValue { get }
  }

  final class CounterSeries: CounterHandler, MetricSeries {
    private let count = Lock<Int64>(0)

    func increment(by amount: Int64) {
      // A counter never decreases, and stays at its maximum.
      guard amount > 0 else { return }
      count.withLock { count in
        let (sum, isFull) = count.addingReportingOverflow(amount)
        count = isFull ? .max : sum
      }
    }

    func reset() { count.withLock { $0 = 0 } }

    var value: MetricValue { .number(Double(count.withLock { $0 })) }
  }

  final class FloatingPointCounterSeries: FloatingPointCounterHandler, MetricSeries {
    private let sum = Lock(0.0)

    func increment(by amount: Double) {
      guard amount > 0, amount.isFinite else { return }
      sum.withLock { $0 += amount }
    }

    func reset() { sum.withLock { $0 = 0 } }

    var value: MetricValue { .number(sum.withLock { $0 }) }
  }

  final class GaugeSeries: MeterHandler, RecorderHandler, MetricSeries {
    private let current = Lock(0.0)

    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { current.withLock { $0 = value } }
    func increment(by amount: Double) { current.withLock { $0 += amount } }
    func decrement(by amount: Double) { current.withLock { $0 -= amount } }
    func record(_ value: Int64) { set(Double(value)) }
    func record(_ value: Double) { set(value) }

    var value: MetricValue { .number(current.withLock { $0 }) }
  }

  final class HistogramSeries: TimerHandler, RecorderHandler, MetricSeries {
    private let bounds: [Double]
    private let state: Lock<(counts: [UInt64], sum: Double)>

    init(_ bounds: [Double]) {
      self.bounds = bounds
      state = Lock((counts: Array(repeating: 0, count: bounds.count + 1), sum: 0))
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }
    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
      guard value.isFinite else { return }
      let index = bounds.firstIndex { value <= $0 } ?? bounds.count
      state.withLock { state in
        state.counts[index] += 1
        state.sum += value
      }
    }

    var value: MetricValue {
      let (counts, sum) = state.withLock { $0 }
      return .histogram(bounds: bounds, counts: counts, sum: sum)
    }
  }

  enum HistogramBounds {
    /// The bounds of durations, from a memory hit to a request that nearly times out.
    static let seconds = [
      0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
    ]
    /// The bounds of sizes, from an icon to a large source, in steps of four.
    static let sizes = (0..<10).map { Double(1 << (10 + 2 * $0)) }
  }
#endif
