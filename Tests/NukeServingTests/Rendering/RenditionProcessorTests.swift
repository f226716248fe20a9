import Foundation
import Nuke
import NukeTesting
import Testing

@testable import NukeServing

@Suite("The pixels of a rendition")
struct RenditionProcessorTests {
  static func rendition(
    of image: Bitmap, watermark: Watermark? = nil, isMoving: Bool = false, _ ask: (inout ImageOptions) -> Void
  ) throws -> Bitmap {
    let processor = try processor(
      for: image, ImageOptions(ask), watermark: watermark, isMoving: isMoving)
    return try #require(processor.process(image))
  }

  static func processor(
    for image: Bitmap, _ options: ImageOptions, watermark: Watermark? = nil, isMoving: Bool = false
  ) throws -> RenditionProcessor {
    let geometry = try RenditionGeometry(source: .init(image.pixelWidth, image.pixelHeight), options: options)
    return RenditionProcessor(geometry: geometry, options: options, isMoving: isMoving, watermark: watermark)
  }

  private let sample = SampleImage.bitmap(width: 40, height: 30)

  @Test("An unchanged image is not copied")
  func nothing() throws {
    let result = try Self.rendition(of: sample) {
      ($0.width, $0.height) = (400, 300)
      $0.background = .white
      $0.watermark = .init(opacity: 1)
    }
    #expect(result === sample)
  }

  @Test("A fitted image equals the library's resize", arguments: [(20, 20), (10, 0), (0, 12), (7, 30)])
  func fit(width: Int, height: Int) throws {
    let result = try Self.rendition(of: sample) { ($0.width, $0.height) = (width, height) }
    let side = 1e9
    let resize = ImageProcessors.Resize(
      size: CGSize(width: width > 0 ? Double(width) : side, height: height > 0 ? Double(height) : side), unit: .pixels,
      contentMode: .aspectFit)
    let expected = try #require(resize.process(sample))
    #expect(result.size == expected.size)
    #expect(result.pixelBytes == expected.pixelBytes)
  }

