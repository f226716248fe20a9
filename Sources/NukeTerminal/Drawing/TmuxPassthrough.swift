internal import Foundation

/// The sequence that tmux passes to the outer terminal if its option `allow-passthrough` is on.
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
