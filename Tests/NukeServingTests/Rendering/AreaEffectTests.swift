import Foundation
import NukeCodecs
import NukeImaging
import Testing

@testable import NukeServing

@Suite("Unsharp masks and blurred areas")
struct AreaEffectTests {
  private static func rendered(_ image: Bitmap, _ ask: (inout ImageOptions) -> Void) async throws -> Bitmap {
    try Rendering.image(try await Rendering.render(try Rendering.encoded(image, as: .png), as: .png, ask))
  }

  /// An image that is black, with one gray column.
  private static let line = Bitmap.painted(5, 3) { x, _ in Color(white: x == 2 ? 96.0 / 255 : 48.0 / 255) }

  @Test("A mask subtracts the neighbors, and is divided")
  func mask() async throws {
    // The line has six neighbors that are darker by 48, and each column beside it three that are brighter.
    // 96 + 6 · 48 / 24 = 108, and 48 - 3 · 48 / 24 = 42.
    let mild = try await Self.rendered(Self.line) { $0.unsharpMask = .init(.always) }
    for y in 0..<3 { #expect((0..<5).map { mild.pixel($0, y)[0] } == [48, 42, 108, 42, 48]) }
    // 96 + 2 · 6 · 48 / 12 = 144, and 48 - 2 · 3 · 48 / 12 = 24.
    let strong = try await Self.rendered(Self.line) { $0.unsharpMask = .init(.always, weight: 2, divider: 12) }
    #expect((0..<5).map { strong.pixel($0, 1)[0] } == [48, 24, 144, 24, 48])
    let extreme = try await Self.rendered(Self.line) { $0.unsharpMask = .init(.always, weight: 1000, divider: 0.001) }
    #expect((0..<5).map { extreme.pixel($0, 1)[0] } == [48, 0, 255, 0, 48])
  }

  @Test("Premultiplied colors do not exceed the alpha, which is not changed")
  func alpha() async throws {
    let image = Bitmap.painted(3, 1) { x, _ in Color(white: x == 1 ? 1 : 0, alpha: 0.2) }
    let sharp = try await Self.rendered(image) { $0.unsharpMask = .init(.always) }
    #expect(sharp.pixel(1, 0) == [51, 51, 51, 51] && sharp.pixel(0, 0) == [0, 0, 0, 51])
  }

  @Test("By itself, the mask applies to images that are scaled down and not sharpened otherwise")
  func modes() async throws {
    func differs(_ ask: (inout ImageOptions) -> Void, by mode: ImageOptions.UnsharpMask.Mode) async throws -> Bool {
      let image = Bitmap.painted(8, 8) { x, y in Color(white: (x + y) % 3 == 0 ? 0.8 : 0.3) }
      let plain = try await Self.rendered(image, ask)
      let masked = try await Self.rendered(image) {
        ask(&$0)
        $0.unsharpMask = .init(mode)
      }
      return plain.pixelBytes != masked.pixelBytes
    }
    #expect(try await differs({ _ in }, by: .always))
    #expect(try await !differs({ _ in }, by: .auto))
    #expect(try await differs({ $0.width = 4 }, by: .auto))
    #expect(try await !differs({ ($0.width, $0.enlarges) = (16, true) }, by: .auto))
    #expect(try await !differs({ ($0.width, $0.sharpen) = (4, 1) }, by: .auto))
    #expect(try await differs({ ($0.width, $0.sharpen) = (4, 1) }, by: .always))
    #expect(try await !differs({ $0.width = 4 }, by: .none))
  }

  // MARK: Areas

  /// Every second pixel is white, so that a blur changes each pixel.
  private static let board = Bitmap.painted(20, 10) { x, y in (x + y) % 2 == 0 ? .white : .black }

  /// Returns the pixels that an option changes, as the edges of their bounding box.
  private static func changes(
    areas: [ImageOptions.BlurAreas.Area], of image: Bitmap = board, _ ask: (inout ImageOptions) -> Void
  ) async throws -> [Int] {
    let plain = try await rendered(image, ask)
    let blurred = try await rendered(image) {
      ask(&$0)
      $0.blurAreas = .init(sigma: 2, areas: areas)
    }
    #expect(plain.size == blurred.size)
    var places: [(x: Int, y: Int)] = []
    for y in 0..<plain.pixelHeight {
      for x in 0..<plain.pixelWidth where plain.pixel(x, y) != blurred.pixel(x, y) { places.append((x, y)) }
    }
    let (x, y) = (places.map(\.x), places.map(\.y))
    guard let left = x.min(), let right = x.max(), let top = y.min(), let bottom = y.max() else { return [] }
    #expect(places.count == (right - left + 1) * (bottom - top + 1))
    return [left, top, right + 1, bottom + 1]
  }

  private struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let expected: [Int]
    let change: @Sendable (inout ImageOptions) -> Void

    init(_ name: String, _ expected: [Int], _ change: @escaping @Sendable (inout ImageOptions) -> Void) {
      (testDescription, self.expected, self.change) = (name, expected, change)
    }
  }

