import NukeCodecs

extension PosterFrame {
  /// The part of a disk cache key for the frame; empty for the first one.
  var identifier: String {
    switch self {
    case .first: ""
    case .time(let seconds): "posterFrame?time=\(seconds)"
    case .representative(let count): "posterFrame?representative=\(count)"
    }
  }

  /// Two integers that are equal if the frames are; 0 for the first one.
  var keyNumbers: [UInt64] {
    switch self {
    case .first: [0, 0]
    case .time(let seconds): [1, seconds.bitPattern]
    case .representative(let count): [2, UInt64(bitPattern: Int64(count))]
    }
  }
}
