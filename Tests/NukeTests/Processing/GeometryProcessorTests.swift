import Foundation
import Nuke
import NukeTesting
import Testing

@Suite("Geometry processors")
struct GeometryProcessorTests {
  typealias Gravity = ImageProcessingOptions.Gravity
  typealias Crop = ImageProcessors.Crop
  typealias Rotate = ImageProcessors.Rotate
  typealias Flip = ImageProcessors.Flip
  typealias Pad = ImageProcessors.Pad
  typealias Overlay = ImageProcessors.Overlay

  private let image = SampleImage.bitmap(width: 40, height: 20, scale: 2)
  private let glass = SampleImage.bitmap(width: 40, height: 20, scale: 2, isOpaque: false)

  private func pixel(_ image: PlatformImage?, _ x: Int, _ y: Int) -> [UInt8] { image?.pixel(x, y) ?? [] }

  private func size(_ image: PlatformImage?) -> [Int] { image?.pixelSize ?? [] }

  @Test("A crop rectangle has its origin at the upper left, and parts outside are ignored")
  func cropRect() {
    let crop = Crop(rect: CGRect(x: 30, y: 4.4, width: 50, height: 5), unit: .pixels)
    let result = crop.process(image)
    #expect(size(result) == [10, 5])
    #expect(result?.scale == 2)
    #expect(pixel(result, 0, 0) == pixel(image, 30, 4))
    #expect(Crop(rect: CGRect(x: -9, y: -9, width: 900, height: 900), unit: .pixels).process(image) === image)
    for rect in [
      CGRect(x: 41, y: 0, width: 5, height: 5), CGRect(x: 0, y: 0, width: 0, height: 5),
      .init(x: 0, y: 0, width: CGFloat.nan, height: 4),
    ] {
      #expect(Crop(rect: rect, unit: .pixels).error(image) == "the requested area lies outside the image")
    }
  }

  private static let places: [(Gravity, Int, Int)] = [
    (Gravity.center, 15, 8), (Gravity.top, 15, 0), (Gravity.bottom, 15, 16), (Gravity.left, 0, 8),
    (Gravity.right, 30, 8), (Gravity.topLeft, 0, 0), (Gravity.topRight, 30, 0), (Gravity.bottomLeft, 0, 16),
    (Gravity.bottomRight, 30, 16), (Gravity.focalPoint(x: 0.5, y: 0.75), 15, 13),
    (Gravity.focalPoint(x: 2, y: -1), 30, 0), (Gravity.focalPoint(x: .nan, y: .nan), 15, 8),
  ]

  @Test("A crop to a size is positioned by its gravity", arguments: places)
  func cropGravity(_ gravity: Gravity, _ x: Int, _ y: Int) {
    let result = Crop(size: CGSize(width: 10, height: 4), unit: .pixels, gravity: gravity).process(image)
    #expect(size(result) == [10, 4])
    #expect(pixel(result, 0, 0) == pixel(image, x, y))
  }

  @Test("A crop is never larger than the image, and invalid sides are ignored")
  func cropLimits() {
    #expect(size(Crop(size: CGSize(width: 100, height: 3), unit: .pixels).process(image)) == [40, 3])
    #expect(size(Crop(size: CGSize(width: 0.2, height: 3), unit: .pixels).process(image)) == [1, 3])
    for side in [0, -4, .nan, .infinity] as [CGFloat] {
      #expect(Crop(size: CGSize(width: side, height: side), unit: .pixels).process(image) === image)
    }
  }

