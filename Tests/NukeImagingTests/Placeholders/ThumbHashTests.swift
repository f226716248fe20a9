import Foundation
import NukeImaging
import Testing

@Suite("ThumbHash")
struct ThumbHashTests {
  /// Columns of no, full, full and a fifth of coverage, each with all shades.
  private func curtain() throws -> Bitmap {
    var pixels = (0..<24 * 40).flatMap { index -> [UInt8] in
      let (x, y) = (index % 24, index / 24)
      return [UInt8(x * 10), UInt8(y * 6), 200, [0, 255, 255, 51][x / 6]]
    }
    PixelKernels.best.premultiply(&pixels, count: 24 * 40)
    return try SampleImages.bitmap(24, 40, isOpaque: false, pixels: pixels)
  }

  @Test("An image has the hash of another implementation")
  func encodes() throws {
    #expect(try ThumbHash(encoding: SampleImages.fixture("soft", 96, 64)).string == "Y9gJLYb2TXiMiIiFiMiIig6LhD+X")
    #expect(try ThumbHash(encoding: SampleImages.fixture("edges", 96, 64)).string == "YdgBBYAJJgl3h4eGUlJmhfaImXBn")
    #expect(try ThumbHash(encoding: SampleImages.fixture("soft", 13, 9)).string == "Y9gJLYb2TXiMiIiFiMiIig6LhD+X")
    #expect(try ThumbHash(encoding: SampleImages.fixture("edges", 13, 9)).string == "YdgBBYAYFgh4iHeFUnJ2dPaIm3BH")
    // Premultiplied bytes have lost what a straight pixel had; half a step of one wave may show it.
    let hash = try ThumbHash(encoding: curtain())
    #expect(hash.data.prefix(6) == Data(base64Encoded: "pAWGGw5IlICLeIiUgEf5dwaHh4eIiIg=")?.prefix(6))
    #expect(hash.data.count == 23)
  }

  // The first two are those of the format's own page; the pixels, straight, are another implementation's.
  static let decoded: [(hash: String, size: (Int, Int), pixels: [[Int]])] = [
    (
      "3OcRJYB4d3h/iIeHeEh3eIhw+j2w", (32, 23),
      [[125, 137, 159, 255], [125, 137, 159, 255], [113, 125, 139, 255], [91, 103, 39, 255], [87, 99, 46, 255]]
    ),
    (
      "1QcSHQRnh493V4dIh4eXh1h4kJUI", (23, 32),
      [[64, 78, 113, 255], [85, 109, 139, 255], [140, 110, 89, 255], [0, 12, 43, 255], [0, 4, 40, 255]]
    ),
    (
      "pAWGGw5IlICLeIiUgEf5dwaHh4eIiIg=", (19, 32),
      [[122, 75, 214, 28], [176, 54, 206, 28], [112, 121, 196, 255], [90, 176, 192, 0], [146, 176, 187, 100]]
    ),
  ]

  @Test("A hash gives the size and the pixels of another implementation", arguments: decoded)
  func decodes(_ text: String, _ size: (Int, Int), _ pixels: [[Int]]) throws {
    let hash = try ThumbHash(text)
    let image = try hash.image()
    #expect((image.pixelWidth, image.pixelHeight) == size)
    #expect(image.isOpaque == !hash.hasAlpha)
    let (right, bottom) = (size.0 - 1, size.1 - 1)
    let places = [(0, 0), (right, 0), (size.0 / 2, size.1 / 2), (0, bottom), (right, bottom)]
    for ((x, y), straight) in zip(places, pixels) {
      let expected = straight[..<3].map { Double($0) * Double(straight[3]) / 255 } + [Double(straight[3])]
      let found = image.pixel(x, y)
      #expect(zip(found, expected).allSatisfy { abs(Double($0) - $1) <= 1.5 }, "\(found) at \(x), \(y)")
    }
  }

  @Test("It contains the aspect ratio, the mean color and whether there is alpha")
  func facts() throws {
    let wide = try ThumbHash(encoding: SampleImages.fixture("soft", 96, 64))
    #expect(wide.aspectRatio == 1.4)
    #expect(!wide.hasAlpha)
    #expect(wide.averageColor.alpha == 1)
    #expect(abs(wide.averageColor.red - 0.5) < 0.1)
    let tall = try ThumbHash(encoding: curtain())
    #expect(tall.aspectRatio < 0.7)
    #expect(tall.hasAlpha)
    #expect(abs(tall.averageColor.alpha - 0.55) < 0.05)
    #expect(try tall.image(maxPixelSize: 100).pixelHeight == 100)
  }

