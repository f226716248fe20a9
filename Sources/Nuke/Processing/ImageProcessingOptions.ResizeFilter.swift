import NukeImaging

extension ImageProcessingOptions {
  /// The filter that computes the pixels of a resized image.
  public enum ResizeFilter: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// Lanczos with three lobes: sharp, with faint rings at hard edges.
    case lanczos
    /// A triangle as wide as the reduction asks for: softer, without rings. Enlarging is bilinear interpolation.
    case bilinear
    /// The mean of what a pixel of the result covers: without rings. Enlarging repeats pixels, soft between them.
    case area
    /// One pixel of the original for each, as it is: for pixel art, and masks whose numbers mean something.
    case nearest

    public var description: String { "." + rawValue }

    var resampling: ResamplingFilter {
      switch self {
      case .lanczos: .lanczos3
      case .bilinear: .triangle
      case .area: .area
      case .nearest: .nearest
      }
    }
  }
}