  @Test("Attention finds the region with the most detail", arguments: [(200, 90), (10, 5), (270, 160), (150, 20)])
  func attention(_ x: Int, _ y: Int) throws {
    let pattern = try #require(
      PlatformImage(pixelWidth: 300, pixelHeight: 180, isOpaque: true) { bytes in
        for place in 0..<300 * 180 {
          let (column, row) = (place % 300, place / 300)
          let inside = (x..<x + 20).contains(column) && (y..<y + 15).contains(row)
          let value: UInt8 = inside ? ((column / 3 + row / 3) % 2 == 0 ? 255 : 0) : 120
          for channel in 0..<4 { bytes[place * 4 + channel] = channel == 3 ? 255 : value }
        }
      })
    let result = try #require(
      Crop(size: CGSize(width: 60, height: 60), unit: .pixels, gravity: .attention).process(pattern))
    #expect(size(result) == [60, 60])
    let seen = result.pixels.count { $0 == 0 }
    #expect(seen * 10 > pattern.pixels.count { $0 == 0 } * 9)
    let even = try #require(
      Crop(size: CGSize(width: 20, height: 20), unit: .pixels, gravity: .attention).process(
        PlatformImage(pixelWidth: 40, pixelHeight: 20, isOpaque: true) {
          $0.initializeMemory(as: UInt8.self, repeating: 255)
        }!))
    #expect(size(even) == [20, 20])
  }

  @Test("Rotations by multiples of 90° are clockwise and exact")
  func quarterTurns() {
    let right = Rotate(degrees: 90).process(image)
    #expect(size(right) == [20, 40])
    #expect(right?.isOpaque == true)
    #expect(right?.scale == 2)
    #expect(pixel(right, 19, 0) == pixel(image, 0, 0))
    #expect(pixel(right, 0, 0) == pixel(image, 0, 19))
    #expect(Rotate(degrees: -270).process(image)?.pixels == right?.pixels)
    #expect(Rotate(degrees: 450) == Rotate(degrees: 90))
    #expect(pixel(Rotate(degrees: 180).process(image), 0, 0) == pixel(image, 39, 19))
    #expect(pixel(Rotate(degrees: 270).process(image), 0, 0) == pixel(image, 39, 0))
    for degrees in [0, 360, -720, .nan, .infinity] as [CGFloat] {
      #expect(Rotate(degrees: degrees).process(image) === image)
    }
  }

  @Test("Other rotations contain the whole image, are transparent around it, and keep its center")
  func freeTurns() throws {
    let result = try #require(Rotate(degrees: 30).process(image))
    #expect(size(result) == [45, 38])
    #expect(!result.isOpaque)
    #expect(pixel(result, 0, 0) == [0, 0, 0, 0])
    // What is covered has the area of the image.
    let covered = result.alphas.reduce(0) { $0 + Int($1) } / 255
    #expect(abs(covered - 800) <= 8)
    #expect(result.isPremultiplied)
    // A turn of an even disc is the same disc.
    let disc = try #require(
      ImageProcessors.Circle().process(
        PlatformImage(pixelWidth: 31, pixelHeight: 31, isOpaque: true) {
          $0.initializeMemory(as: UInt8.self, repeating: 255)
        }!))
    let turned = try #require(Rotate(degrees: 45).process(disc))
    #expect(pixel(turned, turned.pixelWidth / 2, turned.pixelHeight / 2) == [255, 255, 255, 255])
  }

  @Test("A flip mirrors horizontally or vertically")
  func flips() {
    #expect(pixel(Flip(.horizontal).process(image), 0, 3) == pixel(image, 39, 3))
    #expect(pixel(Flip(.vertical).process(image), 5, 0) == pixel(image, 5, 19))
    #expect(Flip(.vertical).process(glass).flatMap { Flip(.vertical).process($0) }?.pixels == glass.pixels)
  }

  @Test("An ellipse fills the image, and with a border an opaque image stays opaque")
  func ellipses() throws {
    let result = try #require(ImageProcessors.Ellipse().process(image))
    let sum = result.alphas.reduce(0) { $0 + Int($1) }
    #expect(abs(Double(sum) / 255 - .pi * 20 * 10) <= 0.5)
    #expect(pixel(result, 20, 10) == pixel(image, 20, 10))
    let border = ImageProcessingOptions.Border(color: .red, width: 2, unit: .pixels)
    let framed = try #require(ImageProcessors.Border(border).process(image))
    #expect(framed.isOpaque)
    #expect(pixel(framed, 1, 10) == [255, 0, 0, 255])
    #expect(pixel(framed, 2, 10) == pixel(image, 2, 10))
    #expect(pixel(ImageProcessors.Ellipse(border: border).process(image), 20, 1) == [255, 0, 0, 255])
  }

  @Test("Each corner may have its own radius")
  func corners() throws {
    typealias Corners = ImageProcessors.RoundedCorners
    let result = try #require(Corners(topLeft: 8, bottomRight: 4, unit: .pixels).process(image))
    #expect(pixel(result, 0, 0)[3] == 0)
    #expect(pixel(result, 39, 0) == pixel(image, 39, 0))
    #expect(pixel(result, 0, 19) == pixel(image, 0, 19))
    #expect(pixel(result, 39, 19)[3] < 128)
    #expect(
      Corners(topLeft: 4, topRight: 4, bottomLeft: 4, bottomRight: 4, unit: .pixels)
        == Corners(radius: 4, unit: .pixels))
    #expect(
      Corners(topLeft: 8, bottomRight: 4, unit: .pixels).identifier
        == "org.nuke.rounded_corners?radius=8.0/0.0/0.0/4.0,border=none")
  }

  @Test("A pad places the image on a larger canvas, by its gravity")
  func pads() throws {
    let result = try #require(Pad(size: CGSize(width: 50, height: 10), unit: .pixels, color: .red).process(image))
    #expect(size(result) == [50, 20])
    #expect(result.isOpaque && result.scale == 2)
    #expect(pixel(result, 4, 0) == [255, 0, 0, 255])
    #expect(pixel(result, 5, 0) == pixel(image, 0, 0))
    let corner = Pad(size: CGSize(width: 42, height: 24), unit: .pixels, gravity: .bottomRight).process(image)
    #expect(corner?.isOpaque == false)
    #expect(pixel(corner, 2, 4) == pixel(image, 0, 0))
    #expect(pixel(corner, 1, 4) == [0, 0, 0, 0])
    for side in [0, -3, .nan, 30] as [CGFloat] {
      #expect(Pad(size: CGSize(width: side, height: 5), unit: .pixels).process(image) === image)
    }
    func error(width: CGFloat) -> String { Pad(size: CGSize(width: width, height: 5), unit: .pixels).error(image) }
    #expect(error(width: 1e9).contains("a side may have at most"))
    #expect(error(width: .infinity).contains("a side may have at most"))
  }

  @Test("A flattened image is opaque, over the color")
  func flattens() throws {
    #expect(ImageProcessors.Flatten().process(image) === image)
    let result = try #require(ImageProcessors.Flatten(color: Color(red: 1, green: 0, blue: 0, alpha: 0)).process(glass))
    #expect(result.isOpaque && result.scale == 2)
    let (before, after) = (pixel(glass, 3, 3), pixel(result, 3, 3))
    #expect(before[3] == 128)
    #expect(abs(Int(after[0]) - Int(before[0]) - 127) <= 1)
    #expect(after[1] == before[1])
  }

  @Test("An overlay has the requested gravity, margin, size and opacity")
  func overlays() throws {
    let mark = try #require(
      PlatformImage(pixelWidth: 8, pixelHeight: 4, isOpaque: true) {
        for place in 0..<32 {
          for (channel, value) in [0, 0, 200, 255].enumerated() { $0[place * 4 + channel] = UInt8(value) }
        }
      })
    let blue: [UInt8] = [0, 0, 200, 255]
    let result = try #require(Overlay(image: mark, id: "mark", margin: 3, unit: .pixels).process(image))
    #expect(size(result) == [40, 20])
    #expect(result.isOpaque && result.scale == 2)
    #expect(pixel(result, 29, 13) == blue && pixel(result, 36, 16) == blue)
    #expect(pixel(result, 28, 13) == pixel(image, 28, 13) && pixel(result, 37, 16) == pixel(image, 37, 16))
    let center = Overlay(image: mark, id: "mark", gravity: .center, margin: 3, unit: .pixels, opacity: 0.5).process(
      image)
    let (below, mixed) = (pixel(image, 20, 10), pixel(center, 20, 10))
    #expect(abs(Int(mixed[0]) * 2 - Int(below[0])) <= 1 && abs(Int(mixed[2]) * 2 - Int(below[2]) - 200) <= 1)
    let wide = Overlay(image: mark, id: "mark", gravity: .topLeft, scale: 0.5).process(image)
    #expect(pixel(wide, 19, 9) == blue && pixel(wide, 20, 9) == pixel(image, 20, 9))
    // Larger than the image, it is cut.
    #expect(pixel(Overlay(image: image, id: "mark", gravity: .center).process(mark), 0, 0) == pixel(image, 16, 8))
    for opacity in [0, -1, .nan] as [CGFloat] {
      #expect(Overlay(image: mark, id: "mark", opacity: opacity).process(image) === image)
    }
    #expect(Overlay(image: PlatformImage(), id: "none").process(image) === image)
    #expect(
      Overlay(image: mark, id: "mark", opacity: 0.5, scale: 0.25).identifier
        == "org.nuke.overlay?gravity=bottomRight,margin=0.0,opacity=0.5,scale=0.25,mode=normal,id=mark")
  }

  @Test("A blend applies a color where the image is opaque")
  func blends() throws {
    let red = try #require(ImageProcessors.Blend(color: .red, mode: .multiply).process(glass))
    #expect(red.alphas == glass.alphas)
    #expect(pixel(red, 3, 3) == [pixel(glass, 3, 3)[0], 0, 0, 128])
    let veil = ImageProcessors.Blend(color: Color(white: 0, alpha: 0.5)).process(image)
    #expect(veil?.isOpaque == true && veil?.scale == 2)
    for channel in 0..<3 {
      #expect(abs(Int(pixel(veil, 7, 7)[channel]) * 2 - Int(pixel(image, 7, 7)[channel])) <= 2)
    }
    for mode in BlendMode.allCases {
      let result = try #require(ImageProcessors.Blend(color: Color(white: 0.3, alpha: 0.7), mode: mode).process(glass))
      #expect(result.alphas == glass.alphas)
    }
  }

  @Test("Sharpening increases differences between neighbors, and has no effect without radius or amount")
  func sharpens() throws {
    let soft = try #require(ImageProcessors.GaussianBlur(radius: 2).process(image))
    let sharp = try #require(ImageProcessors.Sharpen(radius: 2, amount: 1).process(soft))
    func contrast(_ image: PlatformImage) -> Int {
      (1..<40).reduce(0) { $0 + abs(Int(pixel(image, $1, 9)[1]) - Int(pixel(image, $1 - 1, 9)[1])) }
    }
    #expect(contrast(sharp) > contrast(soft))
    for none in [0, -1, .nan] as [CGFloat] {
      #expect(ImageProcessors.Sharpen(radius: none).process(image) === image)
      #expect(ImageProcessors.Sharpen(amount: none).process(image) === image)
    }
  }
}
