import Foundation
import NukeImaging
import Testing

@Suite("The geometry of a resize")
struct ResizeGeometryTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var source: (Int, Int)
    var target: (Double, Double)
    var mode = ResizeGeometry.ContentMode.aspectFill
    var crop = false
    var upscale = false
    /// Output size, or `nil` if the image is left as it is.
    var output: (Int, Int)?
    var region: (x: Double, y: Double, width: Double, height: Double)?

    var testDescription: String { "\(source) to \(target), \(mode), crop \(crop), upscale \(upscale)" }
  }

  static let cases: [Case] = [
    // Filling keeps the shape and covers the target.
    Case(source: (400, 300), target: (200, 200), output: (267, 200)),
    Case(source: (300, 400), target: (200, 200), output: (200, 267)),
    Case(source: (400, 200), target: (100, 50), output: (100, 50)),
    // Fitting keeps the shape and stays within.
    Case(source: (400, 300), target: (200, 200), mode: .aspectFit, output: (200, 150)),
    Case(source: (300, 400), target: (200, 200), mode: .aspectFit, output: (150, 200)),
    Case(source: (400, 300), target: (200, .infinity), mode: .aspectFit, output: (200, 150)),
    Case(source: (400, 300), target: (.infinity, 30), mode: .aspectFit, output: (40, 30)),
    // Without permission nothing is enlarged.
    Case(source: (100, 100), target: (200, 200), output: nil),
    Case(source: (100, 400), target: (200, 200), output: nil),
    Case(source: (100, 400), target: (200, 200), mode: .aspectFit, output: (50, 200)),
    Case(source: (100, 100), target: (200, 200), mode: .aspectFit, output: nil),
    Case(source: (100, 100), target: (200, 200), upscale: true, output: (200, 200)),
    Case(source: (100, 50), target: (200, 200), upscale: true, output: (400, 200)),
    Case(source: (100, 50), target: (200, 200), mode: .aspectFit, upscale: true, output: (200, 100)),
    // What has its size already is left alone.
    Case(source: (200, 100), target: (200, 100), output: nil),
    Case(source: (200, 100), target: (200, 100), upscale: true, output: nil),
    Case(source: (200, 100), target: (200, 100), crop: true, output: nil),
    Case(source: (200, 100), target: (200, 100), mode: .fill, output: nil),
    // Cropping samples the center.
    Case(source: (400, 300), target: (200, 200), crop: true, output: (200, 200), region: (50, 0, 300, 300)),
    Case(source: (300, 400), target: (200, 200), crop: true, output: (200, 200), region: (0, 50, 300, 300)),
    Case(source: (400, 300), target: (100, 300), crop: true, output: (100, 300), region: (150, 0, 100, 300)),
    Case(source: (401, 300), target: (100, 300), crop: true, output: (100, 300), region: (150.5, 0, 100, 300)),
    Case(
      source: (100, 100), target: (200, 50), crop: true, upscale: true, output: (200, 50), region: (0, 37.5, 100, 25)),
    // Without permission a smaller image is cut to the shape, along whole pixels.
    Case(source: (100, 100), target: (200, 50), crop: true, output: (100, 25), region: (0, 37, 100, 25)),
    Case(source: (640, 480), target: (960, 960), crop: true, output: (480, 480), region: (80, 0, 480, 480)),
    Case(source: (100, 100), target: (500, 500), crop: true, output: nil),
    Case(source: (400, 300), target: (200, 200), mode: .aspectFit, crop: true, output: (200, 150)),
    // Another shape.
    Case(source: (400, 300), target: (100, 200), mode: .fill, output: (100, 200)),
    Case(source: (400, 300), target: (100, 600), mode: .fill, output: (100, 300)),
    Case(source: (400, 300), target: (100, 600), mode: .fill, upscale: true, output: (100, 600)),
    // No side becomes nothing.
    Case(source: (10_000, 10), target: (20, 20), mode: .aspectFit, output: (20, 1)),
    Case(source: (100, 100), target: (0.001, 0.001), output: (1, 1)),
    Case(source: (100, 100), target: (0.2, 50), crop: true, output: (1, 50)),
    // Halves of a pixel round up.
    Case(source: (100, 50), target: (25, 12.5), output: (25, 13)),
  ]

  @Test("Sizes follow the content mode", arguments: cases)
  func size(_ test: Case) throws {
    let geometry = try ResizeGeometry(
      sourceWidth: test.source.0, sourceHeight: test.source.1,
      target: CGSize(width: test.target.0, height: test.target.1), contentMode: test.mode, crop: test.crop,
      upscale: test.upscale)
    #expect(geometry?.outputWidth == test.output?.0)
    #expect(geometry?.outputHeight == test.output?.1)
    guard let geometry else { return }
    let whole = (x: 0.0, y: 0.0, width: Double(test.source.0), height: Double(test.source.1))
    if !test.crop || test.region != nil {
      let region = test.region ?? whole
      #expect(abs(geometry.region.x - region.x) < 1e-9)
      #expect(abs(geometry.region.y - region.y) < 1e-9)
      #expect(abs(geometry.region.width - region.width) < 1e-9)
      #expect(abs(geometry.region.height - region.height) < 1e-9)
    }
  }

  @Test("A width or a height alone decides the other side")
  func oneSide() throws {
    let wide = try #require(try ResizeGeometry(sourceWidth: 400, sourceHeight: 300, width: 200))
    #expect((wide.outputWidth, wide.outputHeight) == (200, 150))
    let high = try #require(try ResizeGeometry(sourceWidth: 400, sourceHeight: 300, height: 75))
    #expect((high.outputWidth, high.outputHeight) == (100, 75))
    #expect(try ResizeGeometry(sourceWidth: 400, sourceHeight: 300, width: 500) == nil)
    #expect(try ResizeGeometry(sourceWidth: 400, sourceHeight: 300, width: 500, upscale: true)?.outputHeight == 375)
    #expect(try ResizeGeometry(sourceWidth: 400, sourceHeight: 300, width: .infinity) == nil)
    #expect(try ResizeGeometry(sourceWidth: 400, sourceHeight: 300, height: .nan) == nil)
  }

  @Test("Invalid targets leave the image unchanged", arguments: [0, -1, -.infinity, .nan, -0.0])
  func senselessTargets(_ side: Double) throws {
    for mode in [ResizeGeometry.ContentMode.aspectFill, .aspectFit, .fill] {
      for crop in [true, false] {
        for target in [
          CGSize(width: side, height: 10), CGSize(width: 10, height: side), CGSize(width: side, height: side),
        ] {
          #expect(
            try ResizeGeometry(
              sourceWidth: 40, sourceHeight: 30, target: target, contentMode: mode, crop: crop, upscale: true) == nil)
        }
      }
    }
  }

  @Test("An infinite target leaves the image unchanged if the other side does not determine the size")
  func infiniteTargets() throws {
    let endless = CGSize(width: CGFloat.infinity, height: .infinity)
    for mode in [ResizeGeometry.ContentMode.aspectFill, .aspectFit, .fill] {
      for crop in [true, false] {
        #expect(
          try ResizeGeometry(
            sourceWidth: 40, sourceHeight: 30, target: endless, contentMode: mode, crop: crop, upscale: true) == nil)
      }
    }
    #expect(
      try ResizeGeometry(sourceWidth: 40, sourceHeight: 30, target: CGSize(width: 10, height: CGFloat.infinity)) == nil)
  }

  @Test("An image without pixels is unchanged")
  func emptySource() throws {
    #expect(try ResizeGeometry(sourceWidth: 0, sourceHeight: 0, target: CGSize(width: 10, height: 10)) == nil)
    #expect(try ResizeGeometry(sourceWidth: -1, sourceHeight: 5, target: CGSize(width: 10, height: 10)) == nil)
  }

  @Test(
    "A result above the limit is rejected before memory is allocated",
    arguments: [20_000, 1e9, 1e300, Double.greatestFiniteMagnitude])
  func tooLarge(_ side: Double) {
    let target = CGSize(width: side, height: side)
    for mode in [ResizeGeometry.ContentMode.aspectFill, .aspectFit, .fill] {
      #expect(throws: ResizeGeometry.TooManyPixels.self) {
        try ResizeGeometry(sourceWidth: 40, sourceHeight: 30, target: target, contentMode: mode, upscale: true)
      }
    }
    #expect(throws: ResizeGeometry.TooManyPixels.self) {
      try ResizeGeometry(sourceWidth: 40, sourceHeight: 30, target: target, crop: true, upscale: true)
    }
  }

  @Test("No requested size leads to a result outside of the limits")
  func hostileSizes() {
    var random = SeededGenerator(seed: 4)
    func side() -> Double {
      // Any bit pattern at all, or a plain number.
      Bool.random(using: &random) ? Double(bitPattern: random.next()) : Double.random(in: -10...70_000, using: &random)
    }
    var made = 0
    for _ in 0..<20_000 {
      let sourceWidth = Int.random(in: 1...Int(Int32.max), using: &random) >> Int.random(in: 0...30, using: &random)
      let sourceHeight = Int.random(in: 1...Int(Int32.max), using: &random) >> Int.random(in: 0...30, using: &random)
      let geometry = try? ResizeGeometry(
        sourceWidth: sourceWidth, sourceHeight: sourceHeight, target: CGSize(width: side(), height: side()),
        contentMode: [.aspectFill, .aspectFit, .fill].randomElement(using: &random)!,
        crop: Bool.random(using: &random), upscale: Bool.random(using: &random))
      guard let geometry else { continue }
      made += 1
      let region = geometry.region
      #expect(geometry.outputWidth >= 1 && geometry.outputHeight >= 1)
      #expect(geometry.outputWidth * geometry.outputHeight <= ResizeGeometry.defaultPixelLimit)
      #expect(region.x >= 0 && region.y >= 0 && region.width > 0 && region.height > 0)
      #expect(region.x + region.width <= Double(sourceWidth) + 0.001)
      #expect(region.y + region.height <= Double(sourceHeight) + 0.001)
      #expect([1, 2, 4, 8].contains(geometry.scaleDenominator(available: [1, 2, 4, 8])))
    }
    #expect(made > 1000)
  }

  @Test("A single side above the limit is rejected, and the limit can be lowered")
  func limits() throws {
    #expect(throws: ResizeGeometry.TooManyPixels.self) {
      try ResizeGeometry(
        sourceWidth: 40, sourceHeight: 30, target: CGSize(width: 1_000_000, height: 1), contentMode: .fill,
        upscale: true)
    }
    let target = CGSize(width: 20, height: 20)
    #expect(
      try ResizeGeometry(sourceWidth: 40, sourceHeight: 40, target: target, pixelLimit: 400)?.outputWidth == 20)
    let error = #expect(throws: ResizeGeometry.TooManyPixels.self) {
      try ResizeGeometry(sourceWidth: 40, sourceHeight: 40, target: target, pixelLimit: 399)
    }
    #expect(error?.limit == 399)
    #expect(error?.width == 20)
  }
}

