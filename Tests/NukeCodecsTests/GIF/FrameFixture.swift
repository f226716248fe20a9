import Foundation
import NukeCodecs
import NukeImaging
import Testing

/// A line of the manifests that `Scripts/fixtures/gif.py` and `webp.py` write: a file and what reading it must give.
struct FrameFixture: Decodable, Sendable, CustomTestStringConvertible {
  let name: String
  let width: Int
  let height: Int
  let frames: Int
  let loops: Int
  /// In the unit of the format: hundredths of a second for GIF, thousandths for WebP.
  let delays: [Int]
  let tolerance: Int?
  let interlaced: Bool?
  let alpha: Bool?
  let opaque: Bool?
  let orientation: Int?
  let profile: String?

  static let gif: [FrameFixture] = Fixtures.manifest("GIF")
  static let webp: [FrameFixture] = Fixtures.manifest("WebP")

  static func gif(_ name: String) throws -> FrameFixture { try #require(gif.first { $0.name == name }) }
  static func webp(_ name: String) throws -> FrameFixture { try #require(webp.first { $0.name == name }) }

  var testDescription: String { name }
  private var isGIF: Bool { interlaced != nil }
  var format: ImageFormat { isGIF ? .gif : .webp }
  /// How many units of ``delays`` a second has.
  var unitsPerSecond: Double { isGIF ? 100 : 1000 }
  var url: URL { Fixtures.file(isGIF ? "GIF/\(name).gif" : "WebP/\(name).webp") }
  func data() throws -> Data { try Data(contentsOf: url) }

  /// Width and height as stored.
  var size: [Int] { [width, height] }

  /// Width and height of the upright image.
  var uprightSize: [Int] { (orientation ?? 1) >= 5 ? [height, width] : [width, height] }

  /// Each frame as a bitmap holds it, by the definition of premultiplication.
  func premultiplied() throws -> [[UInt8]] {
    try Fixtures.frames(
      in: url.deletingPathExtension().appendingPathExtension("rgba"), count: frames, width: width, height: height)
  }
}

/// An animation of 0.1 seconds a frame, or of these delays.
func animation(_ frames: [Bitmap], _ delays: [Double]? = nil, loops: Int = 0) throws -> Animation {
  try #require(Animation(frames: frames, delays: delays ?? frames.map { _ in 0.1 }, loopCount: loops))
}

/// All frames of an animation.
func frames(of animation: Animation) throws -> [Animation.Frame] {
  let frames = try animation.frames()
  var result: [Animation.Frame] = []
  while let frame = try frames.next() { result.append(frame) }
  return result
}

/// Returns `true` if `isOpaque` says what the pixels say.
func opacityIsExact(_ image: Bitmap) -> Bool {
  let bytes = image.pixelBytes
  return image.isOpaque == stride(from: 3, to: bytes.count, by: 4).allSatisfy { bytes[$0] == 255 }
}
