import NukeCodecs
import NukeImaging
import Testing

@testable import NukeServing

@Suite("The geometry of a rendition")
struct RenditionGeometryTests {
  typealias Size = RenditionGeometry.Size
  typealias Part = RenditionGeometry.Part

  /// A source, what is asked for, and what comes of it: the scaled image, what is cut of it, and the canvas.
  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var source: (Int, Int)
    var scaled: (Int, Int)
    var cut: (Int, Int, Int, Int)?
    var result: (Int, Int)?
    var ask: @Sendable (inout ImageOptions) -> Void
    var testDescription: String { name }

    init(
      _ name: String, _ source: (Int, Int), scaled: (Int, Int), cut: (Int, Int, Int, Int)? = nil,
      result: (Int, Int)? = nil, ask: @escaping @Sendable (inout ImageOptions) -> Void
    ) {
      self.name = name
      self.source = source
      self.scaled = scaled
      self.cut = cut
      self.result = result
      self.ask = ask
    }

    func check(sourceLocation: SourceLocation = #_sourceLocation) throws {
      var options = ImageOptions()
      ask(&options)
      let geometry = try RenditionGeometry(source: Size(source.0, source.1), options: options)
      #expect(geometry.scaled == Size(scaled.0, scaled.1), sourceLocation: sourceLocation)
      let cut = cut ?? (0, 0, scaled.0, scaled.1)
      #expect(geometry.cut == Part(cut.2, cut.3, .at(x: cut.0, y: cut.1)), sourceLocation: sourceLocation)
      let result = result ?? (cut.2, cut.3)
      #expect(geometry.result == Size(result.0, result.1), sourceLocation: sourceLocation)
    }
  }

  static func size(
    _ resizing: ImageOptions.Resizing, _ width: Int, _ height: Int, enlarges: Bool = false,
    zoom: ImageOptions.Pair = .init(1, 1), dpr: Double = 1, least: (Int, Int) = (0, 0)
  ) -> @Sendable (inout ImageOptions) -> Void {
    {
      $0.resizing = resizing
      ($0.width, $0.height) = (width, height)
      $0.enlarges = enlarges
      ($0.zoom, $0.dpr) = (zoom, dpr)
      ($0.minimumWidth, $0.minimumHeight) = least
    }
  }

  @Test("Without a size, all pixels are kept")
  func nothing() throws {
    let geometry = try RenditionGeometry(source: Size(640, 480), options: ImageOptions())
    #expect(geometry.crop == Part(640, 480, .at(x: 0, y: 0)))
    #expect(geometry.scaled == Size(640, 480))
    #expect(geometry.result == Size(640, 480))
    #expect(geometry.turn == .up)
  }

  @Test(
    "Each resizing type has the expected size",
    arguments: [
      // Landscape and portrait, into a square and into one side.
      Row("fit landscape", (4000, 3000), scaled: (320, 240), ask: size(.fit, 320, 320)),
      Row("fit portrait", (3000, 4000), scaled: (240, 320), ask: size(.fit, 320, 320)),
      Row("fit by width", (4000, 3000), scaled: (320, 240), ask: size(.fit, 320, 0)),
      Row("fit by height", (4000, 3000), scaled: (320, 240), ask: size(.fit, 0, 240)),
      Row("fit rounds", (1000, 333), scaled: (100, 33), ask: size(.fit, 100, 100)),
      Row("fit does not enlarge", (100, 50), scaled: (100, 50), ask: size(.fit, 400, 400)),
      Row("fit enlarges", (100, 50), scaled: (400, 200), ask: size(.fit, 400, 400, enlarges: true)),
      Row(
        "fill landscape", (4000, 3000), scaled: (427, 320), cut: (54, 0, 320, 320), ask: size(.fill, 320, 320)),
      Row("fill portrait", (3000, 4000), scaled: (320, 427), cut: (0, 54, 320, 320), ask: size(.fill, 320, 320)),
      Row("fill by one side is fit", (4000, 3000), scaled: (320, 240), ask: size(.fill, 320, 0)),
      Row(
        "fill what is smaller cuts what juts out", (100, 300), scaled: (100, 300), cut: (0, 50, 100, 200),
        ask: size(.fill, 200, 200)),
      Row(
        "fill enlarges", (100, 300), scaled: (200, 600), cut: (0, 200, 200, 200),
        ask: size(.fill, 200, 200, enlarges: true)),
      Row(
        "fill-down of a large one is fill", (4000, 3000), scaled: (427, 320), cut: (54, 0, 320, 320),
        ask: size(.fillDown, 320, 320)),
      Row(
        "fill-down keeps the ratio", (100, 300), scaled: (100, 300), cut: (0, 100, 100, 100),
        ask: size(.fillDown, 200, 200)),
      Row(
        "fill-down of a wide one", (300, 100), scaled: (300, 100), cut: (50, 0, 200, 100),
        ask: size(.fillDown, 400, 200)),
      Row("force", (400, 300), scaled: (100, 200), ask: size(.force, 100, 200)),
      Row("force by one side keeps the other", (400, 300), scaled: (100, 300), ask: size(.force, 100, 0)),
      Row(
        "force without enlarging keeps the ratio asked for", (100, 100), scaled: (100, 25), ask: size(.force, 200, 50)),
      Row("force enlarges", (100, 100), scaled: (200, 50), ask: size(.force, 200, 50, enlarges: true)),
      Row(
        "auto of like orientations fills", (400, 300), scaled: (133, 100), cut: (17, 0, 100, 100),
        ask: size(.auto, 100, 100)),
      Row(
        "auto of landscape into landscape fills", (400, 300), scaled: (200, 150), cut: (0, 26, 200, 100),
        ask: size(.auto, 200, 100)),
      Row("auto of landscape into portrait fits", (400, 300), scaled: (100, 75), ask: size(.auto, 100, 200)),
      Row("auto of portrait into landscape fits", (300, 400), scaled: (75, 100), ask: size(.auto, 200, 100)),
    ])
  func resizing(row: Row) throws { try row.check() }

  @Test(
    "Extreme sizes have at least one pixel",
    arguments: [
      Row("one pixel stays one", (1, 1), scaled: (1, 1), ask: size(.fit, 100, 100)),
      Row("one pixel grows", (1, 1), scaled: (100, 100), ask: size(.fit, 100, 100, enlarges: true)),
      Row("a line keeps a pixel", (20_000, 1), scaled: (100, 1), ask: size(.fit, 100, 100)),
      Row("an upright line keeps a pixel", (1, 20_000), scaled: (1, 100), ask: size(.fit, 100, 100)),
      Row(
        "a line filled is cut to a point", (20_000, 1), scaled: (20_000, 1), cut: (9950, 0, 100, 1),
        ask: size(.fill, 100, 100)),
      Row(
        "a line filled and enlarged is mostly cut away", (20_000, 1), scaled: (2_000_000, 100),
        cut: (999_950, 0, 100, 100), ask: size(.fill, 100, 100, enlarges: true)),
      Row(
        "a line fills down to a point", (20_000, 1), scaled: (20_000, 1), cut: (10_000, 0, 1, 1),
        ask: size(.fillDown, 100, 100)),
      Row("down to nothing is a pixel", (4000, 3000), scaled: (1, 1), ask: size(.fit, 1, 1)),
    ])
  func extremes(row: Row) throws { try row.check() }

  @Test(
    "Zoom, density and minimum sizes are factors",
    arguments: [
      Row("zoom", (400, 300), scaled: (200, 150), ask: size(.fit, 0, 0, zoom: .init(0.5, 0.5))),
      Row("zoom of each side", (400, 300), scaled: (200, 75), ask: size(.fit, 0, 0, zoom: .init(0.5, 0.25))),
      Row("zoom does not enlarge", (400, 300), scaled: (400, 300), ask: size(.fit, 0, 0, zoom: .init(2, 2))),
      Row("zoom on a width", (400, 300), scaled: (200, 150), ask: size(.fit, 100, 0, zoom: .init(2, 2))),
      Row("density", (400, 300), scaled: (200, 150), ask: size(.fit, 100, 0, dpr: 2)),
      Row("density only as far as there are pixels", (300, 300), scaled: (300, 300), ask: size(.fit, 200, 0, dpr: 2)),
      Row("density that enlarges", (300, 300), scaled: (400, 400), ask: size(.fit, 200, 0, enlarges: true, dpr: 2)),
      Row("density below 1", (400, 300), scaled: (50, 38), ask: size(.fit, 100, 0, dpr: 0.5)),
      Row("no density", (400, 300), scaled: (100, 75), ask: size(.fit, 100, 0, dpr: 0)),
      Row("no zoom", (400, 300), scaled: (100, 75), ask: size(.fit, 100, 0, zoom: .init(-1, .nan))),
      Row(
        "a least width", (400, 300), scaled: (200, 150), cut: (0, 26, 200, 100),
        ask: size(.fit, 0, 100, least: (200, 0))),
      Row(
        "a least height is cut by the width", (400, 300), scaled: (267, 200), cut: (84, 0, 100, 200),
        ask: size(.fit, 100, 0, least: (0, 200))),
      Row("a least size enlarges", (100, 50), scaled: (400, 200), ask: size(.fit, 0, 0, least: (400, 0))),
      Row(
        "the greater of two least sizes counts", (100, 50), scaled: (400, 200),
        ask: size(.fit, 0, 0, least: (300, 200))),
    ])
  func factors(row: Row) throws { try row.check() }

  @Test(
    "Half a pixel of a side that follows from the other is rounded up",
    arguments: [
      (7, 4), (29, 15), (57, 29), (113, 57), (115, 58), (201, 101), (203, 102), (205, 103), (207, 104), (251, 126),
      (253, 127), (255, 128),
    ])
  func halves(width: Int, height: Int) throws {
    try Row("by width", (200, 100), scaled: (width, height), ask: Self.size(.fit, width, 0, enlarges: true)).check()
    try Row("by height", (100, 200), scaled: (height, width), ask: Self.size(.fit, 0, width, enlarges: true)).check()
  }

  @Test("Each odd width of an image with the ratio 2 to 1 has the height above the half")
  func oddWidths() throws {
    for width in stride(from: 1, to: 4000, by: 2) {
      try Row("", (200, 100), scaled: (width, width / 2 + 1), ask: Self.size(.fit, width, 0, enlarges: true)).check()
    }
  }

  /// 0.7, 0.29 and 1.15 are no binary fractions: 45 * 0.7 is 31.499999999999996 as a `Double`.
  @Test(
    "Half a pixel is rounded up after zoom, density and a crop by a fraction, too",
    arguments: [
      Row("zoom", (100, 100), scaled: (25, 25), ask: size(.fit, 35, 0, zoom: .init(0.7, 0.7))),
      Row("zoom of the image", (50, 50), scaled: (15, 15), ask: size(.fit, 0, 0, zoom: .init(0.29, 0.29))),
      Row("density", (100, 100), scaled: (32, 32), ask: size(.fit, 45, 0, dpr: 0.7)),
      Row("density of the other side", (200, 100), scaled: (115, 58), ask: size(.fit, 100, 0, dpr: 1.15)),
      Row(
        "a size to crop to", (1000, 1000), scaled: (25, 25), ask: size(.fill, 35, 35, zoom: .init(0.7, 0.7))),
      Row("a crop", (50, 50), scaled: (15, 15)) { $0.crop = .init(width: 0.29, height: 0.29) },
    ])
  func decimalHalves(row: Row) throws { try row.check() }

  /// A place of a part of 40 x 20 in 100 x 50. Of 30 pixels around a centered part, imgproxy has 16 before it: the even
  /// one of the numbers next to 31 / 2.
  @Test(
    "Each gravity selects its corner",
    arguments: [
      (.center, 30, 16), (.north, 30, 0), (.south, 30, 30), (.east, 60, 16), (.west, 0, 16), (.northEast, 60, 0),
      (.northWest, 0, 0), (.southEast, 60, 30), (.southWest, 0, 30),
    ] as [(ImageOptions.Gravity.Place, Int, Int)])
  func places(place: ImageOptions.Gravity.Place, x: Int, y: Int) {
    let gravity = ImageOptions.Gravity(place)
    #expect(gravity.origin(of: Size(40, 20), in: Size(100, 50)) == .at(x: x, y: y))
  }

  @Test(
    "Offsets are inwards, in pixels or as fractions of the side",
    arguments: [
      (.center, 5, 5, 35, 21), (.center, -5, -5, 25, 11), (.north, 5, 7, 35, 7), (.south, 5, 7, 35, 23),
      (.east, 5, 7, 55, 23), (.west, 5, 7, 5, 23), (.northEast, 5, 7, 55, 7), (.southWest, 5, 7, 5, 23),
      (.northWest, 0.1, 0.1, 10, 5), (.southEast, 0.1, 0.1, 50, 25), (.center, 0.25, -0.1, 55, 11),
      (.west, 1000, 0, 60, 16), (.east, 1000, 0, 0, 16), (.center, .nan, .infinity, 0, 30),
    ] as [(ImageOptions.Gravity.Place, Double, Double, Int, Int)])
  func offsets(place: ImageOptions.Gravity.Place, offsetX: Double, offsetY: Double, x: Int, y: Int) {
    let gravity = ImageOptions.Gravity(place, offset: .init(offsetX, offsetY))
    #expect(gravity.origin(of: Size(40, 20), in: Size(100, 50)) == .at(x: x, y: y))
  }

  @Test("Offsets in pixels are multiplied by the density, fractions are not")
  func offsetsByDensity() {
    let pixels = ImageOptions.Gravity(.northWest, offset: .init(5, 5))
    #expect(pixels.origin(of: Size(40, 20), in: Size(100, 50), density: 2) == .at(x: 10, y: 10))
    let parts = ImageOptions.Gravity(.northWest, offset: .init(0.1, 0.1))
    #expect(parts.origin(of: Size(40, 20), in: Size(100, 50), density: 2) == .at(x: 10, y: 5))
  }

  @Test(
    "A focus point is centered as far as the image allows",
    arguments: [(0.5, 0.5, 30, 15), (0, 0, 0, 0), (1, 1, 60, 30), (0.3, 0.6, 10, 20), (2, -1, 60, 0)])
  func focusPoints(pointX: Double, pointY: Double, x: Int, y: Int) {
    let gravity = ImageOptions.Gravity(.focusPoint, offset: .init(pointX, pointY))
    #expect(gravity.origin(of: Size(40, 20), in: Size(100, 50)) == .at(x: x, y: y))
  }

  @Test("Smart gravity depends on the pixels")
  func smart() throws {
    var options = ImageOptions()
    options.resizing = .fill
    (options.width, options.height) = (100, 100)
    options.gravity = .init(.smart)
    let geometry = try RenditionGeometry(source: Size(400, 300), options: options)
    #expect(geometry.cut == Part(100, 100, .smart))
    #expect(geometry.corners == nil)
    // Nothing is to be chosen where all is kept.
    options.resizing = .fit
    #expect(try RenditionGeometry(source: Size(400, 300), options: options).corners != nil)
  }

  @Test(
    "A crop is in pixels of the source, or a fraction of its side",
    arguments: [
      (100, 50, 150, 126, 100, 50), (0.5, 0.25, 100, 113, 200, 75), (0, 100, 0, 100, 400, 100),
      (1000, 1000, 0, 0, 400, 300), (1, 1, 200, 150, 1, 1), (0.001, 0.001, 200, 150, 1, 1),
      (1.9, 20.9, 200, 140, 1, 20),
      (-5, .nan, 0, 0, 400, 300),
    ] as [(Double, Double, Int, Int, Int, Int)])
  func crops(width: Double, height: Double, x: Int, y: Int, wide: Int, high: Int) throws {
    var options = ImageOptions()
    options.crop = .init(width: width, height: height)
    let geometry = try RenditionGeometry(source: Size(400, 300), options: options)
    #expect(geometry.crop == Part(wide, high, .at(x: x, y: y)))
    #expect(geometry.result == Size(wide, high))
  }

  @Test("A crop has its own gravity, or that of the options, and is not multiplied by the density")
  func cropGravity() throws {
    var options = ImageOptions()
    options.gravity = .init(.southEast, offset: .init(10, 10))
    options.crop = .init(width: 100, height: 100)
    options.width = 50
    options.dpr = 2
    #expect(
      try RenditionGeometry(source: Size(400, 300), options: options).crop == Part(100, 100, .at(x: 290, y: 190)))
    options.crop?.gravity = .init(.west)
    #expect(
      try RenditionGeometry(source: Size(400, 300), options: options).crop == Part(100, 100, .at(x: 0, y: 100)))
    #expect(try RenditionGeometry(source: Size(400, 300), options: options).scaled == Size(100, 100))
  }

  @Test("The odd pixel around a centered crop is on the same side of the file, however it is turned")
  func turnedCrop() throws {
    func crop(_ turn: Int, flips: Bool = false, stored: Orientation = .up) throws -> Part {
      var options = ImageOptions()
      options.crop = .init(width: 50, height: 50)
      (options.rotation, options.flipsHorizontally) = (turn, flips)
      let source = stored.swapsAxes ? Size(80, 101) : Size(101, 80)
      return try RenditionGeometry(source: source, options: options, stored: stored).crop
    }
    // 51 and 30 pixels are around it: 26 and 16 before it in the file, and 25 and 14 after it.
    #expect(try crop(0) == Part(50, 50, .at(x: 26, y: 16)))
    #expect(try crop(0, flips: true) == Part(50, 50, .at(x: 25, y: 16)))
    #expect(try crop(180) == Part(50, 50, .at(x: 25, y: 14)))
    #expect(try crop(90) == Part(50, 50, .at(x: 14, y: 26)))
    #expect(try crop(0, stored: .right) == Part(50, 50, .at(x: 14, y: 26)))
    #expect(try crop(90, stored: .right) == Part(50, 50, .at(x: 25, y: 14)))
  }

  @Test("Without enlarging, a density below 1 reduces an image only if it is larger than what is asked for")
  func compensatedDensity() throws {
    var options = ImageOptions()
    (options.width, options.dpr) = (1600, 0.5)
    #expect(try RenditionGeometry(source: Size(800, 600), options: options).result == Size(800, 600))
    options.width = 1000
    #expect(try RenditionGeometry(source: Size(800, 600), options: options).result == Size(500, 375))
    (options.height, options.extend) = (1000, .init())
    #expect(try RenditionGeometry(source: Size(800, 600), options: options).result == Size(500, 500))
  }

  @Test("Sides are those of the rotated image")
  func turning() throws {
    var options = ImageOptions()
    options.rotation = 90
    options.width = 30
    let geometry = try RenditionGeometry(source: Size(400, 300), options: options)
    #expect(geometry.turned == Size(300, 400))
    #expect(geometry.result == Size(30, 40))
    options.rotation = 180
    #expect(try RenditionGeometry(source: Size(400, 300), options: options).result == Size(30, 23))
    options.rotation = -90
    #expect(try RenditionGeometry(source: Size(400, 300), options: options).turn == .left)
  }

  @Test(
    "Rotation and flips combine to one of eight orientations",
    arguments: [
      (0, false, false, .up), (0, true, false, .upMirrored), (0, false, true, .downMirrored), (0, true, true, .down),
      (90, false, false, .right), (90, true, false, .leftMirrored), (90, false, true, .rightMirrored),
      (90, true, true, .left), (180, false, false, .down), (180, true, false, .downMirrored),
      (180, false, true, .upMirrored), (180, true, true, .up), (270, false, false, .left),
      (270, true, false, .rightMirrored), (270, false, true, .leftMirrored), (270, true, true, .right),
      (360, false, false, .up), (450, false, false, .right), (-180, false, false, .down),
    ] as [(Int, Bool, Bool, Orientation)])
  func turns(rotation: Int, horizontally: Bool, vertically: Bool, turn: Orientation) {
    #expect(Orientation(rotation: rotation, horizontally, vertically) == turn)
  }

  @Test(
    "A canvas has the requested size",
    arguments: [
      (.center, 0, 0, 50, 76), (.northWest, 0, 0, 0, 0), (.southEast, 10, 20, 90, 130), (.north, 0, 5, 50, 5),
    ] as [(ImageOptions.Gravity.Place, Double, Double, Int, Int)])
  func extending(place: ImageOptions.Gravity.Place, offsetX: Double, offsetY: Double, x: Int, y: Int) throws {
    var options = ImageOptions()
    (options.width, options.height) = (200, 200)
    options.extend = .init(place, offset: .init(offsetX, offsetY))
    let geometry = try RenditionGeometry(source: Size(100, 50), options: options)
    #expect(geometry.cut.size == Size(100, 50))
    #expect(geometry.canvas == .init(200, 200, x: x, y: y))
  }

  @Test("A canvas with one side keeps the other")
  func extendingOneSide() throws {
    var options = ImageOptions()
    options.width = 200
    options.extend = .init()
    #expect(try RenditionGeometry(source: Size(100, 50), options: options).canvas == .init(200, 50, x: 50, y: 0))
  }

  @Test("A canvas with an aspect ratio has the minimum size")
  func extendingTheRatio() throws {
    var options = ImageOptions()
    (options.width, options.height) = (400, 200)
    options.extendAspectRatio = .init()
    #expect(try RenditionGeometry(source: Size(100, 100), options: options).canvas == .init(200, 100, x: 50, y: 0))
    #expect(try RenditionGeometry(source: Size(100, 20), options: options).canvas == .init(100, 50, x: 0, y: 16))
    // Without a ratio there is none.
    options.height = 0
    #expect(try RenditionGeometry(source: Size(100, 20), options: options).canvas == .init(100, 20))
  }

  @Test("Padding is around the canvas, multiplied by the density")
  func padding() throws {
    var options = ImageOptions()
    (options.width, options.height) = (100, 100)
    options.padding = .init(top: 1, right: 2, bottom: 3, left: 4)
    let plain = try RenditionGeometry(source: Size(400, 400), options: options)
    #expect(plain.canvas == .init(106, 104, x: 4, y: 1))
    options.dpr = 2
    let dense = try RenditionGeometry(source: Size(400, 400), options: options)
    #expect(dense.canvas == .init(212, 208, x: 8, y: 2))
    // With fewer pixels than density asks for, all shrinks alike.
    let scarce = try RenditionGeometry(source: Size(150, 150), options: options)
    #expect(scarce.density == 1.5)
    #expect(scarce.canvas == .init(159, 156, x: 6, y: 2))
    options.extend = .init(.northWest)
    options.padding = .init(top: -5, right: 0, bottom: 0, left: 10)
    #expect(try RenditionGeometry(source: Size(50, 50), options: options).canvas == .init(110, 100, x: 10, y: 0))
  }

  @Test("A vector image is never too small")
  func drawings() throws {
    var options = ImageOptions()
    (options.width, options.height) = (300, 300)
    options.dpr = 2
    let geometry = try RenditionGeometry(source: Size(10, 20), options: options, isVector: true)
    #expect(geometry.scaled == Size(300, 600))
    #expect(geometry.drawnSize == .init(width: 300, height: 600))
    options.rotation = 90
    let turned = try RenditionGeometry(source: Size(10, 20), options: options, isVector: true)
    #expect(turned.scaled == Size(600, 300))
    #expect(turned.drawnSize == .init(width: 300, height: 600))
  }

  @Test(
    "A result that is too large is rejected",
    arguments: [
      size(.fit, 100_000, 100_000, enlarges: true), size(.force, .max, .max, enlarges: true),
      size(.fit, 0, 0, enlarges: true, dpr: 1e300), size(.fit, 0, 0, enlarges: true, zoom: .init(1e9, 1e9)),
      size(.fit, 0, 0, least: (.max, 0)), size(.force, 1, 1_000_000, enlarges: true),
      {
        $0.width = .max; $0.extend = .init()
      },
      {
        $0.width = 60_000; $0.height = 1; $0.extendAspectRatio = .init()
      },
      { $0.padding = .init(top: .max, right: .max, bottom: .max, left: .max) },
    ] as [@Sendable (inout ImageOptions) -> Void])
  func limits(ask: @Sendable (inout ImageOptions) -> Void) {
    var options = ImageOptions()
    ask(&options)
    let error = #expect(throws: ServingError.self) {
      try RenditionGeometry(source: Size(400, 300), options: options)
    }
    #expect(error?.status == ServingError.tooLarge("").status)
  }

  @Test("The configured limits apply")
  func givenLimits() throws {
    var options = ImageOptions()
    (options.width, options.height) = (100, 100)
    var limits = RenderLimits()
    limits.maximumResultPixels = 10_000
    #expect(
      try RenditionGeometry(source: Size(400, 400), options: options, limits: limits).result == Size(100, 100))
    limits.maximumResultPixels = 9_999
    #expect(throws: ServingError.self) {
      try RenditionGeometry(source: Size(400, 400), options: options, limits: limits)
    }
    limits.maximumResultPixels = 10_000
    limits.maximumResultSide = 99
    #expect(throws: ServingError.self) {
      try RenditionGeometry(source: Size(400, 400), options: options, limits: limits)
    }
  }

  @Test("A region of a rotated image is converted to the stored one", arguments: Orientation.allCases)
  func regions(turn: Orientation) throws {
    // Where each pixel of 5 x 3 goes is told by the turn of pixels themselves.
    let (width, height) = (5, 3)
    let stored = try #require(
      Bitmap(pixelWidth: width, pixelHeight: height, isOpaque: true) { bytes in
        for place in 0..<width * height {
          bytes[place * 4] = UInt8(place)
          bytes[place * 4 + 3] = 255
        }
      })
    let turned = try #require(stored.turned(turn))
    let size = (width: Double(turned.pixelWidth), height: Double(turned.pixelHeight))
    for y in 0..<turned.pixelHeight {
      for x in 0..<turned.pixelWidth {
        let part = PixelRegion(x: Double(x), y: Double(y), width: 1, height: 1)
        let region = turn.region(before: part, in: size)
        #expect(region.width == 1 && region.height == 1)
        let place = Int(region.y) * width + Int(region.x)
        #expect(turned.withUnsafeBytes { $0[(y * turned.pixelWidth + x) * 4] } == UInt8(place))
        let shares = turn.shares(after: region.x / Double(width - 1), region.y / Double(height - 1))
        #expect(abs(shares.x * (size.width - 1) - Double(x)) < 1e-9)
        #expect(abs(shares.y * (size.height - 1) - Double(y)) < 1e-9)
      }
    }
  }
}
