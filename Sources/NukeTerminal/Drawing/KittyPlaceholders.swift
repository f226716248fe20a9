internal import Foundation

/// Generates the Unicode placeholders of kitty's protocol: characters in whose place the terminal draws a part of an image.
///
/// Inside tmux, images are drawn by them. tmux moves, clips and clears them like other characters, whereas it does not know
/// of images placed at the cursor.
///
/// See https://sw.kovidgoyal.net/kitty/graphics-protocol/#unicode-placeholders.
enum KittyPlaceholders {
  /// The maximum number of cells per side.
  static var mostCells: Int { diacritics.count }

  /// Returns the number of an image that placeholders can name. Consecutive numbers have different results.
  ///
  /// Its low byte is the index of a color, and its high byte a diacritic. The bytes between are 0: they would need
  /// 24-bit colors, which tmux replaces by similar ones unless it knows that the terminal supports them. The first 16
  /// colors are left out, because they have separate sequences.
  static func imageID(for number: UInt32) -> UInt32 { (number / 240 % 256) << 24 | (16 + number % 240) }

  /// Returns the lines that show an image, each ending with the default color.
  ///
  /// - Parameters:
  ///   - id: a number returned by ``imageID(for:)``.
  ///   - size: the cells of the image, at most ``mostCells`` per side.
  static func lines(id: UInt32, size: TerminalSize) -> [Data] {
    (0..<size.rows).map { row in
      var line = "\u{1B}[38;5;\(id & 255)m"
      // Each cell names its row and column, since tmux may redraw any part of a line.
      for column in 0..<size.columns {
        line.unicodeScalars += [placeholder, diacritics[row], diacritics[column], diacritics[Int(id >> 24)]]
      }
      return Data((line + "\u{1B}[39m").utf8)
    }
  }

  private static let placeholder: Unicode.Scalar = "\u{10EEEE}"

  /// The combining characters that stand for the numbers from 0 on.
  private static let diacritics: [Unicode.Scalar] = ranges.flatMap { $0.compactMap(Unicode.Scalar.init) }

  /// The ranges of these characters. The protocol defines them as the characters of Unicode 6.0 with the combining
  /// class 230 that neither decompose nor compose with others.
  private static let ranges: [ClosedRange<UInt32>] = [
    0x305...0x305, 0x30D...0x30E, 0x310...0x310, 0x312...0x312, 0x33D...0x33F, 0x346...0x346, 0x34A...0x34C,
    0x350...0x352, 0x357...0x357, 0x35B...0x35B, 0x363...0x36F, 0x483...0x487, 0x592...0x595, 0x597...0x599,
    0x59C...0x5A1, 0x5A8...0x5A9, 0x5AB...0x5AC, 0x5AF...0x5AF, 0x5C4...0x5C4, 0x610...0x617, 0x657...0x65B,
    0x65D...0x65E, 0x6D6...0x6DC, 0x6DF...0x6E2, 0x6E4...0x6E4, 0x6E7...0x6E8, 0x6EB...0x6EC, 0x730...0x730,
    0x732...0x733, 0x735...0x736, 0x73A...0x73A, 0x73D...0x73D, 0x73F...0x741, 0x743...0x743, 0x745...0x745,
    0x747...0x747, 0x749...0x74A, 0x7EB...0x7F1, 0x7F3...0x7F3, 0x816...0x819, 0x81B...0x823, 0x825...0x827,
    0x829...0x82D, 0x951...0x951, 0x953...0x954, 0xF82...0xF83, 0xF86...0xF87, 0x135D...0x135F, 0x17DD...0x17DD,
    0x193A...0x193A, 0x1A17...0x1A17, 0x1A75...0x1A7C, 0x1B6B...0x1B6B, 0x1B6D...0x1B73, 0x1CD0...0x1CD2,
    0x1CDA...0x1CDB, 0x1CE0...0x1CE0, 0x1DC0...0x1DC1, 0x1DC3...0x1DC9, 0x1DCB...0x1DCC, 0x1DD1...0x1DE6,
    0x1DFE...0x1DFE, 0x20D0...0x20D1, 0x20D4...0x20D7, 0x20DB...0x20DC, 0x20E1...0x20E1, 0x20E7...0x20E7,
    0x20E9...0x20E9, 0x20F0...0x20F0, 0x2CEF...0x2CF1, 0x2DE0...0x2DFF, 0xA66F...0xA66F, 0xA67C...0xA67D,
    0xA6F0...0xA6F1, 0xA8E0...0xA8F1, 0xAAB0...0xAAB0, 0xAAB2...0xAAB3, 0xAAB7...0xAAB8, 0xAABE...0xAABF,
    0xAAC1...0xAAC1, 0xFE20...0xFE26, 0x10A0F...0x10A0F, 0x10A38...0x10A38, 0x1D185...0x1D189, 0x1D1AA...0x1D1AD,
    0x1D242...0x1D244,
  ]
}
