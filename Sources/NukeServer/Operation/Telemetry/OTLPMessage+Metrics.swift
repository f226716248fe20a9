#if Server
  extension OTLPMessage {
    struct Metric: Encodable {
      let name: String
      let description: String?
      let unit: String?
      private var sum: Sum?
      private var gauge: Gauge?
      private var histogram: Histogram?

      struct Sum: Encodable {
        let dataPoints: [NumberPoint]
        let aggregationTemporality = Metric.cumulative
        let isMonotonic = true
      }

      struct Gauge: Encodable {
        let dataPoints: [NumberPoint]
      }

      struct Histogram: Encodable {
        let dataPoints: [HistogramPoint]
        let aggregationTemporality = Metric.cumulative
      }

      struct NumberPoint: Encodable {
        let attributes: [Attribute]
        let startTimeUnixNano: String?
        let timeUnixNano: String
        let asDouble: Double
      }

      struct HistogramPoint: Encodable {
        let attributes: [Attribute]
        let startTimeUnixNano: String
        let timeUnixNano: String
        let count: String
        let sum: Double
        let bucketCounts: [String]
        let explicitBounds: [Double]
      }

      /// Values since the start, and not since the last export.
      private static let cumulative = 2

      init(_ metric: CollectedMetric, start: UInt64, now: UInt64) {
        name = metric.name
        description = metric.help
        unit = Self.unit(of: metric.name)
        let (start, now) = (String(start), String(now))
        var numbers: [NumberPoint] = []
        var histograms: [HistogramPoint] = []
        for (labels, value) in metric.samples {
          let attributes = labels.map { Attribute(key: $0.0, value: .string($0.1)) }
          switch value {
          case .number(let number):
            numbers.append(
              NumberPoint(
                attributes: attributes, startTimeUnixNano: metric.kind == .counter ? start : nil, timeUnixNano: now,
                asDouble: number))
          case .histogram(let bounds, let counts, let sum):
            histograms.append(
              HistogramPoint(
                attributes: attributes, startTimeUnixNano: start, timeUnixNano: now,
                count: String(counts.reduce(0, &+)), sum: sum, bucketCounts: counts.map { String($0) },
                explicitBounds: bounds))
          }
        }
        switch metric.kind {
        case .counter: sum = Sum(dataPoints: numbers)
        case .gauge: gauge = Gauge(dataPoints: numbers)
        case .histogram: histogram = Histogram(dataPoints: histograms)
        }
      }

      /// Returns the unit that the name of a metric ends with, as in UCUM: <https://ucum.org>.
      private static func unit(of name: String) -> String? {
        let name = name.hasSuffix("_total") ? name.dropLast("_total".count) : Substring(name)
        if name.hasSuffix("_seconds") { return "s" }
        return name.hasSuffix("_bytes") ? "By" : nil
      }
    }
  }
#endif
