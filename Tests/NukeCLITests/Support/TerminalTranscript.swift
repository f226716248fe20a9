import Foundation
import Nuke

/// What was written to a terminal, taken apart as it comes: each byte is looked at once.
struct TerminalTranscript {
  /// An image that was sent whole by kitty's protocol, as PNG.
  struct DrawnImage {
    let data: Data

    var bitmap: Bitmap? { Bitmap(data: data) }
    /// What the PNG's head says.
    var pixelHeight: Int { data.dropFirst(20).prefix(4).reduce(0) { $0 << 8 | Int($1) } }
  }

  private enum State {
    case text
    /// Behind an escape.
    case escape
    /// In what begins with `[` and ends with a letter.
    case control
    /// In what ends with an escape and a backslash.
    case string
    case stringEnd
  }

  /// All of it.
  private(set) var output = Data()
  /// The images that were sent.
  private(set) var images: [DrawnImage] = []
  private var controls: [String: Int] = [:]
  private var state = State.text
  /// The sequence that is not at its end, without its escape.
  private var sequence: [UInt8] = []
  /// The part of an image that has come.
  private var payload: [UInt8] = []

  init() {}

  init(_ output: Data) { append(output) }

  /// How often a control sequence was written: `[2J` clears, `[c` asks for attributes.
  func count(ofControl name: String) -> Int { controls[name] ?? 0 }

  mutating func append(_ part: Data) {
    output += part
    for byte in part { take(byte) }
  }

  private mutating func take(_ byte: UInt8) {
    switch state {
    case .text where byte == 0x1B: state = .escape
    case .text: break
    case .escape:
      sequence = [byte]
      switch byte {
      case UInt8(ascii: "["): state = .control
      case UInt8(ascii: "_"), UInt8(ascii: "P"): state = .string
      default: state = .text
      }
    case .control:
      sequence.append(byte)
      guard (0x40...0x7E).contains(byte) else { return }
      controls[String(decoding: sequence, as: UTF8.self), default: 0] += 1
      state = .text
    case .string where byte == 0x1B: state = .stringEnd
    case .string: sequence.append(byte)
    case .stringEnd:
      state = .text
      if sequence.starts(with: "_G".utf8) { takeGraphics() }
    }
  }

  /// `_G`, keys with values, a semicolon, and a part of the data, of which `m=0` marks the last.
  private mutating func takeGraphics() {
    guard let end = sequence.firstIndex(of: UInt8(ascii: ";")) else { return }
    let keys = String(decoding: sequence[2..<end], as: UTF8.self)
    if keys.hasPrefix("a=q") { return }
    if keys.hasPrefix("a=T") { payload = [] }
    payload += sequence[(end + 1)...]
    guard keys.hasSuffix("m=0"), let data = Data(base64Encoded: Data(payload)) else { return }
    images.append(DrawnImage(data: data))
  }
}
