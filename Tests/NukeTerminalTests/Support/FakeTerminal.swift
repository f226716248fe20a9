import Foundation
import Nuke

@testable import NukeTerminal

/// A terminal in memory: what has been written to it, as somebody would see it.
struct FakeTerminal {
  struct Color: Hashable {
    var red: Int
    var green: Int
    var blue: Int
  }

  struct Cell: Hashable {
    var character: Character = " "
    var foreground: Color?
    var background: Color?

    /// The colors of its halves; `nil` if the terminal's own background shows.
    var halves: [Color?] {
      switch character {
      case "▀": [foreground, background]
      case "▄": [background, foreground]
      default: [background, background]
      }
    }
  }

  /// An image by kitty's protocol.
  struct DrawnImage {
    let id: Int
    let bitmap: Bitmap
    let column: Int
    var row: Int
    /// What it is stretched to; `nil` if it has its own pixels.
    let cells: TerminalSize?
    /// Placeholders draw it, wherever they are, and nothing is drawn at its column and row.
    let isInPlaceholders: Bool
  }

  /// A cell in which a part of an image is drawn.
  struct Placeholder: Hashable {
    let imageID: Int
    let column: Int
    let row: Int
  }

  let window: TerminalWindow
  private let cell: TerminalCell
  private(set) var cells: [[Cell]]
  private(set) var images: [DrawnImage] = []
  /// Pixels drawn by sixels, of all of the window.
  private(set) var pixels: [[Color?]]
  private(set) var cursor = (column: 0, row: 0)
  private(set) var isCursorVisible = true
  private(set) var isUpdating = false
  /// Sequences that were handed on by tmux.
  private(set) var envelopeCount = 0
  /// What no terminal knows, or nothing should send.
  private(set) var complaints: [String] = []
  /// The most images that were there at the same time.
  private(set) var mostImages = 0
  /// The longest payload of a sequence of kitty's.
  private(set) var longestChunk = 0

  private var attributes = Cell()
  private var isInverse = false
  private var saved = (column: 0, row: 0)
  /// Of an image whose data is still coming.
  private var coming: (keys: [String: String], data: Data)?

  init(_ window: TerminalWindow = TerminalWindow(columns: 40, rows: 12, pixelWidth: 320, pixelHeight: 192)) {
    self.window = window
    cell = window.cell ?? .assumed
    cells = Array(repeating: Array(repeating: Cell(), count: window.columns), count: window.rows)
    pixels = Array(
      repeating: Array(repeating: nil, count: window.columns * cell.width), count: window.rows * cell.height)
  }

  /// The text of a line, without the blanks at its end.
  func line(_ row: Int) -> String {
    var text = String(cells[row].map(\.character))
    while text.last == " " { text.removeLast() }
    return text
  }

  /// The colors of half cells in a rectangle whose height is counted in halves.
  func halves(columns: Int, halves: Int, row: Int = 0) -> [[Color?]] {
    (0..<halves).map { y in (0..<columns).map { x in cells[row + y / 2][x].halves[y % 2] } }
  }

  /// The part of an image that a cell shows, by its diacritics and the number of its color.
  func placeholder(column: Int, row: Int) -> Placeholder? {
    let cell = cells[row][column]
    let scalars = cell.character.unicodeScalars.map { $0 }
    guard scalars.count == 4, scalars[0].value == 0x10EEEE else { return nil }
    let numbers = scalars.dropFirst().compactMap { PlaceholderDiacritics.numbers[$0] }
    guard numbers.count == 3, let color = cell.foreground.flatMap({ Self.paletteIndexes[$0] }) else { return nil }
    return Placeholder(imageID: numbers[2] << 24 | color, column: numbers[1], row: numbers[0])
  }

  // MARK: Writing

  mutating func write(_ data: Data) {
    var rest = Array(data)[...]
    while let byte = rest.first {
      switch byte {
      case 0x1B: escape(&rest)
      case 0x0D:
        cursor.column = 0
        rest.removeFirst()
      case 0x0A:
        newLine()
        rest.removeFirst()
      case 0..<0x20, 0x7F:
        complaints.append("control \(byte)")
        rest.removeFirst()
      default: text(&rest)
      }
    }
  }

  private mutating func newLine() {
    // As a terminal driver does it, which adds the return.
    cursor.column = 0
    guard cursor.row == window.rows - 1 else {
      cursor.row += 1
      return
    }
    cells.removeFirst()
    cells.append(Array(repeating: Cell(), count: window.columns))
    pixels.removeFirst(cell.height)
    pixels += Array(repeating: Array(repeating: nil, count: window.columns * cell.width), count: cell.height)
    for index in images.indices { images[index].row -= 1 }
  }

