import Foundation
import NukeImaging

@testable import NukeTerminal

extension Bitmap {
  /// An image whose pixels `color` gives: red, green, blue and alpha, premultiplied.
  static func make(_ width: Int, _ height: Int, _ color: (_ x: Int, _ y: Int) -> [UInt8]) -> Bitmap {
    var isOpaque = true
    let pixels = (0..<height).flatMap { y in
      (0..<width).flatMap { x in
        let color = color(x, y)
        if color[3] < 255 { isOpaque = false }
        return color
      }
    }
    let bitmap = Bitmap(pixelWidth: width, pixelHeight: height, isOpaque: isOpaque) { (bytes) throws(Never) in
      bytes.copyBytes(from: pixels)
    }
    return bitmap ?? Bitmap()
  }

  /// An image of one color.
  static func plain(_ width: Int, _ height: Int, _ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Bitmap {
    make(width, height) { _, _ in [red, green, blue, 255] }
  }

  /// An image in which every pixel has a color of its own.
  static func varied(_ width: Int, _ height: Int) -> Bitmap {
    make(width, height) { x, y in
      [UInt8(x * 255 / max(width - 1, 1)), UInt8(y * 255 / max(height - 1, 1)), UInt8((x * 31 + y * 17) & 255), 255]
    }
  }

  /// An image that no PNG makes small, with every alpha.
  static func noise(_ width: Int, _ height: Int) -> Bitmap {
    make(width, height) { x, y in
      let alpha = UInt8((x * 7 + y * 13) & 255)
      return [UInt8((x * y) & 255), UInt8((x &* x &+ y) & 255), UInt8((x ^ y) & 255)].map { min($0, alpha) } + [alpha]
    }
  }

  /// An image of colors that change slowly.
  static func gradient(_ width: Int, _ height: Int) -> Bitmap {
    make(width, height) { x, y in
      [UInt8(x * 255 / width), UInt8(y * 255 / height), UInt8((x + y) * 255 / (width + height)), 255]
    }
  }

  /// The colors of its pixels, row by row; `nil` if it is transparent by more than half.
  var colors: [[FakeTerminal.Color?]] {
    TerminalPixel.rows(of: self).map { row in
      row.map { $0.map { .init(red: Int($0.red), green: Int($0.green), blue: Int($0.blue)) } }
    }
  }

  var bytes: [UInt8] { withUnsafeBytes { Array($0) } }
}

/// The mean difference of all channels of two areas; infinite where they differ in size, or in where something is drawn.
func difference(_ first: [[FakeTerminal.Color?]], _ second: [[FakeTerminal.Color?]]) -> Double {
  guard first.map(\.count) == second.map(\.count) else { return .infinity }
  var (sum, count) = (0, 0)
  for (one, other) in zip(first.joined(), second.joined()) {
    guard (one == nil) == (other == nil) else { return .infinity }
    guard let one, let other else { continue }
    sum += abs(one.red - other.red) + abs(one.green - other.green) + abs(one.blue - other.blue)
    count += 3
  }
  return count == 0 ? 0 : Double(sum) / Double(count)
}

extension TerminalCapabilities {
  /// A terminal that does this.
  static func doing(
    _ method: TerminalProtocol, window: TerminalWindow = FakeTerminal().window, environment: [String: String] = [:]
  ) -> TerminalCapabilities {
    var variables = ["TERM": "xterm-256color", "COLORTERM": "truecolor"]
    switch method {
    case .kitty: variables["TERM"] = "xterm-kitty"
    case .sixel: variables["TERM"] = "foot"
    case .symbols, .blocks: break
    case .text: variables["TERM"] = "dumb"
    }
    return TerminalCapabilities(
      environment: variables.merging(environment) { $1 }, isTTY: true, window: window)
  }
}
