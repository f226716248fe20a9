extension String {
  /// The text without characters that break a line or control a terminal, and with escapes for bytes that are not UTF-8.
  /// Names and messages come from files, lists and servers.
  package var onOneLine: String { withoutControls.escapingRawBytes }

  /// The text without characters that break a line or control a terminal.
  var withoutControls: String {
    var result = ""
    result.unicodeScalars.reserveCapacity(unicodeScalars.count)
    for scalar in unicodeScalars {
      switch scalar.value {
      case 0x09, 0x0A, 0x0D, 0x2028, 0x2029: result.unicodeScalars.append(" ")
      case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: result.unicodeScalars.append("\u{FFFD}")
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// The number of cells of the text on a terminal. East Asian wide characters and emoji take two.
  package var cellWidth: Int { reduce(0) { $0 + $1.cellWidth } }

  /// Pads the text at its end, or shortens it in its middle, to exactly `width` cells.
  package func fitted(to width: Int) -> String {
    let own = cellWidth
    if own <= width { return self + String(repeating: " ", count: width - own) }
    let short = shortened(to: width)
    return short + String(repeating: " ", count: max(0, width - short.cellWidth))
  }

  /// Shortens the text to at most `width` cells, with an ellipsis in its middle.
  package func shortened(to width: Int) -> String {
    guard cellWidth > width else { return self }
    guard width > 1 else { return width == 1 ? "…" : "" }
    let tail = (width - 1) / 2
    return prefix(cells: width - 1 - tail) + "…" + String(String(reversed()).prefix(cells: tail).reversed())
  }

  /// Wraps the text at `width` characters. A longer word is placed on a separate line.
  package func lines(of width: Int) -> [String] {
    split(separator: " ").reduce(into: []) { lines, word in
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
  }

  private func prefix(cells: Int) -> String {
    var left = cells
    return String(
      prefix {
        left -= $0.cellWidth
        return left >= 0
      })
  }
}

extension Character {
  fileprivate var cellWidth: Int {
    switch unicodeScalars.first!.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
      0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF,
      0x20000...0x3FFFD:
      2
    default: 1
    }
  }
}
