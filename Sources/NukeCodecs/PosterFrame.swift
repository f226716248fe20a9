public import Foundation

/// The frame of a video that its image shows. Other formats ignore it.
public enum PosterFrame: Sendable, Hashable, Codable {
  /// The first frame.
  case first
  /// The frame that is shown at a time in seconds from the start. After the end, the last frame. Times that are not
  /// positive and finite select the first frame.
  case time(TimeInterval)
  /// The most representative of a number of frames, 1 to 100, at equal distances: the one whose colors are closest to
  /// the mean of all. It is seldom black, blurred or an effect between two scenes.
  ///
  /// If a video has key frames between two of these frames, the nearest key frame is used, because it takes much less
  /// time to decode.
  case representative(of: Int)
}
