import Foundation

/// Unpacks the variable-length codes of a GIF frame ("Graphics Interchange Format, version 89a", appendix F).
///
/// Every string of the dictionary is the one before plus one more pixel, and both stand side by side in what was
/// already written. So an entry is an offset in the output and a length, and each code is one copy, however long its
/// string.
final class LZWDecoder {
  enum Failure: Error {
    /// A code that the dictionary does not hold yet.
    case undefinedCode(bitOffset: Int)
    case cancelled
  }

  private struct Entry {
    var offset: UInt32
    var length: UInt32
  }

  private static let maximumCodes = 4096
  /// Before the pixels stand all 256 of them once, for the codes of one pixel.
  private static let alphabet = 256
  /// A copy may write this many bytes too many.
  private static let slack = 16

  private let entries = UnsafeMutablePointer<Entry>.allocate(capacity: maximumCodes)
  private var memory: UnsafeMutableRawPointer?
  private var capacity = 0

  deinit {
    entries.deallocate()
    free(memory)
  }

  /// Makes room for `count` pixels; `false` if the system has no memory.
  func reserve(_ count: Int) -> Bool {
    let needed = Self.alphabet + count + Self.slack
    if capacity >= needed { return true }
    free(memory)
    capacity = 0
    memory = malloc(needed)
    guard let memory else { return false }
    capacity = needed
    for value in 0..<Self.alphabet { memory.storeBytes(of: UInt8(value), toByteOffset: value, as: UInt8.self) }
    return true
  }

  /// The color indices of the last ``decode(_:literalBits:count:isCancelled:)``.
  var pixels: UnsafePointer<UInt8> {
    UnsafePointer(memory!.assumingMemoryBound(to: UInt8.self) + Self.alphabet)
  }

  /// Unpacks at most `count` pixels and returns how many there were before the codes end.
  ///
  /// - Parameters:
  ///   - codes: the data blocks joined, and 8 more bytes that are not part of them.
  ///   - literalBits: the bits of one pixel, 1...8.
  ///   - count: as reserved before.
  ///   - isCancelled: called whenever the dictionary is cleared.
  func decode(
    _ codes: UnsafeRawBufferPointer, literalBits: Int, count: Int, isCancelled: () -> Bool
  ) throws(Failure) -> Int {
    guard let output = memory, let input = codes.baseAddress else { return 0 }
    let bitCount = (codes.count - 8) * 8
    let clear = 1 << literalBits
    for value in 0..<clear { entries[value] = Entry(offset: UInt32(value), length: 1) }
    // Neither is ever looked up.
    entries[clear] = Entry(offset: 0, length: 1)
    entries[clear + 1] = Entry(offset: 0, length: 1)

    let end = Self.alphabet + count
    var position = Self.alphabet
    var previous = Entry(offset: 0, length: 0)
    var next = clear + 2
    var width = literalBits + 1
    var bit = 0
    while position < end, bit + width <= bitCount {
      let bits = UInt64(littleEndian: input.loadUnaligned(fromByteOffset: bit >> 3, as: UInt64.self))
      let code = Int(truncatingIfNeeded: bits >> UInt64(bit & 7)) & ((1 << width) - 1)
      bit += width
      if code & ~1 == clear, code == clear || code == clear + 1 {
        if code != clear { break }
        if isCancelled() { throw .cancelled }
        next = clear + 2
        width = literalBits + 1
        previous.length = 0
        continue
      }
      if previous.length != 0, next < Self.maximumCodes {
        entries[next] = Entry(offset: previous.offset, length: previous.length + 1)
        next += 1
      }
      // Not only after a new entry: with pixels of one bit the second code is wider already.
      if next == 1 << width, width < 12 { width += 1 }
      guard code < next else { throw .undefinedCode(bitOffset: bit - width) }
      let entry = entries[code]
      let offset = Int(entry.offset)
      let length = min(Int(entry.length), end - position)
      var copied = 0
      repeat {
        let chunk = output.loadUnaligned(fromByteOffset: offset + copied, as: UInt64.self)
        output.storeBytes(of: chunk, toByteOffset: position + copied, as: UInt64.self)
        copied += 8
      } while copied < length
      // The string of a code that is used in the moment it is defined ends with its own first pixel.
      let last = output.loadUnaligned(fromByteOffset: offset + length - 1, as: UInt8.self)
      output.storeBytes(of: last, toByteOffset: position + length - 1, as: UInt8.self)
      previous = Entry(offset: UInt32(truncatingIfNeeded: position), length: entry.length)
      position += length
    }
    return position - Self.alphabet
  }
}
