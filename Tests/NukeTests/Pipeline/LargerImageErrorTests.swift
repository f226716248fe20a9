import Foundation
import Nuke
import NukeTesting
import Testing

/// The errors of patterns that the article about caching states, in levels of 8 bits.
@Suite("Errors of images made from larger ones", .timeLimit(.minutes(2)))
struct LargerImageErrorTests {
  /// What an image shows. Noise and rings have details of every size, down to one pixel.
  enum Content: CaseIterable { case gradient, edges, lines, rings, noise }

  /// How the larger image is stored, and the largest errors.
  struct Encoder: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let encoder: any ImageEncoding
    let rootMeanSquare: Double
    let maximum: Int
  }

  static let encoders = [
    Encoder(
      testDescription: "lossless", encoder: ImageEncoders.ImageIO(type: .png), rootMeanSquare: 7, maximum: 56),
    Encoder(testDescription: "default", encoder: ImageEncoders.Default(), rootMeanSquare: 20, maximum: 104),
  ]

  private static let side = 480

  private static func image(_ content: Content) -> PlatformImage {
    var generator = SeededGenerator(seed: 1)
    let image = PlatformImage(pixelWidth: side, pixelHeight: side, scale: 1, isOpaque: true) { bytes in
      for place in 0..<side * side {
        let (x, y) = (place % side, place / side)
        let color: [UInt8] =
          switch content {
          case .gradient: [UInt8(x * 255 / side), UInt8(y * 255 / side), UInt8((x + y) * 127 / side)]
          case .edges: (x * 3 + y * 2) / 97 % 2 == 0 ? [0, 255, 0] : [255, 0, 255]
          case .lines: (x * 3 + y) % 41 < 4 || y % 29 == 0 ? [0, 0, 0] : [255, 255, 255]
          case .rings:
            [UInt8](repeating: UInt8(127.5 + 127.5 * cos(Double(x * x + y * y) * .pi / Double(2 * side))), count: 3)
          case .noise: (0..<3).map { _ in UInt8.random(in: 0...255, using: &generator) }
          }
        for (channel, value) in (color + [255]).enumerated() { bytes[place * 4 + channel] = value }
      }
    }
    return image ?? PlatformImage()
  }

  @Test("The error is within the limits", arguments: Content.allCases, encoders)
  func error(content: Content, encoder: Encoder) async throws {
    let data = try #require(Self.image(content).pngData())
    let cache = FakeDataCache()
    func pipeline(isReusing: Bool) -> ImagePipeline {
      .fake(imageCache: nil) {
        $0.dataCache = isReusing ? cache : nil
        $0.dataCachePolicy = .storeEncodedImages
        $0.makeImageEncoder = { _ in encoder.encoder }
        $0.isReusingLargerImagesInDataCache = isReusing
      }
    }
    let reusing = pipeline(isReusing: true)
    for filter in [ImageProcessingOptions.ResizeFilter.lanczos, .bilinear, .area] {
      for isLinear in [false, true] {
        func request(_ width: CGFloat) -> ImageRequest {
          ImageRequest(
            id: "a", data: { data },
            processors: [.resize(width: width, unit: .pixels, filter: filter, linearLight: isLinear)])
        }
        try await reusing.loadAndStore(request(180))
        for width in [90, 64, 45] as [CGFloat] {
          let task = reusing.imageTask(with: request(width))
          let image = try await task.image
          #expect(task.facts.isMadeFromLargerImage)
          let exact = try await pipeline(isReusing: false).image(for: request(width))
          let error = PixelError(image, exact)
          let context: Comment = "\(filter), \(isLinear), \(width): \(error)"
          #expect(error.rootMeanSquare <= encoder.rootMeanSquare, context)
          #expect(error.maximum <= encoder.maximum, context)
        }
      }
    }
  }
}
