#if Server
  import NukeImaging

  extension String {
    /// Returns the most similar name; `nil` if none is similar.
    func nearest(among names: [String]) -> String? {
      let distances = names.map { (name: $0, distance: lowercased().editDistance(to: $0.lowercased())) }
      guard let best = distances.min(by: { ($0.distance, $0.name) < ($1.distance, $1.name) }) else { return nil }
      return best.distance <= Swift.max(2, count / 3) ? best.name : nil
    }
  }
#endif