  @Test("Images of any size and aspect ratio can be encoded and decoded")
  func roundTrips() throws {
    var random = SeededGenerator(seed: 41)
    for index in 0..<60 {
      let (width, height) = (Int.random(in: 1...140, using: &random), Int.random(in: 1...140, using: &random))
      let image = try SampleImages.noise(width, height, isOpaque: index % 2 == 0, random: &random)
      let hash = try ThumbHash(encoding: image)
      #expect(try ThumbHash(hash.string) == hash)
      #expect(try ThumbHash(hash.data) == hash)
      #expect(hash.hasAlpha == !image.isOpaque)
      let bytes = try hash.image(maxPixelSize: 9).bytes
      let valid = stride(from: 0, to: bytes.count, by: 4).allSatisfy { i in
        bytes[i..<i + 3].allSatisfy { $0 <= bytes[i + 3] }
      }
      #expect(valid, "color stays within alpha")
    }
  }

  @Test("Base64 padding is optional")
  func padding() throws {
    let padded = "pAWGGw5IlICLeIiUgEf5dwaHh4eIiIg="
    #expect(try ThumbHash(String(padded.dropLast())) == ThumbHash(padded))
  }

  @Test("Errors of invalid text and bytes state the problem and the position")
  func badTexts() {
    let cases: [(String, PlaceholderError)] = [
      ("", .wrongLength(expected: 5, found: 0)), ("3OcRJQ==", .wrongLength(expected: 5, found: 4)),
      ("3OcRJYB4d3h/iIeHeEh3eIhw+j0=", .wrongLength(expected: 21, found: 20)),
      ("3OcRJYB4d3h/iIeHeEh3eIhw+j2wAA==", .wrongLength(expected: 21, found: 22)),
      ("3OcRJ!B4", .invalidCharacter("!", position: 5)), ("3OcRé", .invalidCharacter("é", position: 4)),
      // No waves along the shorter side.
      ("3OcRAAB4d3h/iIeHeEh3eIhw+j2w", .valueOutOfRange(position: 3)),
      (String(repeating: "A", count: 1_000_000), .wrongLength(expected: 25, found: 1_000_000)),
    ]
    for (text, expected) in cases {
      let error = #expect(throws: PlaceholderError.self) { try ThumbHash(text) }
      #expect(error == expected, "\(text.prefix(40))")
    }
    #expect(throws: PlaceholderError.wrongLength(expected: 5, found: 0)) { try ThumbHash(Data()) }
    #expect(throws: PlaceholderError.emptyImage) { try ThumbHash(encoding: Bitmap()) }
  }

  @Test("Random bytes are rejected or parsed, and can then be rendered")
  func hostileBytes() throws {
    var random = SeededGenerator(seed: 42)
    var read = 0
    for _ in 0..<4000 {
      let data = Data(random.bytes(Int.random(in: 0...30, using: &random)))
      guard let hash = try? ThumbHash(data) else { continue }
      read += 1
      #expect(try hash.image(maxPixelSize: 4).bytes.count >= 4)
    }
    #expect(read > 50)
  }

  @Test("Sizes out of range are rejected")
  func outOfRange() throws {
    let hash = try ThumbHash("3OcRJYB4d3h/iIeHeEh3eIhw+j2w")
    for side in [0, -1, 1025, .max] {
      #expect(throws: PlaceholderError.sizeOutOfRange(width: side, height: side, limit: 1024)) {
        try hash.image(maxPixelSize: side)
      }
    }
    #expect(try hash.image(maxPixelSize: 1).byteCount == 4)
  }

  @Test("A hash is a string in JSON")
  func coding() throws {
    let hash = try ThumbHash("3OcRJYB4d3h/iIeHeEh3eIhw+j2w")
    #expect(try JSONDecoder().decode([ThumbHash].self, from: JSONEncoder().encode([hash])) == [hash])
    #expect(throws: DecodingError.self) { try JSONDecoder().decode([ThumbHash].self, from: Data("[\"3O\"]".utf8)) }
  }
}