  @Test("A crop applies to the rotated image", arguments: [0, 90, 180, 270], [0, 1, 2, 3])
  func turnedCrop(rotation: Int, flips: Int) throws {
    let (flipsHorizontally, flipsVertically) = (flips & 1 != 0, flips & 2 != 0)
    let result = try Self.rendition(of: sample) {
      $0.rotation = rotation
      $0.flipsHorizontally = flipsHorizontally
      $0.flipsVertically = flipsVertically
      $0.crop = .init(width: 11, height: 7, gravity: .init(.northEast, offset: .init(3, 2)))
    }
    var expected = try #require(sample.rotated(degrees: Double(rotation)))
    if flipsHorizontally { expected = try #require(expected.turned(.upMirrored)) }
    if flipsVertically { expected = try #require(expected.turned(.downMirrored)) }
    expected = try #require(expected.cropped(x: expected.pixelWidth - 11 - 3, y: 2, width: 11, height: 7))
    #expect(result.size == [11, 7])
    #expect(result.pixelBytes == expected.pixelBytes)
  }

  @Test("A filled image is cut according to the gravity")
  func fill() throws {
    let image = Bitmap.painted(80, 20) { x, _ in x < 40 ? .red : .blue }
    func pixels(_ place: ImageOptions.Gravity.Place) throws -> Bitmap {
      try Self.rendition(of: image) {
        $0.resizing = .fill
        ($0.width, $0.height) = (10, 10)
        $0.gravity = .init(place)
      }
    }
    #expect(try pixels(.west).pixelBytes == Bitmap.even(.red, 10, 10).pixelBytes)
    #expect(try pixels(.southEast).pixelBytes == Bitmap.even(.blue, 10, 10).pixelBytes)
    let center = try pixels(.center)
    #expect(center.pixel(0, 5) == [255, 0, 0, 255])
    #expect(center.pixel(9, 5) == [0, 0, 255, 255])
  }

  @Test("A JPEG that was decoded at a reduced size is sampled at the same position")
  func reduced() throws {
    // A step in the middle of 65 pixels: with the eighth that the ninth pixel holds, it lies at 32.
    let whole = Bitmap.painted(65, 65) { x, _ in x < 32 ? .black : .white }
    let eighth = Bitmap.painted(9, 9) { x, _ in x < 4 ? .black : .white }
    let processor = try Self.processor(
      for: whole,
      ImageOptions {
        $0.crop = .init(width: 32, height: 32, gravity: .init(.northWest))
        $0.width = 4
      })
    #expect(processor.geometry.scaleDenominator(of: [1, 2, 4, 8]) == 8)
    let result = try #require(processor.process(eighth))
    #expect(result.pixelBytes == Bitmap.even(.black, 4, 4).pixelBytes)
  }

  // MARK: Borders

  /// The sample with a border: 3 at the left, 5 above, 7 at the right and 2 below.
  private func bordered(_ color: Color) -> Bitmap {
    Bitmap.painted(50, 37) { x, y in
      guard (3..<43).contains(x), (5..<35).contains(y) else { return color }
      let pixel = sample.pixel(x - 3, y - 5).map { CGFloat($0) / 255 }
      return Color(red: pixel[0], green: pixel[1], blue: pixel[2])
    }
  }

  @Test("Borders with one color are trimmed", arguments: [Color.white, .green, .clear])
  func trim(color: Color) throws {
    let result = try Self.rendition(of: bordered(color)) { $0.trim = .init(threshold: 10) }
    #expect(result.size == [40, 30])
    #expect(result.pixelBytes == sample.pixelBytes)
  }

  @Test("A trimmed image is rendered if it needs no more memory than admitted, and rejected otherwise")
  func trimmedStrip() throws {
    // What is left, two columns of pixels, becomes 30 of them wide, and 450 high.
    let strip = Bitmap.painted(40, 30) { x, _ in x == 20 || x == 21 ? .black : .white }
    let options = ImageOptions {
      $0.trim = .init(threshold: 10)
      $0.width = 30
      $0.enlarges = true
    }
    let needed = (2 * 40 * 30 + 3 * 30 * 450) * 4
    for limit in [needed, needed - 1] {
      var limits = RenderLimits()
      limits.maximumTrimmingBytes = limit
      let processor = RenditionProcessor(
        geometry: try RenditionGeometry(source: .init(40, 30), options: options, limits: limits), options: options,
        limits: limits)
      #expect(processor.process(strip)?.size == (limit == needed ? [30, 450] : nil))
    }
  }

  @Test("Only borders with the given color are trimmed, and transparency counts as magenta")
  func trimOfColor() throws {
    let white = bordered(.white)
    #expect(try Self.rendition(of: white) { $0.trim = .init(threshold: 10, color: .white) }.size == [40, 30])
    #expect(try Self.rendition(of: white) { $0.trim = .init(threshold: 10, color: .green) } === white)
    let magenta = Color(red: 1, green: 0, blue: 1)
    #expect(
      try Self.rendition(of: bordered(.clear)) { $0.trim = .init(threshold: 10, color: magenta) }.size == [40, 30])
  }

  @Test("The threshold is the maximum difference of a channel")
  func trimThreshold() throws {
    let image = Bitmap.painted(20, 20) { x, y in
      (5..<15).contains(x) && (5..<15).contains(y) ? .black : Color(white: x % 2 == 0 ? 1 : 235 / 255)
    }
    #expect(try Self.rendition(of: image) { $0.trim = .init(threshold: 20) }.size == [10, 10])
    #expect(try Self.rendition(of: image) { $0.trim = .init(threshold: 19) }.size == [18, 20])
  }

  @Test("Speckles in a border are trimmed with it")
  func trimmedSpeckles() throws {
    let image = Bitmap.painted(30, 30) { x, y in
      (10..<20).contains(x) && (10..<20).contains(y) || x % 5 == 2 && y % 7 == 3 ? .black : .white
    }
    #expect(try Self.rendition(of: image) { $0.trim = .init(threshold: 10) }.size == [10, 10])
  }

  @Test("Equal trimming removes the same width on both sides")
  func trimEqually() throws {
    let image = bordered(.white)
    let result = try Self.rendition(of: image) {
      $0.trim = .init(threshold: 10, isEqualHorizontally: true, isEqualVertically: true)
    }
    #expect(result.size == [44, 33])
    #expect(result.pixelBytes == image.cropped(x: 3, y: 2, width: 44, height: 33)?.pixelBytes)
  }

  @Test("An image with one color is not trimmed, and neither is an animated one")
  func trimOfNothing() throws {
    let even = Bitmap.even(.red, 9, 9)
    #expect(try Self.rendition(of: even) { $0.trim = .init(threshold: 10) } === even)
    let image = bordered(.white)
    #expect(try Self.rendition(of: image, isMoving: true) { $0.trim = .init(threshold: 10) } === image)
  }

  @Test("The requested size applies to the trimmed image")
  func trimAndResize() throws {
    let result = try Self.rendition(of: bordered(.white)) {
      $0.trim = .init(threshold: 10)
      $0.width = 20
    }
    #expect(result.size == [20, 15])
    #expect(result.pixelBytes == (try Self.rendition(of: sample) { $0.width = 20 }).pixelBytes)
    let processor = try Self.processor(for: sample, ImageOptions { $0.trim = .init(threshold: 10) })
    #expect(processor.decodeTarget != nil)
  }

  // MARK: What is worth seeing

  /// Gray but for a checkerboard.
  private func busy(at column: Int, _ row: Int) -> Bitmap {
    Bitmap.painted(120, 40) { x, y in
      (column..<column + 30).contains(x) && (row..<row + 30).contains(y)
        ? Color(white: (x / 2 + y / 2) % 2 == 0 ? 0 : 1) : .gray
    }
  }

  @Test("Smart gravity finds the detail in any orientation", arguments: [0, 90, 180, 270], [5, 80])
  func smart(rotation: Int, column: Int) throws {
    let result = try Self.rendition(of: busy(at: column, 5)) {
      $0.rotation = rotation
      $0.resizing = .fill
      ($0.width, $0.height) = (40, 40)
      $0.gravity = .init(.smart)
    }
    #expect(result.size == [40, 40])
    let busyPixels = stride(from: 0, to: result.byteCount, by: 4).count {
      [0, 255].contains(result.pixelBytes[$0])
    }
    #expect(busyPixels == 900)
  }

  @Test("A crop may have smart gravity")
  func smartCrop() throws {
    let result = try Self.rendition(of: busy(at: 80, 5)) {
      $0.crop = .init(width: 30, height: 30, gravity: .init(.smart))
    }
    #expect(result.pixelBytes == busy(at: 80, 5).cropped(x: 80, y: 5, width: 30, height: 30)?.pixelBytes)
  }

  @Test("The first frame determines the crop of all frames")
  func smartFrames() throws {
    let options = ImageOptions {
      $0.crop = .init(width: 30, height: 30, gravity: .init(.smart))
    }
    let processor = try Self.processor(for: busy(at: 80, 5), options, isMoving: true)
    _ = try #require(processor.process(busy(at: 80, 5)))
    let second = try #require(processor.process(busy(at: 10, 5)))
    #expect(second.pixelBytes == Bitmap.even(.gray, 30, 30).pixelBytes)
  }

  // MARK: The canvas

  @Test("A canvas is transparent or has the background color")
  func canvas() throws {
    let image = Bitmap.even(.red, 4, 2)
    let clear = try Self.rendition(of: image) {
      ($0.width, $0.height) = (6, 6)
      $0.extend = .init(.south)
    }
    #expect(!clear.isOpaque)
    #expect(
      clear.pixelBytes
        == Bitmap.painted(6, 6) { x, y in (2..<6).contains(x) && y >= 4 ? .red : .clear }.pixelBytes)
    let blue = try Self.rendition(of: image) {
      ($0.width, $0.height) = (6, 6)
      $0.extend = .init(.south)
      $0.background = .blue
    }
    #expect(blue.isOpaque)
    #expect(blue.pixel(0, 0) == [0, 0, 255, 255])
    #expect(blue.pixel(2, 4) == [255, 0, 0, 255])
  }

