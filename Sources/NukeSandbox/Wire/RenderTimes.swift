import NukeServing

/// Seconds that a worker took for the parts of an image.
struct RenderTimes: Sendable, Equatable, Codable {
  var decode = 0.0
  var process = 0.0
  var encode = 0.0

  /// `true` if these are durations, as those of a worker that lies need not be.
  var isValid: Bool { [decode, process, encode].allSatisfy { $0 >= 0 && $0.isFinite } }

  mutating func add(_ stage: ServiceStatistics.Stage, _ seconds: Double) {
    switch stage {
    case .decode: decode += seconds
    case .process: process += seconds
    case .encode: encode += seconds
    default: break
    }
  }

  /// Reports the times to ``RenderStages``, limited to the duration of the whole as the server measured it.
  func note(within seconds: Double) {
    let (decode, process, encode) = (min(decode, seconds), min(process, seconds), min(encode, seconds))
    RenderStages.note(.decode, seconds: decode, ago: process + encode)
    RenderStages.note(.process, seconds: process, ago: encode)
    RenderStages.note(.encode, seconds: encode)
  }
}
