import Foundation

extension BuiltInFilter {
  /// The corners of a quadrilateral, with Core Image's keys and defaults.
  static let corners: [ImageFilterParameter] = [
    .vector("inputTopLeft", [118, 484]), .vector("inputTopRight", [646, 507]),
    .vector("inputBottomRight", [548, 140]), .vector("inputBottomLeft", [155, 153]),
  ]

  static let geometry: [BuiltInFilter] = [
    BuiltInFilter(
      "CICrop", "Crops to a rectangle. The origin is at the lower left; edges are rounded to whole pixels.",
      [.vector("inputRectangle", [-1e300, -1e300, 2e300, 2e300])]
    ) { values, image in
      let rect = values.vector("inputRectangle")
      func bounded(_ value: Double, _ limit: Int) -> Int { Int(min(max(value.rounded(), 0), Double(limit))) }
      let (left, right) = (bounded(rect[0], image.pixelWidth), bounded(rect[0] + rect[2], image.pixelWidth))
      let (bottom, top) = (bounded(rect[1], image.pixelHeight), bounded(rect[1] + rect[3], image.pixelHeight))
      guard right > left, top > bottom else {
        throw ImageFilterError.invalidParameter(
          key: "inputRectangle", filter: "CICrop", expected: "a rectangle that intersects the image")
      }
      return image.cropped(x: left, y: image.pixelHeight - top, width: right - left, height: top - bottom)
    },
    BuiltInFilter(
      "CILanczosScaleTransform",
      """
      Scales with Lanczos-3. The height is multiplied by the scale, and the width by the scale times the aspect ratio.
      """,
      [.number("inputScale", 1, in: 0...1e6), .number("inputAspectRatio", 1, in: 0...1e6)]
    ) { values, image in
      let scale = values.scale
      let size = CGSize(
        width: Double(image.pixelWidth) * scale * values.number("inputAspectRatio"),
        height: Double(image.pixelHeight) * scale)
      guard size.width > 0, size.height > 0 else {
        throw ImageFilterError.invalidParameter(
          key: "inputScale", filter: "CILanczosScaleTransform", expected: "positive, and so must inputAspectRatio")
      }
      let geometry: ResizeGeometry?
      do throws(ResizeGeometry.TooManyPixels) {
        geometry = try ResizeGeometry(
          sourceWidth: image.pixelWidth, sourceHeight: image.pixelHeight, target: size, contentMode: .fill,
          upscale: true)
      } catch {
        throw ImageFilterError.resultTooLarge(filter: "CILanczosScaleTransform", limit: error.limit)
      }
      guard let geometry else { return image }
      return image.resized(geometry)
    },
    transform(
      "CIAffineTransform",
      """
      Transforms the image: x' = ax + cy + tx, y' = bx + dy + ty, with six numbers a, b, c, d, tx, ty or an \
      AffineTransform. The canvas contains all of the result, in whole pixels, and is transparent outside the image. \
      Bilinear. If the transform scales down, each pixel is the mean of n x n samples, where n is 1/√|determinant| \
      rounded up, at most 16.
      """
    ) { map, back, image in
      if map == .identity { return image }
      let canvas = try Canvas(around: image.corners.map { map($0) }, filter: "CIAffineTransform")
      return image.warped(on: canvas, scale: abs(map.determinant)) { back($0) }
    },
    transform(
      "CIAffineClamp",
      """
      Transforms like CIAffineTransform, but keeps the image's size. The edge pixels extend outside the transformed \
      image.
      """
    ) { map, back, image in
      image.warped(edges: .repeated, samples: image.samples(scale: abs(map.determinant))) { back($0) }
    },
    transform(
      "CIAffineTile",
      "Transforms like CIAffineTransform, but keeps the image's size, and fills it with repeated copies."
    ) { map, back, image in
      let size = image.extent
      return image.warped(edges: .repeated, samples: image.samples(scale: abs(map.determinant))) {
        back($0).wrapped(within: size)
      }
    },
    BuiltInFilter(
      "CIStraightenFilter",
      """
      Rotates counterclockwise about the center by an angle in radians. Scales up by |cos| + |sin| · (longer side / \
      shorter side) to fill the image's size. Bilinear.
      """,
      [.number("inputAngle", 0)]
    ) { values, image in
      let angle = values.angle
      if angle == 0 { return image }
      let (cosine, sine) = (cos(angle), sin(angle))
      let (size, middle) = (image.extent, image.extent / 2)
      let scale = abs(cosine) + abs(sine) * max(size.x / size.y, size.y / size.x)
      let turn = ImagePoint(cosine, -sine) / scale
      return image.warped(edges: .repeated) { ($0 - middle).turned(turn) + middle }
    },
    BuiltInFilter(
      "CIPerspectiveTransform",
      """
      Maps the image's corners to the four given points, in perspective (Heckbert's homography). The canvas contains \
      the points, in whole pixels, and is transparent outside the image. Bilinear. Where the image is scaled down, \
      each pixel is the mean of n x n samples, where n is the square root of the areas' ratio rounded up, at most 16.
      """, corners
    ) { values, image in
      let (map, points) = try values.quadrilateral("CIPerspectiveTransform")
      let canvas = try Canvas(around: points, filter: "CIPerspectiveTransform")
      let size = image.extent
      return image.warped(on: canvas, scale: points.area / (size.x * size.y)) { map.back($0) * size }
    },
    BuiltInFilter(
      "CIPerspectiveCorrection",
      """
      Turns the quadrilateral between four points into a rectangle (Heckbert's homography). The width is the longer of \
      the upper and lower sides, and the height the longer of the others, rounded. Bilinear.
      """, corners
    ) { values, image in
      let (map, points) = try values.quadrilateral("CIPerspectiveCorrection")
      let wide = max((points[1] - points[0]).length, (points[2] - points[3]).length)
      let high = max((points[3] - points[0]).length, (points[2] - points[1]).length)
      let canvas = try Canvas(
        around: [.zero, ImagePoint(max(wide.rounded(), 1), max(high.rounded(), 1))], filter: "CIPerspectiveCorrection"
      )
      let size = ImagePoint(Double(canvas.width), Double(canvas.height))
      return image.warped(width: canvas.width, height: canvas.height, edges: .transparent) { map($0 / size) }
    },
    BuiltInFilter(
      "CIPerspectiveTile",
      """
      Transforms like CIPerspectiveTransform, but keeps the image's size, and fills it with repeated copies up to the \
      horizon.
      """,
      corners
    ) { values, image in
      let (map, points) = try values.quadrilateral("CIPerspectiveTile")
      let size = image.extent
      return image.warped(edges: .repeated, samples: image.samples(scale: points.area / (size.x * size.y))) {
        (map.back($0) * size).wrapped(within: size)
      }
    },
  ]
}

