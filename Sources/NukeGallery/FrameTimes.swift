#if GTK
  /// What each frame took, in seconds.
  struct FrameTimes {
    private var times: [Double]

    init(_ times: [Double] = []) { self.times = times }

    mutating func add(_ time: Double) { times.append(time) }

    var count: Int { times.count }

    /// The time that a share of the frames keep to, by the nearest rank: 0.5 for the median, 1 for the longest; `nil`
    /// without frames.
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

    /// The median, that which 99 of 100 keep to, and the longest, to hundredths.
    func text(in unit: Unit) -> String {
      let figures = [("median", 0.5), ("p99", 0.99), ("longest", 1)].map { name, share in
        percentile(share).map { "\(name) \(($0 * unit.perSecond * 100).rounded() / 100) \(unit.rawValue)" }
          ?? "\(name) none"
      }
      return figures.joined(separator: ", ")
    }
  }
#endif
