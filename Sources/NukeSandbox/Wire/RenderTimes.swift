import NukeServing

/// Seconds that a worker took for the parts of an image.
struct RenderTimes: Sendable, Equatable {
  var decode = 0.0
  var process = 0.0
  var encode = 0.0

  mutating func add(_ stage: ServiceStatistics.Stage, _ seconds: Double) {
    switch stage {
    case .decode: decode += seconds
    case .process: process += seconds
    case .encode: encode += seconds
    default: break
    }
  }

  /// Tells ``RenderStages``, none longer than the whole took here: a worker can say anything.
  func note(within seconds: Double) {
    let (decode, process, encode) = (min(decode, seconds), min(process, seconds), min(encode, seconds))
    RenderStages.note(.decode, seconds: decode, ago: process + encode)
    RenderStages.note(.process, seconds: process, ago: encode)
    RenderStages.note(.encode, seconds: encode)
  }
}

extension FieldCoder {
  mutating func code(_ times: inout RenderTimes) throws(MalformedFrame) {
    for time in [\RenderTimes.decode, \.process, \.encode] {
      try code(&times[keyPath: time])
      guard times[keyPath: time] >= 0, times[keyPath: time].isFinite else {
        throw MalformedFrame("a part that took \(times[keyPath: time]) seconds")
      }
    }
  }
}
