import Foundation
import NukeImaging
import Testing

@Suite("Rounding corners")
struct RoundedShapeTests {
  private typealias Corner = RoundedShape.Corner

  private static let mixed = RoundedShape.Corners(
    topLeft: Corner(width: 7.3, height: 4), topRight: Corner(radius: 0), bottomLeft: Corner(radius: 11.5),
    bottomRight: Corner(width: 2, height: 9))

  /// The share of a pixel that lies within the shape, by counting 40 x 40 points.
  private func counted(_ x: Int, _ y: Int, _ width: Double, _ height: Double, _ corners: RoundedShape.Corners) -> Double
  {
    func inside(_ x: Double, _ y: Double) -> Bool {
      func distance(_ corner: Corner, _ fromSide: Double, _ fromEnd: Double) -> (Double, Double)? {
        guard fromSide < corner.width, fromEnd < corner.height else { return nil }
        return ((corner.width - fromSide) / corner.width, (corner.height - fromEnd) / corner.height)
      }
      let all = [
        distance(corners.topLeft, x, y), distance(corners.topRight, width - x, y),
        distance(corners.bottomLeft, x, height - y), distance(corners.bottomRight, width - x, height - y),
      ]
      return all.allSatisfy { $0.map { $0.0 * $0.0 + $0.1 * $0.1 <= 1 } ?? true }
    }
    let steps = 40
    let hits = (0..<steps * steps).count {
      inside(
        Double(x) + (Double($0 % steps) + 0.5) / Double(steps), Double(y) + (Double($0 / steps) + 0.5) / Double(steps))
    }
    return Double(hits) / Double(steps * steps)
  }

  private func white(_ width: Int, _ height: Int) throws -> Bitmap {
    try SampleImages.even(width, height, [255, 255, 255, 255])
  }

  @Test("Each pixel is weighted by the area that the shape covers")
  func coverage() throws {
    let cases: [(Int, Int, RoundedShape.Corners)] = [
      (40, 30, .init(all: Corner(radius: 8))), (40, 30, .init(all: Corner(radius: 8.37))),
      (31, 31, .init(all: Corner(radius: 15.5))),
      (5, 5, .init(all: Corner(radius: 2.5))), (40, 30, Self.mixed),
      (24, 9, .init(all: Corner(width: 12, height: 4.5))),
      (2, 2, .init(all: Corner(radius: 1))), (1, 1, .init(all: Corner(radius: 0.5))),
      (3, 7, .init(all: Corner(radius: 0.6))),
    ]
    for (width, height, corners) in cases {
      let result = try #require(white(width, height).clipped(to: corners)).bytes
      for y in 0..<height {
        for x in 0..<width {
          let found = Double(result[(y * width + x) * 4 + 3]) / 255
          let expected = counted(x, y, Double(width), Double(height), corners)
          #expect(abs(found - expected) <= 0.012, "\(x), \(y) of \(width)x\(height)")
        }
      }
    }
  }

  @Test("The area of a circle is π r²")
  func area() throws {
    for side in [1, 2, 3, 8, 101] {
      let result = try #require(white(side, side).clipped(to: .init(all: Corner(radius: .infinity)))).bytes
      let sum = stride(from: 3, to: result.count, by: 4).reduce(0.0) { $0 + Double(result[$1]) } / 255
      let exact = Double.pi * Double(side * side) / 4
      #expect(abs(sum - exact) <= 0.003 * Double(4 * side), "\(side)")
    }
  }

  @Test("Equal corners are symmetric")
  func symmetry() throws {
    for (width, height) in [(33, 20), (16, 16), (7, 30)] {
      for radius in [3, 6.25, 100] {
        let bytes = try #require(white(width, height).clipped(to: .init(all: Corner(radius: radius)))).bytes
        for y in 0..<height {
          for x in 0..<width {
            let alpha = bytes[(y * width + x) * 4]
            #expect(alpha == bytes[(y * width + width - 1 - x) * 4])
            #expect(alpha == bytes[((height - 1 - y) * width + x) * 4])
          }
        }
      }
    }
  }

  @Test("Corners that overlap are reduced by a common factor")
  func largeCorners() throws {
    let source = try white(30, 20)
    let most = try #require(source.clipped(to: .init(all: Corner(radius: 10)))).bytes
    for radius in [10.5, 15, 1e9, .infinity] {
      #expect(try #require(source.clipped(to: .init(all: Corner(radius: radius)))).bytes == most)
    }
  }

