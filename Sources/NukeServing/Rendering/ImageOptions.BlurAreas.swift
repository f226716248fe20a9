extension ImageOptions {
  /// Blurs parts of the image.
  public struct BlurAreas: Sendable, Hashable, Codable {
    /// A rectangle in fractions of the upright source, from 0 to 1.
    public struct Area: Sendable, Hashable, Codable {
      public var x: Double
      public var y: Double
      public var width: Double
      public var height: Double

      public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
      }
    }

    /// The standard deviation of the Gaussian blur, in pixels of the result.
    public var sigma: Double
    public var areas: [Area]

    public init(sigma: Double, areas: [Area]) {
      self.sigma = sigma
      self.areas = areas
    }
  }
}
