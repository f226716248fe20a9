import Foundation
import NukeCodecs
import NukeImaging
import Testing

/// A line of the manifest that `Scripts/fixtures/color.py` writes: a file, and how far its colors may be from what they
/// should be.
struct ColorFixture: Decodable, Sendable, CustomTestStringConvertible {
  let file: String
  let title: String
  let width: Int
  let height: Int
  let model: String
  let bits: Int
  let profile: String?
  /// In levels of 8 bits; half a level is lost by rounding alone.
  let limit: Double

  static let all: [ColorFixture] = Fixtures.manifest("Color").filter { (fixture: ColorFixture) in
    ImageFormat(sniffing: (try? fixture.data()) ?? Data())?.isReadable == true
  }

  var testDescription: String { title }

  private var url: URL { Fixtures.file("Color/\(file)") }

  func data() throws -> Data { try Data(contentsOf: url) }

  /// The files of one format, by the end of their names.
  static func files(_ fileExtension: String) -> [URL] {
    all.map(\.url).filter { $0.pathExtension == fileExtension }
  }

  /// Red, green and blue of each pixel in sRGB before they are rounded, in levels of 8 bits.
  func reference() throws -> [Double] {
    let bytes = try Data(contentsOf: Fixtures.file("Color/\((file as NSString).deletingPathExtension).srgb"))
    return stride(from: 0, to: bytes.count, by: 2).map { Double(Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8) / 256 }
  }

  /// The largest distance of an opaque image from the reference, in levels of 8 bits.
  func largestError(of image: Bitmap) throws -> Double {
    let (pixels, reference) = (image.pixelBytes, try reference())
    try #require(reference.count == width * height * 3 && pixels.count == width * height * 4)
    return reference.indices.map { abs(Double(pixels[$0 / 3 * 4 + $0 % 3]) - reference[$0]) }.max() ?? 0
  }
}

@Suite("Colors at every depth")
struct ColorAccuracyTests {
  @Test("A color is rounded once, after the conversion in full precision", arguments: ColorFixture.all)
  func accuracy(_ fixture: ColorFixture) throws {
    let image = try ImageReaders.reader(for: fixture.data()).decode(DecodeOptions())
    #expect(image.isOpaque)
    let error = try fixture.largestError(of: image)
    #expect(error <= fixture.limit)
    if ProcessInfo.processInfo.environment["NUKE_COLOR_TABLE"] != nil {
      print("| \(fixture.title) | \(String(format: "%.2f", error)) |")
    }
  }

  @Test("The header contains the depth, color model and profile of the file", arguments: ColorFixture.all)
  func header(_ fixture: ColorFixture) throws {
    let data = try fixture.data()
    for header in [try ImageReaders.reader(for: data).header, try #require(try ImageReaders.header(ofPrefix: data))] {
      #expect(header.bitsPerComponent == fixture.bits)
      #expect(header.colorModel.rawValue == fixture.model)
      #expect(header.profileName == fixture.profile)
      #expect(!header.hasAlpha)
    }
  }

  @Test(
    "The last preview of a download is the complete image",
    arguments: ColorFixture.all.filter { $0.file.hasSuffix(".png") })
  func incremental(_ fixture: ColorFixture) throws {
    let feed = IncrementalFeed(try fixture.data(), chunk: 97)
    #expect(feed.error == nil)
    let last = try #require(feed.previews.last?.bitmap)
    #expect(try fixture.largestError(of: last) <= fixture.limit)
    #expect(last.pixelBytes == (try ImageReaders.reader(for: fixture.data()).decode(DecodeOptions()).pixelBytes))
  }

  @Test("A linear ramp of 16 bits keeps its dark shades")
  func ramp() throws {
    let fixture = try #require(ColorFixture.all.first { $0.file == "gray-linear-16.png" })
    let pixels = try ImageReaders.reader(for: fixture.data()).decode(DecodeOptions()).pixelBytes
    let expected = Set(try fixture.reference().map { UInt8($0.rounded()) })
    let shades = Set(stride(from: 0, to: pixels.count, by: 4).map { pixels[$0] })
    // By the definition all 256 shades are there; of 8 bits there would be 178, and of the 50 darkest only 8.
    #expect(expected.count == 256)
    #expect(shades == expected)
  }

  @Test("A table profile converts 10 bits like the same values in 16 bits")
  func fewerBits() throws {
    let profile = try #require(ColorProfile(iccData: Data(contentsOf: Fixtures.file("Color/table.icc"))))
    // More pixels than are converted at a time.
    let ten = (0..<4 * 700).map { UInt16($0 * 389 % 1024) }
    let sixteen = ten.map { UInt16((UInt32($0) * 65_535 + 511) / 1023) }
    var (ofTen, ofSixteen) = ([UInt8](repeating: 0, count: ten.count), [UInt8](repeating: 0, count: ten.count))
    profile.convertDeepToSRGB(ten, bits: 10, to: &ofTen, pixelCount: 700)
    profile.convertDeepToSRGB(sixteen, bits: 16, to: &ofSixteen, pixelCount: 700)
    #expect(ofTen == ofSixteen)
    #expect(stride(from: 3, to: ten.count, by: 4).allSatisfy { ofTen[$0] == UInt8((Int(ten[$0]) * 255 + 511) / 1023) })
  }

  @Test(
    "The memory for deep pixels is reported: the whole interlaced image, some rows of others, none without conversion"
  )
  func workingBytes() throws {
    func bytes(_ file: String) throws -> Int {
      let fixture = try #require(ColorFixture.all.first { $0.file == file })
      return try ImageReaders.reader(for: fixture.data()).workingByteCount
    }
    #expect(try bytes("untagged-16.png") == 0)
    #expect(try bytes("cicp-p3-8.png") == 0)
    #expect(try bytes("prophoto-16-interlaced.png") == 24 * 16 * 8)
    #expect(try bytes("cicp-srgb-narrow-8.png") == 24 * 16 * 8)
    #expect(try bytes("prophoto-16.png") <= 65_536)
    #if TIFF
      #expect(try bytes("prophoto-16.tif") == 24 * 16 * 8 + 24 * 6)
      #expect(try bytes("lab-8.tif") == 24 * 16 * 8 + 24 * 3)
    #endif
  }
}
