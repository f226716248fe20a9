/// The reply of a terminal to a query for its capabilities.
public struct TerminalReply: Hashable, Sendable {
  /// The primary device attributes (DA1), of which 4 means sixels; `nil` if there are none.
  public let attributes: Set<Int>?
  /// A Boolean value that indicates whether the terminal supports kitty graphics.
  public let hasKittyGraphics: Bool
  /// The size of a cell in pixels.
  package let cell: TerminalCell?

  /// Parses a reply. Other bytes, such as typed keys, are ignored.
  public init(_ bytes: some Sequence<UInt8>) {
    var attributes: Set<Int>?
    var hasKittyGraphics = false
    var cell: TerminalCell?
    for sequence in Self.escapeSequences(in: Array(bytes)) {
      switch sequence {
      case .control(let parameters, final: UInt8(ascii: "c")) where parameters.first == UInt8(ascii: "?"):
        attributes = Set(Self.numbers(parameters.dropFirst()))
      case .control(let parameters, final: UInt8(ascii: "t")):
        // The reply to XTWINOPS 16 is 6, height, width.
        let numbers = Self.numbers(parameters)
        if numbers.count == 3, numbers[0] == 6, numbers[1] > 0, numbers[2] > 0 {
          cell = TerminalCell(width: numbers[2], height: numbers[1])
        }
      case .control: break
      case .application(let text):
        let mark = Array("Gi=\(TerminalQuery.kittyQueryID);OK".utf8)
        if text.elementsEqual(mark) { hasKittyGraphics = true }
      }
    }
    self.attributes = attributes
    self.hasKittyGraphics = hasKittyGraphics
    self.cell = cell
  }

  /// Returns `true` if the bytes contain the last reply, which every terminal sends.
  static func isComplete(_ bytes: [UInt8]) -> Bool { TerminalReply(bytes).attributes != nil }

  private enum EscapeSequence {
    case control(parameters: ArraySlice<UInt8>, final: UInt8)
    case application(ArraySlice<UInt8>)
  }

  private static func escapeSequences(in bytes: [UInt8]) -> [EscapeSequence] {
    var result: [EscapeSequence] = []
    var index = 0
    while index + 1 < bytes.count {
      guard bytes[index] == 0x1B else {
        index += 1
        continue
      }
      let start = index + 2
      switch bytes[index + 1] {
      case UInt8(ascii: "["):
        guard let end = bytes[start...].firstIndex(where: { (0x40...0x7E).contains($0) }) else { return result }
        result.append(.control(parameters: bytes[start..<end], final: bytes[end]))
        index = end + 1
      case UInt8(ascii: "_"):
        guard let end = bytes[start...].firstIndex(of: 0x1B) else { return result }
        result.append(.application(bytes[start..<end]))
        index = end + 1
      default: index += 1
      }
    }
    return result
  }

  private static func numbers(_ parameters: ArraySlice<UInt8>) -> [Int] {
    parameters.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
      .map { Int(String(decoding: $0.prefix(9), as: UTF8.self)) ?? 0 }
  }
}
