/// The durations of the stages, for the developer tools of browsers (`Server-Timing`).
package struct ServerTiming: Sendable, Hashable {
  /// The cache that the rendition came from, or that it was rendered.
  package var origin: Rendition.Origin
  /// The stages with their durations in seconds. Their names are tokens in the sense of RFC 9110.
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

  /// Milliseconds with one digit after the decimal point.
  var text: String {
    (["cache;desc=\(origin.rawValue)"]
      + stages.map { stage in
        let tenths = Int(min(max(0, stage.seconds.isNaN ? 0 : stage.seconds), 1e9) * 10_000)
        return "\(stage.name);dur=\(tenths / 10).\(tenths % 10)"
      }).joined(separator: ", ")
  }
}
