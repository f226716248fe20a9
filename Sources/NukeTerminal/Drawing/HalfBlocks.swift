internal import Foundation
internal import NukeImaging

/// Images of two pixels a cell: the upper half of a block in one color on the background of another.
enum HalfBlocks {
  /// The lines that draw an image, each of which ends without color.
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
      // The lower half is drawn where there is nothing above it; elsewhere it is the background.
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
