extension ImageOptions {
  /// Sharpens the result with a mask of 3 x 3 pixels: each neighbor counts `-weight`, the pixel itself
  /// `divider + 8 * weight`, and the sum is divided by `divider`. The defaults are the mask that libvips calls mild.
  public struct UnsharpMask: Sendable, Hashable, Codable {
    public enum Mode: String, Sendable, Hashable, CaseIterable, Codable {
      /// Sharpens images that were scaled down, unless ``ImageOptions/sharpen`` is set.
      case auto
      case none
      case always
    }

    public var mode: Mode
    /// The weight of each neighbor. More is sharper.
    public var weight: Double
    /// The divisor of the sum. Less is sharper.
    public var divider: Double

    public init(_ mode: Mode = .auto, weight: Double = 1, divider: Double = 24) {
      self.mode = mode
      self.weight = weight
      self.divider = divider
    }
  }
}
