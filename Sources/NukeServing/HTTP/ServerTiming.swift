/// What took how long, for the tools of browsers (`Server-Timing`).
package struct ServerTiming: Sendable, Hashable {
  /// Where the rendition was found.
  package var origin: Rendition.Origin
  /// What took how long, in seconds; names are tokens.
  package var stages: [Stage]

  package struct Stage: Sendable, Hashable {
    package let name: String
    package let seconds: Double

    package init(_ name: String, seconds: Double) {
      self.name = name
      self.seconds = seconds
    }
  }

  package init(origin: Rendition.Origin, stages: [Stage] = []) {
    self.origin = origin
    self.stages = stages
  }

  /// Milliseconds with one digit behind the point.
  var text: String {
    (["cache;desc=\(origin.rawValue)"]
      + stages.map { stage in
        let tenths = Int(min(max(0, stage.seconds.isNaN ? 0 : stage.seconds), 1e9) * 10_000)
        return "\(stage.name);dur=\(tenths / 10).\(tenths % 10)"
      }).joined(separator: ", ")
  }
}
