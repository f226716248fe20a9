internal import Foundation

/// The envelope in which tmux hands a sequence to the terminal around it, where its option `allow-passthrough` is on.
enum TmuxPassthrough {
  static func wrap(_ sequence: Data) -> Data {
    var result = Data("\u{1B}Ptmux;".utf8)
    result.reserveCapacity(sequence.count + 16)
    for byte in sequence {
      if byte == 0x1B { result.append(byte) }
      result.append(byte)
    }
    result.append(contentsOf: "\u{1B}\\".utf8)
    return result
  }
}
