package import NukeImaging

extension ImageProcessingOptions {
  /// The filter that computes the pixels of a resized image.
  public enum ResizeFilter: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// Lanczos with three lobes: sharp, with faint rings at hard edges.
    case lanczos
    /// A triangle filter (bilinear interpolation when enlarging): softer, without ringing.
    case bilinear
    /// The mean of the area that a pixel of the result covers (box filter): without ringing. Enlarging repeats pixels,
    /// with smooth transitions.
    case area
    /// The nearest pixel of the original, unchanged: for pixel art, and for masks whose values have a meaning.
    case nearest

    public var description: String { "." + rawValue }

    package var resampling: ResamplingFilter {
      switch self {
      case .lanczos: .lanczos3
      case .bilinear: .triangle
      case .area: .area
      case .nearest: .nearest
      }
    }
  }
}
