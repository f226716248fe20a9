import NukeCodecs
import Testing

@testable import NukeServing

@Suite("The aspect ratio of a crop")
struct CropAspectRatioTests {
  private typealias Row = (crop: [Double]?, ratio: Double, enlarges: Bool, expected: [Int])

  /// Of an image of 400 x 300 pixels. The results were computed by hand.
  private static let rows: [Row] = [
    ([200, 200], 2, false, [200, 100]), ([200, 200], 2, true, [400, 200]), ([200, 100], 0.5, false, [50, 100]),
    // 200 x 400 is higher than the image.
    ([200, 100], 0.5, true, [150, 300]), ([200, 100], 2, false, [200, 100]), ([0.5, 0.5], 1.6, false, [200, 125]),
    (nil, 1, false, [300, 300]), (nil, 1, true, [300, 300]), (nil, 3, false, [400, 133]),
    (nil, 10_000, false, [400, 1]),
    (nil, 0.0001, true, [1, 300]), ([0, 100], 1, true, [300, 300]), ([0, 100], 1, false, [100, 100]),
  ]

  @Test("The region is reduced or enlarged to the aspect ratio, within the image", arguments: rows)
  private func sizes(_ row: Row) throws {
    let options = ImageOptions {
      $0.crop = row.crop.map { .init(width: $0[0], height: $0[1]) }
      $0.cropAspectRatio = .init(row.ratio, enlarges: row.enlarges)
    }
    let geometry = try RenditionGeometry(source: .init(400, 300), options: options)
    #expect([geometry.crop.size.width, geometry.crop.size.height] == row.expected)
    #expect([geometry.result.width, geometry.result.height] == row.expected)
  }

  @Test("The region stays where its gravity puts it, and is that of the turned image")
  func places() throws {
    var options = ImageOptions {
      $0.crop = .init(width: 100, height: 200, gravity: .init(.northWest, offset: .init(300, 400)))
      $0.cropAspectRatio = .init(1, enlarges: true)
    }
    let geometry = try RenditionGeometry(source: .init(1000, 1000), options: options)
    #expect(geometry.crop == .init(200, 200, .at(x: 300, y: 400)))
    options = ImageOptions { ($0.rotation, $0.cropAspectRatio) = (90, .init(1.5)) }
    // Turned, the image has 300 x 400 pixels.
    #expect(try RenditionGeometry(source: .init(400, 300), options: options).result == .init(300, 200))
  }

  @Test("An impossible aspect ratio changes nothing", arguments: [0, -1, .nan, .infinity])
  func impossible(ratio: Double) throws {
    let options = ImageOptions { $0.cropAspectRatio = .init(ratio) }
    #expect(try RenditionGeometry(source: .init(4, 3), options: options).result == .init(4, 3))
  }
}
