import Foundation

/// Decodes the variable-length codes of a GIF frame ("Graphics Interchange Format, version 89a", appendix F).
///
/// Each string in the dictionary is the previous string plus one pixel, and both are adjacent in the output. An entry
/// is therefore an offset in the output and a length, and each code is decoded with one copy, whatever its length.
final class LZWDecoder {
  enum Failure: Error {
    /// A code that is not in the dictionary yet, after some pixels.
    case undefinedCode(pixelCount: Int)
    case cancelled
  }

  private struct Entry {
    var offset: UInt32
    var length: UInt32
  }

  private static let maximumCodes = 4096
  /// All 256 pixel values precede the output, for the codes of single pixels.
  private static let alphabet = 256
  /// A copy may write up to this many additional bytes.
  private static let slack = 16

  private let entries = UnsafeMutablePointer<Entry>.allocate(capacity: maximumCodes)
  private var memory: UnsafeMutableRawPointer?
  private var capacity = 0

  deinit {
    entries.deallocate()
    free(memory)
  }

  /// Allocates memory for `count` pixels. Returns `false` if that fails.
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

  /// The color indices from the last call to ``decode(_:literalBits:count:isCancelled:)``.
  var pixels: UnsafePointer<UInt8> {
    UnsafePointer(memory!.assumingMemoryBound(to: UInt8.self) + Self.alphabet)
  }

  /// Decodes at most `count` pixels. Returns the number of pixels before the codes end.
  ///
  /// - Parameters:
  ///   - codes: the joined data blocks, followed by 8 additional bytes.
  ///   - literalBits: the number of bits of a pixel, 1...8.
  ///   - count: at most the reserved number.
  ///   - isCancelled: called whenever the dictionary is cleared.
  func decode(
    _ codes: UnsafeRawBufferPointer, literalBits: Int, count: Int, isCancelled: () -> Bool
  ) throws(Failure) -> Int {
    guard let output = memory, let input = codes.baseAddress else { return 0 }
    let bitCount = (codes.count - 8) * 8
    let clear = 1 << literalBits
    for value in 0..<clear { entries[value] = Entry(offset: UInt32(value), length: 1) }
    // These entries are never looked up.
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
      // Not only after a new entry: with pixels of one bit, the second code is already wider.
      if next == 1 << width, width < 12 { width += 1 }
      guard code < next else { throw .undefinedCode(pixelCount: position - Self.alphabet) }
      let entry = entries[code]
      let offset = Int(entry.offset)
      let length = min(Int(entry.length), end - position)
      var copied = 0
      repeat {
        let chunk = output.loadUnaligned(fromByteOffset: offset + copied, as: UInt64.self)
        output.storeBytes(of: chunk, toByteOffset: position + copied, as: UInt64.self)
        copied += 8
      } while copied < length
      // The string of a code that is used when it is being defined ends with its own first pixel.
      let last = output.loadUnaligned(fromByteOffset: offset + length - 1, as: UInt8.self)
      output.storeBytes(of: last, toByteOffset: position + length - 1, as: UInt8.self)
      previous = Entry(offset: UInt32(truncatingIfNeeded: position), length: entry.length)
      position += length
    }
    return position - Self.alphabet
  }
}
