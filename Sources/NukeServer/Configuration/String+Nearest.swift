#if Server
  extension String {
    /// The name that is most like this one; `nil` if none is like it.
    func nearest(among names: [String]) -> String? {
      let distances = names.map { (name: $0, distance: distance(to: $0)) }
      guard let best = distances.min(by: { ($0.distance, $0.name) < ($1.distance, $1.name) }) else { return nil }
      return best.distance <= Swift.max(2, count / 3) ? best.name : nil
    }

    /// Returns the edit distance to another string (Levenshtein 1965).
    private func distance(to other: String) -> Int {
      let (from, to) = (Array(lowercased().prefix(64)), Array(other.lowercased().prefix(64)))
      var previous = Array(0...to.count)
      for (index, character) in from.enumerated() {
        var current = [index + 1]
        for (place, wanted) in to.enumerated() {
          let replaced = previous[place] + (wanted == character ? 0 : 1)
          current.append(Swift.min(replaced, previous[place + 1] + 1, current[place] + 1))
        }
        previous = current
      }
      return previous[to.count]
    }
  }
#endif
