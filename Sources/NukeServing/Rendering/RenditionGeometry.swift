import NukeImaging

/// The positions of a source's pixels in a result. Computed in whole pixels, before any pixel is read.
///
/// The steps are: rotate the source, crop a part of it, scale the crop, cut a part of that, and place the cut on a
/// canvas. An implementation may combine steps.
struct RenditionGeometry: Sendable, Hashable {
  struct Size: Sendable, Hashable {
    var width: Int
    var height: Int

    init(_ width: Int, _ height: Int) {
      self.width = width
      self.height = height
    }
  }

  /// A rectangle within a larger image.
  struct Part: Sendable, Hashable {
    enum Origin: Sendable, Hashable {
      /// The upper left corner.
      case at(x: Int, y: Int)
      /// The region with the most detail, which depends on the pixels.
      case smart
    }

    var size: Size
    var origin: Origin

    init(_ width: Int, _ height: Int, _ origin: Origin) {
      size = Size(width, height)
      self.origin = origin
    }
  }

  /// The canvas, and the position of the image on it. The image lies completely within the canvas.
  struct Canvas: Sendable, Hashable {
    var size: Size
    var x: Int
    var y: Int

    init(_ width: Int, _ height: Int, x: Int = 0, y: Int = 0) {
      size = Size(width, height)
      self.x = x
      self.y = y
    }
  }

  /// The size of the decoded source after trimming and before rotation.
  let source: Size
  /// The rotation and flips of the source as one orientation.
  let turn: Orientation
  /// The part of the rotated source that is kept.
  let crop: Part
  /// The size to which the crop is scaled.
  let scaled: Size
  /// The part of the scaled crop that is kept.
  let cut: Part
  /// The canvas under the cut, extended and padded.
  let canvas: Canvas
  /// The factor for lengths in pixels of the result: `dpr`, reduced if it would enlarge the image.
  let density: Double
  /// The density for a `dpr` of 1, if that does not enlarge the image.
  let densityPerDPR: Double

  /// The size of the result.
  var result: Size { canvas.size }
  /// The size of the rotated source.
  var turned: Size { Self.turned(source, turn) }

  /// - Parameters:
  ///   - source: the size of the decoded image, upright if ``ImageOptions/autoRotates`` is set.
  ///   - stored: the orientation of the pixels in the file, if ``ImageOptions/autoRotates`` is set. The odd pixel of a
  ///     centered crop is on the same side in the file, whatever the orientation.
  ///   - isVector: `true` if the image is a vector drawing, which can be drawn at any size.
  init(
    source: Size, options: ImageOptions, stored: Orientation = .up, isVector: Bool = false,
    limits: RenderLimits = RenderLimits()
  ) throws(ServingError) {
    guard source.width > 0, source.height > 0 else { throw .notAnImage("it has no pixels") }
    self.source = source
    turn = Orientation(rotation: options.rotation, options.flipsHorizontally, options.flipsVertically)
    let turned = Self.turned(source, turn)
    var area = Size(
      options.crop.map { Self.side($0.width, of: turned.width) } ?? turned.width,
      options.crop.map { Self.side($0.height, of: turned.height) } ?? turned.height)
    if let aspect = options.cropAspectRatio { area = area.corrected(aspect, in: turned) }
    let gravity = options.crop?.gravity ?? options.gravity
    let reversal = Reversal(turn, stored, turned)
    crop = Part(area.width, area.height, gravity.origin(of: area, in: turned, reversal))

    let scaling = Scaling(of: area, options, isVector: isVector)
    density = scaling.density
    densityPerDPR = scaling.densityPerDPR
    scaled = try scaling.size(of: area)
    let kept = scaling.cut(from: scaled)
    try limits.check(width: Double(kept.width), height: Double(kept.height))
    cut = Part(kept.width, kept.height, options.gravity.origin(of: kept, in: scaled, density: density))
    canvas = try Canvas(around: kept, options, scaling, limits)
  }

  private static func turned(_ size: Size, _ turn: Orientation) -> Size {
    turn.swapsAxes ? Size(size.height, size.width) : size
  }

  /// Returns the length of a crop's side, without a fraction of a pixel. A length less than 1 is a fraction of the
  /// whole; 0 is the whole.
  private static func side(_ length: Double, of whole: Int) -> Int {
    guard length > 0 else { return whole }
    let pixels = length < 1 ? Fraction(length).rounded(times: whole) : length.rounded(.down)
    return pixels < Double(whole) ? max(Int(pixels), 1) : whole
  }

  /// The axes of the rotated image on which the pixels of the file are in reverse order.
  struct Reversal: Sendable, Hashable {
    var x = false
    var y = false
  }
}

extension RenditionGeometry.Reversal {
  fileprivate init(_ turn: Orientation, _ stored: Orientation, _ turned: RenditionGeometry.Size) {
    let whole = (width: Double(turned.width), height: Double(turned.height))
    let upright = turn.swapsAxes ? (width: whole.height, height: whole.width) : whole
    /// Returns the sum x + y of the position in the file. A step along one axis of the rotated image changes one of
    /// them, so that the sum shows the direction of that axis in the file.
    func sum(_ x: Double, _ y: Double) -> Double {
      let region = turn.region(before: PixelRegion(x: x, y: y, width: 0, height: 0), in: whole)
      let position = stored.region(before: region, in: upright)
      return position.x + position.y
    }
    self.init(x: sum(1, 0) < sum(0, 0), y: sum(0, 1) < sum(0, 0))
  }
}