  private mutating func text(_ rest: inout ArraySlice<UInt8>) {
    let end = rest.firstIndex { $0 < 0x20 || $0 == 0x7F } ?? rest.endIndex
    for character in String(decoding: rest[rest.startIndex..<end], as: UTF8.self) {
      guard cursor.column < window.columns else {
        complaints.append("beyond the end of the line")
        break
      }
      var cell = attributes
      cell.character = character
      if isInverse { (cell.foreground, cell.background) = (cell.background, cell.foreground) }
      cells[cursor.row][cursor.column] = cell
      cursor.column += 1
    }
    rest = rest[end...]
  }

  private mutating func escape(_ rest: inout ArraySlice<UInt8>) {
    rest.removeFirst()
    guard let kind = rest.popFirst() else { return complaints.append("a cut sequence") }
    switch kind {
    case UInt8(ascii: "["):
      guard let end = rest.firstIndex(where: { (0x40...0x7E).contains($0) }) else {
        complaints.append("a cut sequence")
        rest = []
        return
      }
      control(String(decoding: rest[rest.startIndex..<end], as: UTF8.self), final: rest[end])
      rest = rest[(end + 1)...]
    case UInt8(ascii: "7"): saved = cursor
    case UInt8(ascii: "8"): cursor = saved
    case UInt8(ascii: "\\"): break
    case UInt8(ascii: "_"), UInt8(ascii: "P"):
      guard let end = Self.terminator(rest) else {
        complaints.append("a string without an end")
        rest = []
        return
      }
      let string = rest[rest.startIndex..<end]
      rest = rest[(end + 2)...]
      if kind == UInt8(ascii: "_") {
        application(string)
      } else if string.starts(with: Array("tmux;".utf8)) {
        envelope(string.dropFirst(5))
      } else {
        sixel(string)
      }
    default: complaints.append("escape \(kind)")
    }
  }

  /// Where the string ends. In an envelope each escape stands twice.
  private static func terminator(_ bytes: ArraySlice<UInt8>) -> Int? {
    var index = bytes.startIndex
    while index + 1 < bytes.endIndex {
      if bytes[index] == 0x1B {
        if bytes[index + 1] == UInt8(ascii: "\\") { return index }
        index += 2
      } else {
        index += 1
      }
    }
    return nil
  }

  private mutating func envelope(_ string: ArraySlice<UInt8>) {
    envelopeCount += 1
    var inner = Data()
    var index = string.startIndex
    while index < string.endIndex {
      inner.append(string[index])
      index += string[index] == 0x1B ? 2 : 1
    }
    write(inner)
  }

  private mutating func control(_ parameters: String, final: UInt8) {
    let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    switch (final, parameters) {
    case (UInt8(ascii: "A"), _): cursor.row = max(0, cursor.row - max(1, numbers[0]))
    case (UInt8(ascii: "B"), _): cursor.row = min(window.rows - 1, cursor.row + max(1, numbers[0]))
    case (UInt8(ascii: "H"), ""): cursor = (0, 0)
    case (UInt8(ascii: "J"), ""): erase(from: cursor.row)
    case (UInt8(ascii: "J"), "2"): erase(from: 0)
    case (UInt8(ascii: "h"), "?25"), (UInt8(ascii: "l"), "?25"): isCursorVisible = final == UInt8(ascii: "h")
    case (UInt8(ascii: "h"), "?2026"), (UInt8(ascii: "l"), "?2026"): isUpdating = final == UInt8(ascii: "h")
    case (UInt8(ascii: "m"), _): rendition(numbers)
    default: complaints.append("control \(parameters) \(final)")
    }
  }

  private mutating func erase(from row: Int) {
    for row in row..<window.rows { cells[row] = Array(repeating: Cell(), count: window.columns) }
    for y in row * cell.height..<window.rows * cell.height {
      pixels[y] = Array(repeating: nil, count: window.columns * cell.width)
    }
  }

  private mutating func rendition(_ numbers: [Int]) {
    var rest = numbers[...]
    while let number = rest.popFirst() {
      switch number {
      case 0: (attributes, isInverse) = (Cell(), false)
      case 7: isInverse = true
      case 38: attributes.foreground = color(&rest)
      case 39: attributes.foreground = nil
      case 48: attributes.background = color(&rest)
      case 49: attributes.background = nil
      default: complaints.append("rendition \(number)")
      }
    }
  }

