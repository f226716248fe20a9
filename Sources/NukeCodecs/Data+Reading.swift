import Foundation

extension Data {
  /// Calls `body` with the bytes. Unlike `withUnsafeBytes`, it preserves typed throws.
  func reading<Value>(
    _ body: (UnsafeRawBufferPointer) throws(CodecError) -> Value
  ) throws(CodecError) -> Value {
    try withUnsafeBytes { bytes in Result { () throws(CodecError) in try body(bytes) } }.get()
  }

  /// Returns the bytes of a range relative to the first byte.
  func slice(_ range: Range<Int>) -> Data {
    self[startIndex + range.lowerBound..<startIndex + range.upperBound]
  }
}

/// Returns the result of `body`, which reads the first bytes of a file; `nil` if it needs more bytes.
func unlessTruncated<Value>(_ body: () throws(CodecError) -> Value?) throws(CodecError) -> Value? {
  do throws(CodecError) {
    return try body()
  } catch {
    if case .truncated = error { return nil }
    throw error
  }
}

/// Numbers at an offset. The caller must have checked the bounds.
extension UnsafeRawBufferPointer {
  func littleEndian16(at offset: Int) -> Int {
    Int(UInt16(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
  }

  func littleEndian24(at offset: Int) -> Int { littleEndian16(at: offset) | Int(self[offset + 2]) << 16 }

  func littleEndian32(at offset: Int) -> Int {
    Int(UInt32(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
  }

  func bigEndian32(at offset: Int) -> UInt32 {
    UInt32(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }
}

extension String {
  /// Creates a string from a C array of characters, which Swift imports as a tuple, up to the first zero.
  init<Characters>(characters: Characters) {
    self = withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
