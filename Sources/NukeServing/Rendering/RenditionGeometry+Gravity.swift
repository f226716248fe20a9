extension ImageOptions.Gravity {
  /// Returns the origin of a part of a larger whole.
  func origin(
    of part: RenditionGeometry.Size, in whole: RenditionGeometry.Size, density: Double = 1
  ) -> RenditionGeometry.Part.Origin {
    guard place != .smart || part == whole else { return .smart }
    let (x, y) = corner(of: part, in: whole, density: density)
    return .at(x: x.bounded(to: whole.width - part.width), y: y.bounded(to: whole.height - part.height))
  }

  /// Returns the origin of something placed on a whole, which it may exceed.
  ///
  /// - Parameter density: pixels of the whole for each pixel of the offset.
  func corner(
    of part: RenditionGeometry.Size, in whole: RenditionGeometry.Size, density: Double
  ) -> (x: Double, y: Double) {
    if place == .focusPoint {
      return (
        (offset.x * Double(whole.width) - Double(part.width) / 2).rounded(),
        (offset.y * Double(whole.height) - Double(part.height) / 2).rounded()
      )
    }
    let (freeX, freeY) = (Double(whole.width - part.width), Double(whole.height - part.height))
    let moved = (
      x: Self.pixels(offset.x, of: whole.width, density), y: Self.pixels(offset.y, of: whole.height, density)
    )
    let x =
      switch place {
      case .west, .northWest, .southWest: moved.x
      case .east, .northEast, .southEast: freeX - moved.x
      case .center, .north, .south, .smart, .focusPoint: (freeX / 2).rounded(.down) + moved.x
      }
    let y =
      switch place {
      case .north, .northWest, .northEast: moved.y
      case .south, .southWest, .southEast: freeY - moved.y
      case .center, .west, .east, .smart, .focusPoint: (freeY / 2).rounded(.down) + moved.y
      }
    return (x, y)
  }

  /// A length in pixels, or a part of a side where its magnitude is less than 1.
  static func pixels(_ length: Double, of side: Int, _ density: Double) -> Double {
    (abs(length) < 1 ? length * Double(side) : length * density).rounded()
  }
}

extension Double {
  /// The nearest whole number from 0 to `limit`; 0 for what is no number.
  func bounded(to limit: Int) -> Int { self > 0 ? Int(Swift.min(self, Double(Swift.max(limit, 0)))) : 0 }
}
