#if AVIF || HEIC || JPEGXL
  import Foundation
  import NukeCodecs
  import NukeImaging
  import Testing

  /// A line of the manifests that `Scripts/fixtures/avif.py`, `heic.py` and `jxl.py` write: a file and what reading it must
  /// give.
  struct DeepFixture: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    /// As stored, but cut.
    let width: Int
    let height: Int
    let bits: Int
    let model: String
    /// `true` if the file has alpha, and whether every pixel of it is opaque nevertheless.
    let alpha: Bool
    let opaque: Bool
    let profile: String?
    let orientation: Int
    let frames: Int
    /// Thousandths of a second.
    let delays: [Int]
    let loops: Int?
    private let tolerance: Int
    let make: String?
    /// `true` if there is a thumbnail in EXIF.
    let thumbnail: Bool?
    private var file: URL?
    private(set) var format = ImageFormat.avif

    private enum CodingKeys: CodingKey {
      case name, width, height, bits, model, alpha, opaque, profile, orientation, frames, delays, loops, tolerance, make
      case thumbnail
    }

    static func folder(_ format: ImageFormat) -> String { format == .jxl ? "JXL" : format.displayName }

    static func all(_ format: ImageFormat) -> [DeepFixture] {
      Fixtures.manifest(folder(format)).map { (fixture: DeepFixture) in
        var fixture = fixture
        fixture.file = Fixtures.file("\(folder(format))/\(fixture.name).\(format.fileExtension)")
        fixture.format = format
        return fixture
      }
    }

    static func named(_ name: String, _ format: ImageFormat) throws -> DeepFixture {
      try #require(all(format).first { $0.name == name })
    }

    /// The largest difference to the pixels in the file beside the fixture, which libheif 1.15 decoded. Version 1.23 rounds
    /// some components of 8 bits to the other neighbor. Converting a wide or high dynamic range multiplies the difference.
    var allowedDifference: Int {
      format == .heic ? max(tolerance, ["profile": 10, "pq-eight-bits": 4][name] ?? 0) : tolerance
    }

    var testDescription: String { "\(name).\(format.fileExtension)" }

    func data() throws -> Data { try Data(contentsOf: try #require(file)) }

    /// The file with another size in its boxes.
    func resized(_ width: UInt32, _ height: UInt32) throws -> Data {
      var data = try data()
      var start = data.startIndex
      while let box = data.range(of: Data("ispe".utf8), in: start..<data.endIndex) {
        let sides = [width, height].flatMap { side in (0..<4).map { UInt8(truncatingIfNeeded: side >> (24 - $0 * 8)) } }
        data.replaceSubrange(box.upperBound + 4..<box.upperBound + 12, with: sides)
        start = box.upperBound
      }
      return data
    }

    /// Width and height of the upright image.
    var uprightSize: [Int] { orientation >= 5 ? [height, width] : [width, height] }

    /// Each frame upright as a bitmap holds it, by the definition of premultiplication.
    func premultiplied() throws -> [[UInt8]] {
      try Fixtures.frames(
        in: try #require(file).deletingPathExtension().appendingPathExtension("rgba"), count: frames, width: width,
        height: height)
    }

    /// Expects that `header` says what is in the file.
    func check(_ header: ImageHeader) {
      #expect(header.storedWidth == width && header.storedHeight == height)
      #expect([header.pixelWidth, header.pixelHeight] == uprightSize)
      #expect(header.orientation.rawValue == orientation)
      #expect(header.bitsPerComponent == bits)
      #expect(header.colorModel.rawValue == model)
      #expect(header.hasAlpha == alpha)
      #expect(header.profileName == profile)
    }

    /// Expects that an animation gives the frames, each as long as it should be shown.
    func check(_ animation: Animation?) throws {
      guard let animation else {
        #expect(frames == 1)
        return
      }
      #expect(frames > 1)
      #expect(uprightSize == [animation.pixelWidth, animation.pixelHeight])
      #expect(animation.frameCount == frames)
      #expect(animation.loopCount == loops ?? 0)
      #expect(animation.delays.map { Int(($0 * 1000).rounded()) } == delays)
      let expected = try premultiplied()
      let reader = try animation.frames()
      // Twice, to see that nothing is left over.
      for _ in 0..<2 {
        for index in 0..<frames {
          let image = try #require(try reader.next()).image
          #expect(largestDifference(image.pixelBytes, expected[index]) <= allowedDifference, "frame \(index)")
          #expect(opacityIsExact(image), "frame \(index)")
        }
        #expect(try reader.next() == nil)
        try reader.rewind()
      }
      // And the last frame alone.
      for _ in 0..<frames - 1 { #expect(try reader.skip()) }
      let last = try #require(try reader.next()).image
      #expect(largestDifference(last.pixelBytes, expected[frames - 1]) <= allowedDifference)
      #expect(try !reader.skip())
    }
  }
#endif
