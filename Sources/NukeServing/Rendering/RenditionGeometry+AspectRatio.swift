extension ImageOptions {
  /// The aspect ratio of the cropped region.
  public struct CropAspectRatio: Sendable, Hashable, Codable {
    /// The width divided by the height.
    public var ratio: Double
    /// A Boolean value that indicates whether the region is enlarged, as far as the image is large enough. Otherwise, it is
    /// reduced.
    public var enlarges: Bool

    public init(_ ratio: Double, enlarges: Bool = false) {
      self.ratio = ratio
      self.enlarges = enlarges
    }
  }
}

extension RenditionGeometry.Size {
  /// Returns the size of a region with another aspect ratio, with at least one pixel a side, within the whole image.
  func corrected(_ aspect: ImageOptions.CropAspectRatio, in whole: Self) -> Self {
    let ratio = aspect.ratio
    guard ratio > 0, ratio.isFinite else { return self }
    var (width, height) = (Double(self.width), Double(self.height))
    if (width / height > ratio) == aspect.enlarges { height = width / ratio } else { width = height * ratio }
    // Too large on one side or both.
    let reduction = min(1, Double(whole.width) / width, Double(whole.height) / height)
    func side(_ length: Double, _ longest: Int) -> Int {
      max((length * reduction).rounded().bounded(to: longest), 1)
    }
    return Self(side(width, whole.width), side(height, whole.height))
  }
}
