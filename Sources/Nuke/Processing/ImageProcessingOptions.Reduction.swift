import NukeImaging

extension ImageProcessingOptions {
  /// The reduction that a decoder may apply before the image is resized. A JPEG, and a lossy
  /// WebP without alpha, can be decoded at 1/2, 1/4 or 1/8 of its sides.
  ///
  /// It depends only on the requested size, so that a result never depends on other requests. Decoding at a reduced
  /// size saves most of the time of creating a thumbnail. It costs little sharpness; less if more pixels are left to
  /// resize.
  public enum Reduction: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// Decode at least as many pixels per side as the result has. Compared with a resize of all pixels, the peak
    /// signal-to-noise ratio is above 42 dB.
    case fast
    /// Decode at least twice as many pixels per side as the result has.
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
