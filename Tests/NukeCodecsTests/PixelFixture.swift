import Foundation
import NukeCodecs
import NukeImaging
import Testing

/// The files that the scripts in `Scripts/fixtures` make.
enum Fixtures {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Fixtures")

  /// A file by its path within the fixtures.
  static func file(_ path: String) -> URL { root.appendingPathComponent(path) }

  /// The list of a folder's files.
  static func manifest<Fixture: Decodable>(_ folder: String) -> [Fixture] {
    do {
      return try JSONDecoder().decode([Fixture].self, from: Data(contentsOf: file("\(folder)/manifest.json")))
    } catch {
      fatalError("the manifest of the fixtures in \(folder) cannot be read: \(error)")
    }
  }

  /// Returns the frames in a file of straight RGBA8 as bitmaps hold them, by the definition of premultiplication.
  static func frames(in reference: URL, count: Int, width: Int, height: Int) throws -> [[UInt8]] {
    let straight = [UInt8](try Data(contentsOf: reference))
    let size = width * height * 4
    try #require(straight.count == count * size)
    return (0..<count).map { premultipliedByDefinition(Array(straight[$0 * size..<($0 + 1) * size])) }
  }
}

/// A still image of which a manifest says what reading it must give.
protocol StillFixture: Decodable, Sendable, CustomTestStringConvertible {
  var width: Int { get }
  var height: Int { get }
  var bits: Int { get }
  var model: String { get }
  var alpha: Bool { get }
  var profile: String? { get }
  var orientation: Int { get }
  var tolerance: Int { get }

  /// The image as a bitmap holds it.
  func premultiplied() throws -> [UInt8]
}

extension StillFixture {
  /// That `image` is what the fixture must give.
  func expectPixels(of image: Bitmap, sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(image.pixelWidth == width, sourceLocation: sourceLocation)
    #expect(image.pixelHeight == height, sourceLocation: sourceLocation)
    let expected = try premultiplied()
    #expect(largestDifference(image.pixelBytes, expected) <= tolerance, sourceLocation: sourceLocation)
    let isOpaque = stride(from: 3, to: expected.count, by: 4).allSatisfy { expected[$0] == 255 }
    #expect(image.isOpaque == isOpaque, sourceLocation: sourceLocation)
  }

  /// That `header` describes the fixture.
  func expect(
    _ header: ImageHeader, is format: ImageFormat, frames: Int = 1, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(header.format == format, sourceLocation: sourceLocation)
    #expect(header.pixelWidth == width, sourceLocation: sourceLocation)
    #expect(header.pixelHeight == height, sourceLocation: sourceLocation)
    #expect(header.bitsPerComponent == bits, sourceLocation: sourceLocation)
    #expect(header.colorModel.rawValue == model, sourceLocation: sourceLocation)
    #expect(header.hasAlpha == alpha, sourceLocation: sourceLocation)
    #expect(header.profileName == profile, sourceLocation: sourceLocation)
    #expect(header.orientation.rawValue == orientation, sourceLocation: sourceLocation)
    #expect(header.frameCount == frames, sourceLocation: sourceLocation)
  }
}

/// A line of a manifest that a script in `Scripts/fixtures` writes: a file and what reading it must give. Beside a file
/// stands its image in straight RGBA8.
struct PixelFixture: StillFixture {
  let file: String
  let width: Int
  let height: Int
  let bits: Int
  let model: String
  let alpha: Bool
  let profile: String?
  let orientation: Int
  let tolerance: Int

  static func all(in folder: String) -> [PixelFixture] { Fixtures.manifest(folder) }

  var testDescription: String { file }

  /// By the end of a file's name the folder is found.
  var url: URL {
    let name = (file as NSString).pathExtension.uppercased()
    return Fixtures.file("\(["TIF": "TIFF", "SVGZ": "SVG"][name] ?? name)/\(file)")
  }

  func data() throws -> Data { try Data(contentsOf: url) }

  /// The reference as a bitmap holds it, by the definition of premultiplication.
  func premultiplied() throws -> [UInt8] {
    let reference = url.deletingPathExtension().appendingPathExtension("rgba")
    return premultipliedByDefinition([UInt8](try Data(contentsOf: reference)))
  }
}
