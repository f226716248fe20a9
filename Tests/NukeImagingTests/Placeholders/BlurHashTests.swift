import Foundation
import NukeImaging
import Testing

@Suite("BlurHash")
struct BlurHashTests {
  private func even(_ pixel: [UInt8], _ width: Int = 32, _ height: Int = 32) throws -> Bitmap {
    try SampleImages.even(width, height, pixel)
  }

  // What Wolt's own C code makes of the same pixels.
  static let encoded: [(image: String, x: Int, y: Int, hash: String)] = [
    ("soft", 4, 3, "LVG,5?xk,}=#%^odoMoeM,fRW=WX"),
    ("soft", 1, 1, "00G,5?"),
    ("soft", 6, 2, "EVG,5?xk,}=#6~X-%^odoMoeW;ba"),
    ("edges", 4, 3, "L1Lh0n~q00?b~qWBRjofM{t74nIU"),
    ("edges", 6, 2, "E1Lh0n~q00?b4n~q~qWBRjofRjof"),
    (
      "soft", 9, 9,
      "|VG,5?xk,}=#6~X-OUP8a#%^odoMoeW;babHbaa}M,fRW=WXo2a#a#ahaz]CoKsWsVNwa#WWayay;lj@o3sCS3azayf6jsS$bFa~a#jZf7jZj?"
        + "j@srbFf9jbayjaj?j[fks=bFa$jbayj[j@fkbHoRa_fAjca{j[fjfRaz"
    ),
  ]

  @Test("An image has the hash of the reference implementation", arguments: encoded)
  func encodes(_ image: String, _ x: Int, _ y: Int, _ expected: String) throws {
    let hash = try BlurHash(encoding: SampleImages.fixture(image, 96, 64), components: (x, y))
    #expect(hash.string == expected)
    #expect(hash.components == (x, y))
  }

  @Test("Uniform colors have their known hashes")
  func evenColors() throws {
    #expect(try BlurHash(encoding: even([0, 0, 0, 255])).string == "L00000fQfQfQfQfQfQfQfQfQfQfQ")
    #expect(try BlurHash(encoding: even([255, 255, 255, 255])).string == "L9TSUA~qfQ~q~qoffQoffQfQfQfQ")
    #expect(try BlurHash(encoding: even([128, 128, 128, 255])).string == "L1Eyb[~qfQ~q~qoffQoffQfQfQfQ")
  }

  // The two hashes are the first of the format's own page; the pixels are those of its authors' C code.
  static let decoded: [(hash: String, punch: Double, pixels: [[Int]])] = [
    (
      "LEHV6nWB2yk8pyo0adR*.7kCMdnj", 1,
      [[135, 164, 177], [144, 167, 179], [161, 145, 141], [132, 144, 149], [139, 143, 146]]
    ),
    (
      "LEHV6nWB2yk8pyo0adR*.7kCMdnj", 2,
      [[116, 176, 201], [136, 182, 204], [169, 139, 133], [109, 137, 149], [126, 136, 142]]
    ),
    (
      "LGF5]+Yk^6#M@-5c,1J5@[or[Q6.", 1,
      [[176, 118, 163], [210, 82, 126], [94, 129, 186], [163, 161, 113], [119, 106, 122]]
    ),
    (
      "LGF5]+Yk^6#M@-5c,1J5@[or[Q6.", 2,
      [[210, 109, 173], [255, 0, 91], [0, 133, 213], [188, 189, 35], [106, 78, 76]]
    ),
  ]

  @Test("A hash gives the pixels of the reference implementation", arguments: decoded)
  func decodes(_ text: String, _ punch: Double, _ pixels: [[Int]]) throws {
    let image = try BlurHash(text).image(width: 8, height: 6, punch: punch)
    #expect((image.pixelWidth, image.pixelHeight) == (8, 6))
    #expect(image.isOpaque)
    for ((x, y), expected) in zip([(0, 0), (7, 0), (3, 2), (0, 5), (7, 5)], pixels) {
      let found = image.pixel(x, y)
      #expect(zip(found, expected + [255]).allSatisfy { abs($0 - $1) <= 1 }, "\(found) at \(x), \(y)")
    }
  }

  @Test("Every number of components can be encoded and decoded")
  func roundTrips() throws {
    let image = try SampleImages.fixture("soft", 96, 64)
    for y in 1...9 {
      for x in 1...9 {
        let hash = try BlurHash(encoding: image, components: (x, y))
        #expect(hash.string.count == 4 + 2 * x * y)
        #expect(try BlurHash(hash.string) == hash)
        #expect(try hash.image(width: 3, height: 2).pixelWidth == 3)
      }
    }
  }

  @Test("More components reduce the error")
  func converges() throws {
    let original = try SampleImages.fixture("soft", 13, 9)
    let errors = try [(1, 1), (3, 3), (9, 9)].map { components in
      let image = try BlurHash(encoding: original, components: components).image(width: 13, height: 9)
      return zip(image.bytes, original.bytes).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    }
    #expect(errors[0] > errors[1] && errors[1] > errors[2])
  }

