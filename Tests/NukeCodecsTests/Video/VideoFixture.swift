import Foundation
import NukeCodecs
import NukeImaging
import Testing

/// A line of the manifest that `Scripts/fixtures/video.py` writes: a file and the colors of its frames.
struct VideoFixture: Decodable, Sendable, CustomTestStringConvertible {
  let name: String
  /// The size of the upright image.
  let width: Int
  let height: Int
  let orientation: Int
  let tolerance: Int
  /// The delay of every frame in seconds.
  let delay: Double
  let profile: String?
  /// For each frame the colors of the upper left, upper right, lower left and lower right quadrant.
  let quadrants: [String]

  static let all: [VideoFixture] = Fixtures.manifest("Video")

  static func named(_ name: String) throws -> VideoFixture { try #require(all.first { $0.name == name }) }

  static func data(_ name: String) throws -> Data { try Data(contentsOf: Fixtures.file("Video/\(name)")) }

  var testDescription: String { name }
  func data() throws -> Data { try Self.data(name) }

  /// Expects that `image` is a frame.
  func check(_ image: Bitmap, isFrame index: Int, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(image.pixelWidth == width && image.pixelHeight == height, sourceLocation: sourceLocation)
    #expect(image.isOpaque, sourceLocation: sourceLocation)
    let expected = quadrants[index].split(separator: " ").compactMap { Int($0, radix: 16) }
    let colors = image.quadrantColors
    let isEqual = zip(colors, expected).allSatisfy { color, expected in
      [16, 8, 0].allSatisfy { abs((color >> $0 & 255) - (expected >> $0 & 255)) <= tolerance }
    }
    #expect(
      isEqual, "frame \(index) has \(colors.map { String($0, radix: 16) })", sourceLocation: sourceLocation)
  }
}

extension Bitmap {
  /// The mean colors of the upper left, upper right, lower left and lower right quadrant, without their borders.
  var quadrantColors: [Int] {
    let bytes = pixelBytes
    return (0..<4).map { quadrant in
      let (left, top) = (quadrant % 2 * pixelWidth / 2, quadrant / 2 * pixelHeight / 2)
      let columns = left + pixelWidth / 8..<left + pixelWidth * 3 / 8
      let rows = top + pixelHeight / 8..<top + pixelHeight * 3 / 8
      return (0..<3).reduce(0) { color, channel in
        let sum = rows.reduce(0) { sum, y in
          columns.reduce(sum) { $0 + Int(bytes[(y * pixelWidth + $1) * 4 + channel]) }
        }
        return color << 8 | (sum + columns.count * rows.count / 2) / (columns.count * rows.count)
      }
    }
  }
}