  @Test("Square corners leave the image unchanged", arguments: [0, -4, .nan, -.infinity] as [Double])
  func square(_ radius: Double) throws {
    let source = try white(6, 4)
    #expect(source.clipped(to: .init(all: Corner(radius: radius))) === source)
    let outline = Bitmap.Outline(color: .red, width: radius)
    #expect(source.clipped(to: .init(all: Corner(radius: radius)), outline: outline) === source)
    #expect(source.clipped(to: .init(all: Corner(radius: 0)), outline: .init(color: .clear, width: 2)) === source)
    #expect(Bitmap().clipped(to: .init(all: Corner(radius: 3))) == nil)
  }

  @Test("A border lies inside of the edge, has a constant width, and is drawn over the image")
  func outline() throws {
    let source = try white(12, 10)
    let red = try #require(source.clipped(to: .init(all: Corner(radius: 0)), outline: .init(color: .red, width: 2)))
    #expect(red.isOpaque)
    for y in 0..<10 {
      for x in 0..<12 {
        let onEdge = x < 2 || y < 2 || x >= 10 || y >= 8
        #expect(
          Array(red.bytes[(y * 12 + x) * 4..<(y * 12 + x) * 4 + 4])
            == (onEdge ? [255, 0, 0, 255] : [255, 255, 255, 255]))
      }
    }
    let half = Color(red: 0, green: 0, blue: 0, alpha: 0.5)
    let veiled = try #require(source.clipped(to: .init(all: Corner(radius: 0)), outline: .init(color: half, width: 1)))
    #expect(veiled.isOpaque)
    #expect(Array(veiled.bytes.prefix(4)) == [127, 127, 127, 255])
    // Half a pixel of the line, half of the image.
    let thin = try #require(
      source.clipped(to: .init(all: Corner(radius: 0)), outline: .init(color: .black, width: 0.5)))
    #expect(Array(thin.bytes[(5 * 12) * 4..<(5 * 12) * 4 + 4]) == [128, 128, 128, 255])
    // Wider than the image: there is nothing but line.
    let full = try #require(
      source.clipped(to: .init(all: Corner(radius: 0)), outline: .init(color: .blue, width: .infinity)))
    #expect(full.bytes == (0..<120).flatMap { _ in [0, 0, 255, 255] as [UInt8] })
  }

  @Test("Premultiplied color never exceeds alpha, for all combinations of images")
  func validPixels() throws {
    var random = SeededGenerator(seed: 30)
    for index in 0..<60 {
      let (width, height) = (Int.random(in: 1...40, using: &random), Int.random(in: 1...40, using: &random))
      let source = try SampleImages.noise(width, height, isOpaque: index % 2 == 0, random: &random).withScale(3)
      func unit() -> Double { Double.random(in: 0...1, using: &random) }
      let color = Color(red: unit(), green: unit(), blue: unit(), alpha: index % 3 == 0 ? 1 : unit())
      let outline = Bitmap.Outline(color: color, width: unit() * 9)
      let corner = Corner(width: unit() * 30, height: unit() * 30)
      let result = try #require(source.clipped(to: .init(all: corner), outline: outline))
      #expect(result.scale == 3)
      #expect(!result.isOpaque)
      #expect(result.isLawful)
    }
  }

  @Test("Fully covered pixels are copied, and uncovered ones are transparent")
  func copies() throws {
    var random = SeededGenerator(seed: 31)
    let source = try SampleImages.noise(20, 20, isOpaque: false, random: &random)
    let result = try #require(source.clipped(to: .init(all: Corner(radius: 10)))).bytes
    let expected = source.bytes
    #expect(Array(result[0..<4]) == [0, 0, 0, 0])
    #expect(Array(result[10 * 80 + 8..<10 * 80 + 72]) == Array(expected[10 * 80 + 8..<10 * 80 + 72]))
  }

  @Test("A square is cropped from the center")
  func squares() throws {
    var random = SeededGenerator(seed: 32)
    let wide = try SampleImages.noise(11, 4, isOpaque: true, random: &random).withScale(2)
    let cut = try #require(wide.croppedToSquare())
    #expect((cut.pixelWidth, cut.pixelHeight, cut.scale, cut.isOpaque) == (4, 4, 2, true))
    #expect(cut.bytes == wide.bytes(ofColumns: 3..<7))
    #expect(cut.croppedToSquare() === cut)
    #expect(Bitmap().croppedToSquare() == nil)
    #expect(wide.cropped(x: 8, y: 0, width: 4, height: 1) == nil)
    #expect(wide.cropped(x: -1, y: 0, width: 4, height: 1) == nil)
  }
}
