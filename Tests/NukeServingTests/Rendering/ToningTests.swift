import Foundation
import NukeCodecs
import NukeImaging
import Testing

@testable import NukeServing

@Suite("Palettes, and colors over the result")
struct ToningTests {
  private static let teal = Color(red: 0, green: 128.0 / 255, blue: 1)

  private static func rendered(
    _ image: Bitmap, _ ask: (inout ImageOptions) -> Void
  ) async throws -> Bitmap {
    try Rendering.image(try await Rendering.render(try Rendering.encoded(image, as: .png), as: .png, ask))
  }

  private struct Row: Sendable, CustomTestStringConvertible {
    let color: Color
    let expected: [UInt8]
    let change: @Sendable (inout ImageOptions) -> Void
    var testDescription: String { "\(color) becomes \(expected)" }

    init(_ color: Color, _ expected: [UInt8], _ change: @escaping @Sendable (inout ImageOptions) -> Void) {
      (self.color, self.expected, self.change) = (color, expected, change)
    }
  }

  /// The results were computed by hand, from the luminance of BT.709: 0.2126 of red, 0.7152 of green, 0.0722 of blue.
  private static let rows: [Row] = [
    .init(.white, [255, 255, 255, 255]) { $0.monochrome = .init(intensity: 1, color: teal) },
    .init(.black, [0, 0, 0, 255]) { $0.monochrome = .init(intensity: 1, color: teal) },
    // 128 / 255 is 0.502, a little above the middle.
    .init(Color(white: 128.0 / 255), [1, 128, 255, 255]) { $0.monochrome = .init(intensity: 1, color: teal) },
    // 2 · 0.2126 of the color.
    .init(.red, [0, 54, 108, 255]) { $0.monochrome = .init(intensity: 1, color: teal) },
    // 2 · 0.7152 - 1 = 0.4304 of the way from the color to white.
    .init(.green, [110, 183, 255, 255]) { $0.monochrome = .init(intensity: 1, color: teal) },
    .init(.red, [128, 27, 54, 255]) { $0.monochrome = .init(intensity: 0.5, color: teal) },
    .init(Color.red.withAlphaComponent(128.0 / 255), [0, 27, 54, 128]) {
      $0.monochrome = .init(intensity: 1, color: teal)
    },
    .init(Color(white: 128.0 / 255), [179, 179, 179, 255]) { $0.monochrome = .init(intensity: 1) },
    .init(.black, [0, 0, 255, 255]) { $0.duotone = .init(intensity: 1, dark: .blue, light: .red) },
    .init(.white, [255, 0, 0, 255]) { $0.duotone = .init(intensity: 1, dark: .blue, light: .red) },
    .init(Color(white: 0.2), [51, 0, 204, 255]) { $0.duotone = .init(intensity: 1, dark: .blue, light: .red) },
    .init(.green, [182, 0, 73, 255]) { $0.duotone = .init(intensity: 1, dark: .blue, light: .red) },
    .init(Color(white: 0.2), [51, 26, 128, 255]) { $0.duotone = .init(intensity: 0.5, dark: .blue, light: .red) },
    .init(.clear, [0, 0, 0, 0]) { $0.duotone = .init(intensity: 1, dark: .blue, light: .red) },
    .init(.white, [128, 128, 128, 255]) { $0.colorize = .init(opacity: 0.5) },
    .init(.white, [255, 0, 0, 255]) { $0.colorize = .init(opacity: 1, color: .red) },
    .init(.clear, [128, 0, 0, 128]) { $0.colorize = .init(opacity: 0.5, color: .red) },
    .init(.clear, [0, 0, 0, 0]) { $0.colorize = .init(opacity: 0.5, color: .red, keepsAlpha: true) },
    .init(Color.white.withAlphaComponent(128.0 / 255), [128, 0, 0, 128]) {
      $0.colorize = .init(opacity: 1, color: .red, keepsAlpha: true)
    },
    // Together: a palette first, then the color.
    .init(.white, [128, 0, 128, 255]) {
      $0.duotone = .init(intensity: 1, dark: .black, light: .blue)
      $0.colorize = .init(opacity: 0.5, color: .red)
    },
  ]

  @Test("Colors are changed by these formulas", arguments: rows)
  private func colors(_ row: Row) async throws {
    let image = try await Self.rendered(.even(row.color, 3, 2), row.change)
    #expect(image.size == [3, 2])
    for (x, y) in [(0, 0), (2, 1)] { #expect(image.pixel(x, y) == row.expected) }
  }

  /// Of 240, in rows: the positions are 1/8, 3/8, 5/8 and 7/8 along the direction.
  private static let columns: [(angle: Double, start: Double, stop: Double, opacity: Double, expected: [Int])] = [
    (0, 0, 1, 1, [210, 150, 90, 30]), (180, 0, 1, 1, [30, 90, 150, 210]), (0, 0, 1, 0.5, [225, 195, 165, 135]),
    (0, 0.25, 0.75, 1, [240, 180, 60, 0]), (0, 0.5, 0.5, 1, [240, 240, 0, 0]), (0, 0.75, 0.25, 1, [0, 60, 180, 240]),
  ]

  @Test("A gradient grows in its direction, measured at the centers of pixels", arguments: columns)
  func gradients(angle: Double, start: Double, stop: Double, opacity: Double, expected: [Int]) async throws {
    let gradient = ImageOptions.Gradient(opacity: opacity, angle: angle, start: start, stop: stop)
    let column = try await Self.rendered(.even(Color(white: 240.0 / 255), 2, 4)) { $0.gradient = gradient }
    for (y, value) in expected.enumerated() {
      #expect(column.pixel(0, y).map(Int.init) == [value, value, value, 255])
      #expect(column.pixel(1, y) == column.pixel(0, y))
    }
    // To the left, which is 90° further.
    let row = try await Self.rendered(.even(Color(white: 240.0 / 255), 4, 2)) {
      $0.gradient = gradient
      $0.gradient?.angle += 90
    }
    for (x, value) in expected.enumerated() { #expect(Int(row.pixel(3 - x, 1)[0]) == value) }
  }

  @Test("A diagonal gradient begins in one corner and ends in the opposite one")
  func diagonal() async throws {
    let image = try await Self.rendered(.even(Color(white: 240.0 / 255), 2, 2)) {
      $0.gradient = .init(opacity: 1, angle: 45)
    }
    let values = [(1, 0), (0, 0), (1, 1), (0, 1)].map { image.pixel($0.0, $0.1)[0] }
    #expect(values == [180, 120, 120, 60])
  }

  @Test("Colors and gradients cover the canvas, and are below the watermark")
  func canvas() async throws {
    let renderer = Renderer(watermark: Watermark(image: .even(.blue, 1, 1), id: "blue"))
    let data = try Rendering.encoded(.even(.white, 3, 3), as: .png)
    let file = try await Rendering.render(data, with: renderer, as: .png) {
      $0.padding = .init(top: 1, right: 1, bottom: 1, left: 1)
      $0.colorize = .init(opacity: 1, color: .red)
      $0.watermark = .init(opacity: 1)
    }
    let image = try Rendering.image(file)
    #expect(image.size == [5, 5])
    #expect(image.pixel(0, 0) == [255, 0, 0, 255] && image.pixel(4, 4) == [255, 0, 0, 255])
    #expect(image.pixel(2, 2) == [0, 0, 255, 255])
  }
}