@Suite("Decoding at a reduced size")
struct DecodeScaleTests {
  private func geometry(
    _ width: Int, _ height: Int, _ targetWidth: Double, _ targetHeight: Double, crop: Bool = false,
    upscale: Bool = false
  ) throws -> ResizeGeometry {
    try #require(
      try ResizeGeometry(
        sourceWidth: width, sourceHeight: height, target: CGSize(width: targetWidth, height: targetHeight),
        crop: crop, upscale: upscale))
  }

  @Test("The largest reduction that still covers the result is chosen")
  func fast() throws {
    let all = [1, 2, 4, 8]
    #expect(try geometry(4000, 3000, 320, 240).scaleDenominator(available: all) == 8)
    #expect(try geometry(4000, 3000, 500, 375).scaleDenominator(available: all) == 8)
    #expect(try geometry(4000, 3000, 501, 375).scaleDenominator(available: all) == 4)
    #expect(try geometry(4000, 3000, 2000, 1500).scaleDenominator(available: all) == 2)
    #expect(try geometry(4000, 3000, 2001, 1500).scaleDenominator(available: all) == 1)
    #expect(try geometry(4000, 3000, 320, 240).scaleDenominator(available: [1]) == 1)
    #expect(try geometry(4000, 3000, 320, 240).scaleDenominator(available: []) == 1)
    #expect(try geometry(4000, 3000, 320, 240).scaleDenominator(available: [0, -4, 4]) == 4)
    #expect(try geometry(40, 30, 400, 300, upscale: true).scaleDenominator(available: all) == 1)
  }

  @Test("Balanced quality needs twice as many pixels")
  func balanced() throws {
    let all = [1, 2, 4, 8]
    #expect(try geometry(4000, 3000, 320, 240).scaleDenominator(available: all, rule: .balanced) == 4)
    #expect(try geometry(4000, 3000, 240, 180).scaleDenominator(available: all, rule: .balanced) == 8)
    #expect(try geometry(4000, 3000, 1001, 750).scaleDenominator(available: all, rule: .balanced) == 1)
  }

  @Test("A crop counts the pixels before it is cropped")
  func cropped() throws {
    // A square of 240 needs an image of 320 x 240.
    #expect(try geometry(4000, 3000, 375, 375, crop: true).scaleDenominator(available: [1, 2, 4, 8]) == 8)
    #expect(try geometry(4000, 3000, 376, 376, crop: true).scaleDenominator(available: [1, 2, 4, 8]) == 4)
  }

  @Test("The reduced image is sampled at the same region, to the same size")
  func reduced() throws {
    let geometry = try geometry(4001, 3000, 240, 240, crop: true)
    let reduced = geometry.reduced(by: 8)
    #expect((reduced.sourceWidth, reduced.sourceHeight) == (501, 375))
    #expect((reduced.outputWidth, reduced.outputHeight) == (240, 240))
    #expect((reduced.region.x, reduced.region.y) == (62.5625, 0))
    #expect((reduced.region.width, reduced.region.height) == (375, 375))
    #expect(geometry.reduced(by: 1) == geometry)
  }
}
