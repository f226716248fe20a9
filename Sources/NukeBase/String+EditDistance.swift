extension String {
  /// Returns the number of characters to insert, delete or replace (Levenshtein 1965), of the first 64.
  package func editDistance(to other: String) -> Int {
    let (from, to) = (Array(prefix(64)), Array(other.prefix(64)))
    var row = Array(0...to.count)
    for (index, character) in from.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for place in to.indices {
        let cost = diagonal + (to[place] == character ? 0 : 1)
        diagonal = row[place + 1]
        row[place + 1] = Swift.min(cost, row[place] + 1, diagonal + 1)
      }
    }
    return row[to.count]
  }
}
