import Foundation
import NukeCodecs
import NukeImaging
import Testing

/// One file that `Scripts/fixtures/jpeg.py` made, and what it says of it.
struct JPEGFixture: Decodable, Sendable, CustomTestStringConvertible {
  let name: String
  /// The name of the raw RGB pixels of the upright image, as other programs decode it.
  let reference: String
  /// Width and height of the upright image.
  let size: [Int]
  /// The most that a channel may differ, of 255. One step is room for another version of libjpeg-turbo; conversions of
  /// colors round differently, and may be two or three off.
  let tolerance: Int
  let progressive: Bool?
  let orientation: Int?
  let model: String?
  let profile: String?

  var testDescription: String { name }
  var width: Int { size[0] }
  var height: Int { size[1] }

  static let all: [JPEGFixture] = Fixtures.manifest("JPEG")

  static func bytes(_ file: String) throws -> Data { try Data(contentsOf: Fixtures.file("JPEG/\(file)")) }

  static func data(_ name: String) throws -> Data { try bytes("\(name).jpg") }

  func data() throws -> Data { try Self.data(name) }
}

/// How far two images are apart.
struct PixelDifference {
  /// The most that a channel differs, of 255.
  private(set) var largest = 0
  private var squares = 0.0
  private var count = 0

  /// Compares colors with raw RGB; `nil` if the sizes do not fit.
  init?(_ image: Bitmap, rgb: Data) {
    guard image.pixelWidth * image.pixelHeight * 3 == rgb.count else { return nil }
    let expected = [UInt8](rgb)
    image.withUnsafeBytes { pixels in
      for index in 0..<image.pixelWidth * image.pixelHeight {
        for channel in 0..<3 {
          let difference = abs(Int(pixels[index * 4 + channel]) - Int(expected[index * 3 + channel]))
          largest = max(largest, difference)
          squares += Double(difference * difference)
        }
      }
    }
    count = expected.count
  }

  /// Peak signal-to-noise ratio in decibels.
  var psnr: Double { squares == 0 ? .infinity : 10 * log10(255 * 255 * Double(count) / squares) }
}

extension Bitmap {
  /// Red, green and blue of every pixel.
  var rgb: Data {
    withUnsafeBytes { pixels in
      var result = Data(capacity: pixelWidth * pixelHeight * 3)
      for start in stride(from: 0, to: pixels.count, by: 4) { result.append(contentsOf: pixels[start..<start + 3]) }
      return result
    }
  }

  var hasOnlyOpaquePixels: Bool {
    withUnsafeBytes { pixels in stride(from: 3, to: pixels.count, by: 4).allSatisfy { pixels[$0] == 255 } }
  }
}