  @Test("Padding has the background color")
  func padding() throws {
    let result = try Self.rendition(of: Bitmap.even(.red, 4, 2)) {
      $0.padding = .init(top: 1, right: 2, bottom: 3, left: 4)
      $0.background = .green
    }
    #expect(
      result.pixelBytes
        == Bitmap.painted(10, 6) { x, y in (4..<8).contains(x) && (1..<3).contains(y) ? .red : .green }.pixelBytes)
  }

  @Test("A background is visible through transparent pixels, and may be transparent itself")
  func background() throws {
    let clear = Bitmap.even(.clear, 3, 3)
    let color = Color(red: 1, green: 0.2, blue: 0)
    let result = try Self.rendition(of: clear) { $0.background = color }
    #expect(result.isOpaque)
    #expect(result.pixelBytes == Bitmap.even(color, 3, 3).pixelBytes)
    let half = try Self.rendition(of: clear) {
      $0.background = color.withAlphaComponent(0.5)
      $0.padding = .init(top: 1, right: 1, bottom: 1, left: 1)
    }
    #expect(half.pixelBytes == Bitmap.even(color.withAlphaComponent(0.5), 5, 5).pixelBytes)
  }

  // MARK: Effects

  @Test("Pixelation uses the mean of each square, also at the edges")
  func pixelation() throws {
    let image = Bitmap.painted(5, 5) { x, y in Color(white: CGFloat(x * 10 + y) / 255) }
    let result = try Self.rendition(of: image) { $0.pixelate = 2 }
    for y in 0..<5 {
      for x in 0..<5 {
        let columns = [x / 2 * 2, x / 2 * 2 + 1].filter { $0 < 5 }
        let rows = [y / 2 * 2, y / 2 * 2 + 1].filter { $0 < 5 }
        let sum = columns.reduce(0) { $0 + $1 * 10 * rows.count } + rows.reduce(0) { $0 + $1 * columns.count }
        let count = columns.count * rows.count
        let mean = UInt8((sum + count / 2) / count)
        #expect(result.pixel(x, y) == [mean, mean, mean, 255])
      }
    }
    let all = try Self.rendition(of: image) { $0.pixelate = 1000 }
    #expect(all.pixelBytes == Bitmap.even(Color(white: 22 / 255), 5, 5).pixelBytes)
    #expect(try Self.rendition(of: image) { $0.pixelate = 1 } === image)
    let dense = try Self.rendition(of: image) {
      $0.pixelate = 1
      $0.dpr = 5
      $0.enlarges = true
    }
    #expect(dense.size == [25, 25])
  }

  @Test("Brightness, contrast and saturation are applied")
  func colors() throws {
    let image = Bitmap.even(Color(red: 0.8, green: 0.4, blue: 0.2), 2, 2)
    #expect(try Self.rendition(of: image) { $0.brightness = 255 }.pixel(0, 0) == [255, 255, 255, 255])
    #expect(try Self.rendition(of: image) { $0.brightness = -255 }.pixel(0, 0) == [0, 0, 0, 255])
    #expect(try Self.rendition(of: image) { $0.brightness = 20 }.pixel(0, 0) == [224, 122, 71, 255])
    #expect(try Self.rendition(of: image) { $0.contrast = 0 }.pixel(0, 0) == [128, 128, 128, 255])
    let gray = try Self.rendition(of: image) { $0.saturation = 0 }.pixel(0, 0)
    #expect(gray[0] == gray[1] && gray[1] == gray[2])
    #expect(gray[0] > 102 && gray[0] < 204)
  }

  @Test("A blur spreads details and keeps uniform areas, whatever the density")
  func blur() throws {
    let even = Bitmap.even(.gray, 20, 20)
    #expect(try Self.rendition(of: even) { $0.blur = 3 }.pixelBytes == even.pixelBytes)
    let edge = Bitmap.painted(40, 10) { x, _ in x < 20 ? .black : .white }
    let blurred = try Self.rendition(of: edge) { $0.blur = 2 }
    // A step becomes the integral of the Gaussian: at half a pixel from it 0.5 + erf(0.5 / (2 √2)) / 2.
    let expected = 255 * (0.5 + erf(0.5 / (2 * 2.0.squareRoot())) / 2)
    #expect(abs(Double(blurred.pixel(20, 5)[0]) - expected) < 3)
    #expect(abs(Double(blurred.pixel(19, 5)[0]) - (255 - expected)) < 3)
    let half = try Self.rendition(of: edge) {
      $0.blur = 2
      $0.dpr = 0.5
    }
    #expect(half.size == [20, 5])
    #expect(abs(Double(half.pixel(10, 2)[0]) - expected) < 8)
  }

  @Test("Sharpening increases the contrast of an edge and keeps uniform areas")
  func sharpening() throws {
    let even = Bitmap.even(.gray, 20, 20)
    #expect(try Self.rendition(of: even) { $0.sharpen = 1 }.pixelBytes == even.pixelBytes)
    let edge = Bitmap.painted(20, 10) { x, _ in Color(white: x < 10 ? 0.4 : 0.6) }
    let sharp = try Self.rendition(of: edge) { $0.sharpen = 1 }
    #expect(sharp.pixel(9, 5)[0] < 102)
    #expect(sharp.pixel(10, 5)[0] > 153)
    #expect(sharp.pixel(0, 5) == edge.pixel(0, 5))
  }

  // MARK: Names

  @Test("The identifier contains everything that affects the pixels, and nothing else")
  func identifiers() throws {
    let image = sample
    func name(_ ask: (inout ImageOptions) -> Void) throws -> String {
      try Self.processor(for: image, ImageOptions(ask)).identifier
    }
    let changes: [(inout ImageOptions) -> Void] = [
      { _ in }, { $0.resizing = .fill }, { $0.width = 1 }, { $0.height = 1 }, { $0.minimumWidth = 1 },
      { $0.minimumHeight = 1 }, { $0.zoom = .init(2, 1) }, { $0.zoom = .init(1, 2) }, { $0.dpr = 2 },
      { $0.enlarges = true }, { $0.extend = .init() }, { $0.extend = .init(.north) },
      { $0.extendAspectRatio = .init() }, { $0.gravity = .init(.east) }, { $0.gravity.offset.x = 1 },
      { $0.crop = .init(width: 1, height: 2) }, { $0.crop = .init(width: 1, height: 2, gravity: .init()) },
      { $0.trim = .init(threshold: 1) }, { $0.trim = .init(threshold: 1, color: .red) },
      { $0.trim = .init(threshold: 1, isEqualHorizontally: true) },
      { $0.padding = .init(top: 1, right: 2, bottom: 3, left: 4) }, { $0.autoRotates = false }, { $0.rotation = 90 },
      { $0.flipsHorizontally = true }, { $0.flipsVertically = true }, { $0.background = .red }, { $0.blur = 1 },
      { $0.sharpen = 1 }, { $0.pixelate = 2 }, { $0.brightness = 1 }, { $0.contrast = 2 }, { $0.saturation = 2 },
      { $0.watermark = .init(opacity: 1) }, { $0.watermark = .init(opacity: 1, position: .repeated) },
    ]
    let names = try changes.map { try name($0) }
    #expect(Set(names).count == changes.count)
    #expect(
      try name {
        $0.quality = 3
        $0.cacheBuster = "x"
        $0.filename = "y"
      } == names[0])
    let watermark = Watermark(image: sample, id: "logo")
    #expect(try Self.processor(for: image, ImageOptions(), watermark: watermark).identifier != names[0])
  }
}