extension BuiltInFilter {
  private static func transform(
    _ name: String, _ summary: String,
    _ apply: @escaping @Sendable (_ map: AffineMap, _ back: AffineMap, _ image: Bitmap) throws -> Bitmap?
  ) -> BuiltInFilter {
    BuiltInFilter(name, summary, [.vector("inputTransform", [1, 0, 0, 1, 0, 0])]) { values, image in
      let map = AffineMap(values.vector("inputTransform"))
      guard let back = map.inverse else {
        throw ImageFilterError.invalidParameter(
          key: "inputTransform", filter: name, expected: "an invertible transform")
      }
      return try apply(map, back, image)
    }
  }
}

/// A canvas in whole pixels that contains a result.
private struct Canvas {
  let origin: ImagePoint
  let width: Int
  let height: Int

  init(around points: [ImagePoint], filter: String) throws {
    // Slightly less, so that rounding errors add no empty row.
    let hair = 1e-6
    let (xs, ys) = (points.map(\.x), points.map(\.y))
    let (left, bottom) = ((xs.min()! + hair).rounded(.down), (ys.min()! + hair).rounded(.down))
    let wide = max((xs.max()! - hair).rounded(.up) - left, 1)
    let high = max((ys.max()! - hair).rounded(.up) - bottom, 1)
    let limit = ResizeGeometry.defaultPixelLimit
    // The comparison also fails for NaN.
    guard wide * high <= Double(limit), max(wide, high) <= Double(ResizeGeometry.longestSide) else {
      throw ImageFilterError.resultTooLarge(filter: filter, limit: limit)
    }
    origin = ImagePoint(left, bottom)
    (width, height) = (Int(wide), Int(high))
  }
}

extension Bitmap {
  /// The width and height in pixels, which is the position of the upper right corner.
  var extent: ImagePoint { ImagePoint(Double(pixelWidth), Double(pixelHeight)) }

  fileprivate var corners: [ImagePoint] {
    [.zero, ImagePoint(extent.x, 0), extent, ImagePoint(0, extent.y)]
  }

  /// Returns the image sampled for another canvas, transparent outside its edges.
  fileprivate func warped(on canvas: Canvas, scale: Double, _ place: (ImagePoint) -> ImagePoint) -> Bitmap? {
    warped(
      width: canvas.width, height: canvas.height, edges: .transparent,
      samples: samples(scale: scale, width: canvas.width, height: canvas.height)
    ) { place($0 + canvas.origin) }
  }

  /// Returns the number of samples per pixel in each direction, for a result whose areas are `scale` times this
  /// image's. It is sufficient to avoid aliasing, but at most four times the pixels of both.
  fileprivate func samples(scale: Double, width: Int? = nil, height: Int? = nil) -> Int {
    let output = (width ?? pixelWidth) * (height ?? pixelHeight)
    var count = Int(min(max((1 / scale.squareRoot() - 1e-6).rounded(.up), 1), 16))
    while count > 1, count * count * output > 4 * (output + pixelWidth * pixelHeight) { count -= 1 }
    return count
  }
}

extension ImagePoint {
  /// Returns the position in an image of this size whose copies are repeated.
  func wrapped(within size: ImagePoint) -> ImagePoint { self - (self / size).rounded(.down) * size }
}

extension [ImagePoint] {
  /// The area of the polygon.
  fileprivate var area: Double {
    abs(indices.reduce(0) { $0 + self[$1].cross(self[($1 + 1) % count]) }) / 2
  }
}

extension ImageFilterValues {
  /// Returns the perspective map from the unit square to the four corners, counterclockwise from the lower left.
  fileprivate func quadrilateral(_ filter: String) throws -> (PerspectiveMap, [ImagePoint]) {
    let keys = ["inputBottomLeft", "inputBottomRight", "inputTopRight", "inputTopLeft"]
    let points = keys.map { place($0) }
    guard let map = PerspectiveMap(points[0], points[1], points[2], points[3]) else {
      throw ImageFilterError.invalidParameter(
        key: "inputTopLeft", filter: filter,
        expected: """
          a corner of a convex quadrilateral, together with the other three
          """)
    }
    return (map, points)
  }

  /// Returns a point with the origin at the lower left, as in Core Image.
  func place(_ key: String) -> ImagePoint {
    let vector = vector(key)
    return ImagePoint(vector[0], vector[1])
  }
}
