import NukeImaging

extension ImageProcessingOptions {
  /// The reduction that a decoder may apply before the image is resized. A JPEG can be decoded at 1/2, 1/4 or 1/8 of
  /// its sides.
  ///
  /// It is chosen by the size that is wanted alone, so that a result never depends on what else was asked for. Decoding
  /// small is most of what makes thumbnails fast; it costs little sharpness, and less the more pixels are left to resize.
  public enum Reduction: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// At least as many pixels a side as the result has. Against a resize of all pixels the signal-to-noise ratio is above
    /// 42 dB.
    case fast
    /// At least twice as many a side.
    case balanced
    /// Decode all pixels.
    case none

    public var description: String { ".\(rawValue)" }

    /// `nil` if no reduction is wanted.
    var scale: ResizeGeometry.DecodeScale? {
      switch self {
      case .fast: .fast
      case .balanced: .balanced
      case .none: nil
      }
    }
  }
}
