import Foundation
import Testing

/// A line of the manifest that `Scripts/fixtures/apng.py` writes: an animated PNG and what reading it must give.
struct APNGFixture: Decodable, Sendable, CustomTestStringConvertible {
  let name: String
  /// Of the upright image.
  let width: Int
  let height: Int
  let frames: Int
  let loops: Int
  /// Thousandths of a second.
  let delays: [Double]
  let bits: Int
  let model: String
  let alpha: Bool
  let isInterlaced: Bool
  let orientation: Int
  let profile: String?
  let tolerance: Int
  /// `true` if the default image is not one of the frames.
  let hasHiddenImage: Bool

  static let folder = Fixtures.file("APNG")
  static let all: [APNGFixture] = Fixtures.manifest("APNG")

  static func named(_ name: String) throws -> APNGFixture { try #require(all.first { $0.name == name }) }

  var testDescription: String { name }

  var size: [Int] { [width, height] }

  func data() throws -> Data { try Data(contentsOf: Self.folder.appendingPathComponent("\(name).png")) }

  /// Each frame as a bitmap holds it, by the definition of premultiplication.
  func premultiplied() throws -> [[UInt8]] {
    try Fixtures.frames(
      in: Self.folder.appendingPathComponent("\(name).rgba"), count: frames, width: width, height: height)
  }

  /// The default image, in the same way.
  func stillImage() throws -> [UInt8] {
    guard hasHiddenImage else { return try premultiplied()[0] }
    return premultipliedByDefinition(
      [UInt8](try Data(contentsOf: Self.folder.appendingPathComponent("\(name).still.rgba"))))
  }
}
