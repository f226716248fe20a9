#if GTK
  /// What each frame took, in seconds.
  struct FrameTimes {
    private var times: [Double] = []

    mutating func add(_ time: Double) { times.append(time) }

    var count: Int { times.count }

    /// The time that a share of the frames keep to, by the nearest rank: 0.5 for the median, 1 for the longest; nil
    /// without frames.
    func percentile(_ share: Double) -> Double? {
      guard !times.isEmpty else { return nil }
      let rank = Int((share * Double(times.count)).rounded(.up))
      return times.sorted()[min(max(rank, 1), times.count) - 1]
    }
  }
#endif
