internal import Foundation
internal import NukeImaging

/// Encodes images as half blocks: two pixels in each cell, one as foreground and one as background.
enum HalfBlocks {
  /// Returns the lines that draw an image, each ending with default colors.
  static func lines(_ image: Bitmap, colors: TerminalCapabilities.Colors) -> [Data] {
    let rows = TerminalPixel.rows(of: image)
    return stride(from: 0, to: rows.count, by: 2).map { y in
      let lower = y + 1 < rows.count ? rows[y + 1] : [TerminalPixel?](repeating: nil, count: image.pixelWidth)
      return line(rows[y], lower, colors)
    }
  }

  private static func line(
    _ upper: [TerminalPixel?], _ lower: [TerminalPixel?], _ colors: TerminalCapabilities.Colors
  ) -> Data {
    var text = ""
    var foreground: TerminalPixel?
    var background: TerminalPixel?
    for (top, bottom) in zip(upper, lower) {
      // A lower half block is used if the upper pixel is not drawn.
      let ink = top == bottom ? nil : top ?? bottom
      let paper = top == nil ? nil : bottom
      var changes: [String] = []
      if let ink, ink != foreground {
        changes.append("38;" + ink.parameters(colors))
        foreground = ink
      }
      if paper != background {
        changes.append(paper.map { "48;" + $0.parameters(colors) } ?? "49")
        background = paper
      }
      if !changes.isEmpty { text += "\u{1B}[\(changes.joined(separator: ";"))m" }
      text += ink == nil ? " " : top == nil ? "▄" : "▀"
    }
    return Data((text + "\u{1B}[0m").utf8)
  }
}