  private mutating func color(_ rest: inout ArraySlice<Int>) -> Color? {
    switch rest.popFirst() {
    case 2 where rest.count >= 3:
      defer { rest = rest.dropFirst(3) }
      let start = rest.startIndex
      return Color(red: rest[start], green: rest[start + 1], blue: rest[start + 2])
    case 5 where !rest.isEmpty: return Self.palette(rest.removeFirst())
    default:
      complaints.append("a color without numbers")
      return nil
    }
  }

  /// The numbers of xterm's colors from 16 on, which all differ.
  private static let paletteIndexes = Dictionary(uniqueKeysWithValues: (16...255).map { (palette($0), $0) })

  /// xterm's colors from 16 on.
  static func palette(_ index: Int) -> Color {
    if index >= 232 {
      let gray = 8 + 10 * (index - 232)
      return Color(red: gray, green: gray, blue: gray)
    }
    let levels = [0, 95, 135, 175, 215, 255]
    let place = index - 16
    return Color(red: levels[place / 36], green: levels[place / 6 % 6], blue: levels[place % 6])
  }

  // MARK: Kitty

  private mutating func application(_ string: ArraySlice<UInt8>) {
    guard string.first == UInt8(ascii: "G") else { return complaints.append("a string of an application") }
    let parts = string.dropFirst().split(separator: UInt8(ascii: ";"), maxSplits: 1, omittingEmptySubsequences: false)
    var keys: [String: String] = [:]
    for pair in String(decoding: parts[0], as: UTF8.self).split(separator: ",") {
      let sides = pair.split(separator: "=")
      if sides.count == 2 { keys[String(sides[0])] = String(sides[1]) }
    }
    if keys["q"] != "2" { complaints.append("an answer is wanted, which would be taken for keys") }
    if keys["a"] == "d" {
      guard keys["d"] == "I", let id = keys["i"].flatMap({ Int($0) }) else { return complaints.append("delete what?") }
      return images.removeAll { $0.id == id }
    }
    let chunk = parts.count > 1 ? Data(parts[1]) : Data()
    longestChunk = max(longestChunk, chunk.count)
    let isMore = keys["m"] == "1"
    if isMore, chunk.count % 4 != 0 { complaints.append("a chunk of odd length") }
    if coming == nil { coming = (keys, Data()) }
    coming?.data.append(chunk)
    guard !isMore, let (first, text) = coming else { return }
    coming = nil
    let isInPlaceholders = first["U"] == "1"
    guard first["a"] == "T", first["f"] == "100", first["t"] == "d", isInPlaceholders || first["C"] == "1",
      let id = first["i"].flatMap({ Int($0) }), let data = Data(base64Encoded: text), let bitmap = Bitmap(data: data)
    else { return complaints.append("no image in \(first)") }
    var cells: TerminalSize?
    if let columns = first["c"].flatMap({ Int($0) }), let rows = first["r"].flatMap({ Int($0) }) {
      cells = TerminalSize(columns: columns, rows: rows)
    }
    images.removeAll { $0.id == id }
    images.append(
      DrawnImage(
        id: id, bitmap: bitmap, column: cursor.column, row: cursor.row, cells: cells,
        isInPlaceholders: isInPlaceholders))
    mostImages = max(mostImages, images.count)
  }

  // MARK: Sixel

  private mutating func sixel(_ string: ArraySlice<UInt8>) {
    guard let start = string.firstIndex(of: UInt8(ascii: "q")) else { return complaints.append("a device string") }
    let isBackgroundKept = string[..<start].elementsEqual(Array("0;1".utf8))
    var decoder = SixelDecoder(string[(start + 1)...])
    let (left, top) = (cursor.column * cell.width, cursor.row * cell.height)
    decoder.decode { x, y, color in
      guard top + y < pixels.count, left + x < pixels[0].count else {
        // The terminal would scroll.
        return complaints.append("a sixel at \(x), \(y) is outside of the window")
      }
      pixels[top + y][left + x] = color
    }
    if !isBackgroundKept { complaints.append("the background is painted") }
    complaints += decoder.complaints
    // As some terminals leave it, which no program may count on.
    cursor = (left + decoder.width / cell.width % window.columns, min(window.rows - 1, cursor.row + 1))
    cursor.column %= window.columns
  }
}