  /// Of the area from (2, 1) to (8, 4) in 20 x 10 pixels: its left, top, right and bottom in the result.
  private static let cases: [Case] = [
    .init("unchanged", [2, 1, 8, 4]) { _ in },
    .init("turned clockwise", [6, 2, 9, 8]) { $0.rotation = 90 },
    .init("turned by 180°", [12, 6, 18, 9]) { $0.rotation = 180 },
    .init("turned counterclockwise", [1, 12, 4, 18]) { $0.rotation = 270 },
    .init("flipped", [12, 1, 18, 4]) { $0.flipsHorizontally = true },
    .init("cropped at the upper left", [0, 0, 4, 2]) {
      $0.crop = .init(width: 10, height: 5, gravity: .init(.northWest, offset: .init(4, 2)))
    },
    .init("cropped elsewhere", []) { $0.crop = .init(width: 5, height: 5, gravity: .init(.southEast)) },
    .init("enlarged", [4, 2, 16, 8]) { ($0.width, $0.enlarges) = (40, true) },
    .init("padded", [5, 4, 11, 7]) { $0.padding = .init(top: 3, right: 3, bottom: 3, left: 3) },
  ]

  @Test("Areas are turned, cropped and scaled with the image", arguments: cases)
  private func areas(_ row: Case) async throws {
    let area = ImageOptions.BlurAreas.Area(x: 0.1, y: 0.1, width: 0.3, height: 0.3)
    #expect(try await Self.changes(areas: [area], row.change) == row.expected)
  }

  @Test("Every pixel that an area touches is blurred, and parts outside are ignored")
  func edges() async throws {
    // From 3.8 to 8.2 and from 1.9 to 4.1.
    #expect(
      try await Self.changes(areas: [.init(x: 0.19, y: 0.19, width: 0.22, height: 0.22)]) { _ in } == [3, 1, 9, 5])
    #expect(try await Self.changes(areas: [.init(x: 0.9, y: 0.5, width: 1, height: 1)]) { _ in } == [18, 5, 20, 10])
    #expect(
      try await Self.changes(areas: [
        .init(x: 0, y: 0, width: 0.5, height: 1), .init(x: 0.5, y: 0, width: 0.5, height: 1),
      ]) { _ in } == [0, 0, 20, 10])
  }

  @Test("In a trimmed image, areas are where they are in the whole image")
  func trimmed() async throws {
    let framed = Bitmap.painted(24, 14) { x, y in
      (2..<22).contains(x) && (2..<12).contains(y) ? ((x + y) % 2 == 0 ? .white : .green) : .red
    }
    // From (6, 7) to (12, 14), without the border of 2.
    let changes = try await Self.changes(areas: [.init(x: 0.25, y: 0.5, width: 0.25, height: 0.5)], of: framed) {
      $0.trim = .init(threshold: 10, color: .red)
    }
    #expect(changes == [4, 5, 10, 10])
  }

  @Test("A large source that is decoded in bands is blurred in the same places")
  func bands() async throws {
    var renderer = Renderer()
    let data = try Rendering.encoded(Self.board, as: .png)
    func render() async throws -> Bitmap {
      try Rendering.image(
        try await Rendering.render(data, with: renderer, as: .png) {
          $0.blurAreas = .init(sigma: 2, areas: [.init(x: 0.1, y: 0.1, width: 0.3, height: 0.3)])
          $0.crop = .init(width: 15, height: 8)
        })
    }
    let whole = try await render()
    renderer.leastPixelCountOfBands = 1
    #expect(try await render().pixelBytes == whole.pixelBytes)
  }
}
