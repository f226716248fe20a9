#if GTK
  /// The size of an image in relation to the area that shows it.
  struct ZoomScale: Equatable {
    /// 1 if the image fits into the area.
    private(set) var value = 1.0

    static let range = 1.0...8.0
    /// The factor of one key press, or of one step of a wheel.
    static let step = 1.25

    /// Sets the scale, within ``range``. Values that are not finite are ignored.
    ///
    /// - Returns: the ratio of the new to the old scale.
    mutating func set(_ scale: Double) -> Double {
      guard scale.isFinite else { return 1 }
      let old = value
      value = min(max(scale, Self.range.lowerBound), Self.range.upperBound)
      return value / old
    }

    /// Returns the scroll position that keeps a point of the image where it is.
    ///
    /// - Parameters:
    ///   - point: the distance of the point from the beginning of the area.
    ///   - position: the scroll position before.
    ///   - ratio: the ratio of the new to the old scale.
    static func position(keeping point: Double, at position: Double, ratio: Double) -> Double {
      max(0, (position + point) * ratio - point)
    }
  }
#endif
