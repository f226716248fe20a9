/// A rectangle whose corners are quarter ellipses. Computes its coverage of each pixel.
///
/// All lengths are in pixels from the upper left. The coverage is the exact area, rounded to 8 bits.
package struct RoundedShape: Hashable, Sendable {
  /// A corner as a quarter ellipse, given by its semi-axes.
  package struct Corner: Hashable, Sendable {
    package var width: Double
    package var height: Double

    package init(width: Double, height: Double) {
      self.width = width
      self.height = height
    }

    package init(radius: Double) { self.init(width: radius, height: radius) }
  }

  /// The four corners.
  package struct Corners: Hashable, Sendable {
    package var topLeft: Corner
    package var topRight: Corner
    package var bottomLeft: Corner
    package var bottomRight: Corner

    package init(topLeft: Corner, topRight: Corner, bottomLeft: Corner, bottomRight: Corner) {
      self.topLeft = topLeft
      self.topRight = topRight
      self.bottomLeft = bottomLeft
      self.bottomRight = bottomRight
    }

    package init(all corner: Corner) {
      self.init(topLeft: corner, topRight: corner, bottomLeft: corner, bottomRight: corner)
    }
  }

  let left: Double
  let top: Double
  let right: Double
  let bottom: Double
  let corners: Corners

  /// Creates the shape that fills `width` x `height` pixels.
  ///
  /// Semi-axes that are negative or NaN count as 0. If two corners of a side would overlap, all corners are reduced by
  /// the same factor, as in CSS.
  package init(width: Int, height: Int, corners: Corners) {
    self.init(left: 0, top: 0, right: Double(width), bottom: Double(height), corners: corners)
  }

  private init(left: Double, top: Double, right: Double, bottom: Double, corners: Corners) {
    self.left = left
    self.top = top
    self.right = right
    self.bottom = bottom
    let (width, height) = (right - left, bottom - top)
    let largest = width + height
    func usable(_ corner: Corner) -> Corner {
      let (x, y) = (corner.width > 0 ? corner.width : 0, corner.height > 0 ? corner.height : 0)
      return x == 0 || y == 0 ? Corner(radius: 0) : Corner(width: min(x, largest), height: min(y, largest))
    }
    var (a, b) = (usable(corners.topLeft), usable(corners.topRight))
    var (c, d) = (usable(corners.bottomLeft), usable(corners.bottomRight))
    let factor = [
      (width, a.width + b.width), (width, c.width + d.width), (height, a.height + c.height),
      (height, b.height + d.height),
    ].reduce(1) { $1.1 > $1.0 ? min($0, $1.0 / $1.1) : $0 }
    if factor < 1 {
      func smaller(_ corner: Corner) -> Corner { Corner(width: corner.width * factor, height: corner.height * factor) }
      (a, b, c, d) = (smaller(a), smaller(b), smaller(c), smaller(d))
    }
    self.corners = Corners(topLeft: a, topRight: b, bottomLeft: c, bottomRight: d)
  }

  /// Returns the shape with its edge moved inwards by `inset` pixels; `nil` if nothing is left.
  package func inset(by inset: Double) -> RoundedShape? {
    guard (right - left) > 2 * inset, (bottom - top) > 2 * inset else { return nil }
    func smaller(_ corner: Corner) -> Corner { Corner(width: corner.width - inset, height: corner.height - inset) }
    return RoundedShape(
      left: left + inset, top: top + inset, right: right - inset, bottom: bottom - inset,
      corners: Corners(
        topLeft: smaller(corners.topLeft), topRight: smaller(corners.topRight),
        bottomLeft: smaller(corners.bottomLeft), bottomRight: smaller(corners.bottomRight)))
  }

  /// `true` if the shape is a rectangle.
  package var hasSquareCorners: Bool { corners == Corners(all: Corner(radius: 0)) }
}
