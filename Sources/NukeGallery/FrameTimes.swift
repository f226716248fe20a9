#if GTK
  /// The durations of frames, in seconds.
  struct FrameTimes {
    private var times: [Double]

    init(_ times: [Double] = []) { self.times = times }

    mutating func add(_ time: Double) { times.append(time) }

    var count: Int { times.count }

    /// Returns a percentile by the nearest rank, such as 0.5 for the median; `nil` without frames.
    func percentile(_ share: Double) -> Double? {
      guard !times.isEmpty else { return nil }
      let rank = Int((share * Double(times.count)).rounded(.up))
      return times.sorted()[min(max(rank, 1), times.count) - 1]
    }

    enum Unit: String {
      case milliseconds = "ms"
      case microseconds = "µs"

      fileprivate var perSecond: Double { self == .milliseconds ? 1_000 : 1_000_000 }
    }

    /// Formats the median, the 99th percentile and the maximum.
    func text(in unit: Unit) -> String {
      let figures = [("median", 0.5), ("p99", 0.99), ("longest", 1)].map { name, share in
        percentile(share).map { "\(name) \(($0 * unit.perSecond * 100).rounded() / 100) \(unit.rawValue)" }
          ?? "\(name) none"
      }
      return figures.joined(separator: ", ")
    }
  }
#endif
