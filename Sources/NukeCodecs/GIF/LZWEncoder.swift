/// Encodes color indices as the variable-length codes of a GIF frame ("Graphics Interchange Format, version 89a",
/// appendix F), in data blocks.
///
/// The dictionary is cleared when it is full.
struct LZWEncoder {
  private static let maximumCodes = 4096
  private static let slotCount = 1 << 14
  private static let blockLength = 255

  /// The dictionary as a hash table: each slot has the previous string and one more index as its key, and the code of
  /// the result; -1 for a free slot.
  private var keys = [Int32](repeating: -1, count: slotCount)
  private var codes = [UInt16](repeating: 0, count: slotCount)
  private var bits: UInt64 = 0
  private var bitCount = 0
  private var block: [UInt8] = []

  /// Appends the data of a frame to a file: the number of bits, the blocks, and the empty block at the end.
  ///
  /// - Parameter bitsPerIndex: 2...8. All indices must be below 1 << bitsPerIndex.
  mutating func encode(_ indices: [UInt8], bitsPerIndex: Int, to file: inout [UInt8]) {
    file.append(UInt8(bitsPerIndex))
    let clear = 1 << bitsPerIndex
    var width = bitsPerIndex + 1
    var next = clear + 2
    write(clear, width, to: &file)
    forgetStrings()
    var prefix = -1
    for index in indices {
      guard prefix >= 0 else {
        prefix = Int(index)
        continue
      }
      let key = Int32(prefix << 8 | Int(index))
      let slot = slot(of: key)
      if keys[slot] == key {
        prefix = Int(codes[slot])
        continue
      }
      write(prefix, width, to: &file)
      if next < Self.maximumCodes {
        keys[slot] = key
        codes[slot] = UInt16(next)
        if next == 1 << width { width += 1 }
        next += 1
      } else {
        write(clear, width, to: &file)
        forgetStrings()
        width = bitsPerIndex + 1
        next = clear + 2
      }
      prefix = Int(index)
    }
    if prefix >= 0 {
      write(prefix, width, to: &file)
      // A reader defines one more string here, which may make its codes longer.
      if next == 1 << width, width < 12 { width += 1 }
    }
    write(clear + 1, width, to: &file)
    finish(&file)
  }

  private mutating func forgetStrings() {
    for slot in keys.indices { keys[slot] = -1 }
  }

  /// Returns the slot of the string in the hash table, or the free slot for it. Open addressing, at most a quarter
  /// full.
  private func slot(of key: Int32) -> Int {
    var slot = Int(truncatingIfNeeded: (UInt32(bitPattern: key) &* 0x9E37_79B1) >> 18)
    while keys[slot] != key, keys[slot] != -1 { slot = (slot + 1) & (Self.slotCount - 1) }
    return slot
  }

  private mutating func write(_ code: Int, _ width: Int, to file: inout [UInt8]) {
    bits |= UInt64(code) << bitCount
    bitCount += width
    while bitCount >= 8 {
      block.append(UInt8(truncatingIfNeeded: bits))
      bits >>= 8
      bitCount -= 8
      if block.count == Self.blockLength { flush(&file) }
    }
  }

  private mutating func flush(_ file: inout [UInt8]) {
    guard !block.isEmpty else { return }
    file.append(UInt8(block.count))
    file += block
    block.removeAll(keepingCapacity: true)
  }

  private mutating func finish(_ file: inout [UInt8]) {
    if bitCount > 0 { block.append(UInt8(truncatingIfNeeded: bits)) }
    (bits, bitCount) = (0, 0)
    flush(&file)
    file.append(0)
  }
}