  @Test("A large image has nearly the hash of a reduced one, with the same mean")
  func largeImages() throws {
    let small = try SampleImages.fixture("soft", 96, 64)
    let geometry = try #require(
      try ResizeGeometry(
        sourceWidth: 96, sourceHeight: 64, target: CGSize(width: 960, height: 640), contentMode: .fill, upscale: true))
    let large = try #require(small.resized(geometry, filter: .nearest))
    let (one, other) = (try BlurHash(encoding: small), try BlurHash(encoding: large))
    let (a, b) = (try one.image(width: 12, height: 8).bytes, try other.image(width: 12, height: 8).bytes)
    #expect(zip(a, b).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) } < 3 * a.count)
  }

  @Test("Transparent pixels are drawn over the background")
  func backgrounds() throws {
    let nothing = try even([0, 0, 0, 0])
    let colors = try [Color.white, .red].map { try BlurHash(encoding: nothing, components: (1, 1), background: $0) }
    #expect(colors.map(\.averageColor.hex) == ["#FFFFFF", "#FF0000"])
    #expect(try BlurHash(encoding: nothing) == BlurHash(encoding: even([255, 255, 255, 255])))
  }

  @Test("Errors of invalid text state the problem and the position")
  func badTexts() {
    let cases: [(String, PlaceholderError)] = [
      ("", .wrongLength(expected: 6, found: 0)), ("00G,5", .wrongLength(expected: 6, found: 5)),
      ("00G,5?0", .wrongLength(expected: 6, found: 7)),
      ("LEHV6nWB2yk8pyo0adR*.7kCMdn", .wrongLength(expected: 28, found: 27)),
      ("LEHV6nWB2yk8pyo0adR*.7kCMdnj0", .wrongLength(expected: 28, found: 29)),
      ("LEHV6n\"B2yk8pyo0adR*.7kCMdnj", .invalidCharacter("\"", position: 6)),
      ("LEHV6nWB2yk8pyo0adR*.7kCMdné", .invalidCharacter("é", position: 27)),
      ("LEHV6\u{0}WB2yk8pyo0adR*.7kCMdnj", .invalidCharacter("\u{0}", position: 5)),
      // 81 of 0...80, colors of more than 24 bits, three levels of more than 0...18.
      ("}0000000", .valueOutOfRange(position: 0)), ("00~~~~", .valueOutOfRange(position: 2)),
      ("100000~~", .valueOutOfRange(position: 6)),
      (String(repeating: "0", count: 1_000_000), .wrongLength(expected: 166, found: 1_000_000)),
    ]
    for (text, expected) in cases {
      let error = #expect(throws: PlaceholderError.self) { try BlurHash(text) }
      #expect(error == expected, "\(text.prefix(40))")
    }
    #expect(
      PlaceholderError.invalidCharacter("\"", position: 6).description
        == "the character \"\\\"\" at position 6 is not allowed in this hash")
  }

  @Test("Random text is rejected or parsed, and can then be rendered")
  func hostileTexts() throws {
    var random = SeededGenerator(seed: 40)
    let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~ é\"")
    var read = 0
    for index in 0..<3000 {
      let components = (Int.random(in: 1...9, using: &random), Int.random(in: 1...9, using: &random))
      let length = index % 3 == 0 ? Int.random(in: 0...40, using: &random) : 2 * components.0 * components.1 + 4
      var text = (0..<length).map { _ in alphabet[Int.random(in: 0..<80, using: &random)] }
      if index % 3 != 0 { text[0] = alphabet[components.0 - 1 + (components.1 - 1) * 9] }
      if index % 3 != 0 { text[2] = "0" }
      guard let hash = try? BlurHash(String(text)) else { continue }
      read += 1
      #expect(try hash.image(width: 4, height: 3, punch: 50).bytes.count == 48)
    }
    #expect(read > 300)
  }

  @Test("Sizes and numbers of components out of range are rejected")
  func outOfRange() throws {
    let hash = try BlurHash("00G,5?")
    for (width, height) in [(0, 1), (1, 0), (-1, 5), (1025, 1), (1, .max)] {
      #expect(throws: PlaceholderError.sizeOutOfRange(width: width, height: height, limit: 1024)) {
        try hash.image(width: width, height: height)
      }
    }
    #expect(try hash.image(width: 1024, height: 1).pixelWidth == 1024)
    let image = try even([1, 2, 3, 255])
    for components in [(0, 3), (4, 10), (-1, 1), (.max, 1)] {
      #expect(throws: PlaceholderError.componentsOutOfRange(x: components.0, y: components.1)) {
        try BlurHash(encoding: image, components: components)
      }
    }
    #expect(throws: PlaceholderError.emptyImage) { try BlurHash(encoding: Bitmap()) }
    #expect(try hash.image(width: 2, height: 2, punch: .nan).bytes == hash.image(width: 2, height: 2).bytes)
  }

  @Test("A hash is a string in JSON")
  func coding() throws {
    let hash = try BlurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj")
    let json = try JSONEncoder().encode([hash])
    #expect(String(decoding: json, as: UTF8.self) == "[\"LEHV6nWB2yk8pyo0adR*.7kCMdnj\"]")
    #expect(try JSONDecoder().decode([BlurHash].self, from: json) == [hash])
    #expect(throws: DecodingError.self) { try JSONDecoder().decode([BlurHash].self, from: Data("[\"L\"]".utf8)) }
  }
}