extension Orientation {
  /// Creates the orientation of a clockwise rotation, rounded to a multiple of 90 degrees, followed by flips.
  init(rotation: Int, _ flipsHorizontally: Bool, _ flipsVertically: Bool) {
    let quarters = ((rotation % 360 + 360) % 360 + 45) / 90 % 4
    let upright = [Orientation.up, .right, .down, .left][quarters]
    switch (flipsHorizontally, flipsVertically) {
    case (false, false): self = upright
    case (true, true): self = [Orientation.down, .left, .up, .right][quarters]
    case (true, false): self = [Orientation.upMirrored, .leftMirrored, .downMirrored, .rightMirrored][quarters]
    case (false, true): self = [Orientation.downMirrored, .rightMirrored, .upMirrored, .leftMirrored][quarters]
    }
  }
}

extension ImageOptions.Gravity {
  /// Returns the origin of a part of a larger whole.
  func origin(
    of part: RenditionGeometry.Size, in whole: RenditionGeometry.Size, density: Double = 1,
    _ reversal: RenditionGeometry.Reversal = .init()
  ) -> RenditionGeometry.Part.Origin {
    guard place != .smart || part == whole else { return .smart }
    let (x, y) = corner(of: part, in: whole, density: density, reversal)
    return .at(x: x.bounded(to: whole.width - part.width), y: y.bounded(to: whole.height - part.height))
  }

  /// Returns the origin of a rectangle on a canvas that may be smaller. Positions are rounded as by imgproxy.
  ///
  /// - Parameters:
  ///   - density: the number of pixels of the canvas for each pixel of the offset.
  ///   - reversal: the axes from whose end the position is counted.
  func corner(
    of part: RenditionGeometry.Size, in whole: RenditionGeometry.Size, density: Double,
    _ reversal: RenditionGeometry.Reversal = .init()
  ) -> (x: Double, y: Double) {
    if place == .focusPoint {
      return (
        Self.start(of: part.width, around: offset.x, in: whole.width, isReversed: reversal.x),
        Self.start(of: part.height, around: offset.y, in: whole.height, isReversed: reversal.y)
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
      case .center, .north, .south, .smart, .focusPoint: Self.center(freeX, isReversed: reversal.x) + moved.x
      }
    let y =
      switch place {
      case .north, .northWest, .northEast: moved.y
      case .south, .southWest, .southEast: freeY - moved.y
      case .center, .west, .east, .smart, .focusPoint: Self.center(freeY, isReversed: reversal.y) + moved.y
      }
    return (x, y)
  }

  /// Returns the pixels before a part that is centered.
  private static func center(_ free: Double, isReversed: Bool) -> Double {
    let before = ((free + 1) / 2).rounded(.toNearestOrEven)
    return isReversed ? free - before : before
  }

  /// Returns the pixels before a part around a point, which is a fraction of the whole.
  private static func start(of part: Int, around point: Double, in whole: Int, isReversed: Bool) -> Double {
    let point = isReversed ? 1 - point : point
    let before = (point * Double(whole)).rounded(.toNearestOrEven) - Double(part / 2)
    return isReversed ? Double(whole - part) - before : before
  }

  /// Returns a length in pixels. A length with a magnitude less than 1 is a fraction of the side.
  static func pixels(_ length: Double, of side: Int, _ density: Double) -> Double {
    (abs(length) < 1 ? length * Double(side) : length * density).rounded(.toNearestOrEven)
  }
}

extension Double {
  /// The nearest whole number from 0 to `limit`; 0 for NaN.
  func bounded(to limit: Int) -> Int { self > 0 ? Int(Swift.min(self, Double(Swift.max(limit, 0)))) : 0 }
}

extension RenditionGeometry.Canvas {
  /// Creates the canvas around an image: extended to the requested size, then to the requested aspect ratio, then
  /// padded.
  init(
    around image: RenditionGeometry.Size, _ options: ImageOptions, _ scaling: RenditionGeometry.Scaling,
    _ limits: RenderLimits
  ) throws(ServingError) {
    self.init(image.width, image.height)
    if let gravity = options.extend {
      try enlarge(
        toWidth: scaling.width ?? 0, height: scaling.height ?? 0, gravity, scaling.density, limits)
    }
    if let gravity = options.extendAspectRatio, let width = scaling.width, let height = scaling.height {
      try enlarge(
        toWidth: (Double(size.height) * width / height).rounded(),
        height: (Double(size.width) * height / width).rounded(), gravity, scaling.density, limits)
    }
    if let padding = options.padding {
      func pixels(_ length: Int) -> Double { (Double(max(length, 0)) * scaling.density).rounded(.toNearestOrEven) }
      let (left, top) = (pixels(padding.left), pixels(padding.top))
      let width = left + Double(size.width) + pixels(padding.right)
      let height = top + Double(size.height) + pixels(padding.bottom)
      try limits.check(width: width, height: height)
      self.init(Int(width), Int(height), x: x + Int(left), y: y + Int(top))
    }
  }

  /// Extends each side that is shorter than the given length.
  private mutating func enlarge(
    toWidth width: Double, height: Double, _ gravity: ImageOptions.Gravity, _ density: Double, _ limits: RenderLimits
  ) throws(ServingError) {
    let (width, height) = (max(width, Double(size.width)), max(height, Double(size.height)))
    try limits.check(width: width, height: height)
    let whole = RenditionGeometry.Size(Int(width), Int(height))
    let corner = gravity.corner(of: size, in: whole, density: density)
    self = Self(
      whole.width, whole.height, x: x + corner.x.bounded(to: whole.width - size.width),
      y: y + corner.y.bounded(to: whole.height - size.height))
  }
}
