extension UnsafeRawBufferPointer {
  /// The unsigned number in the two bytes at `offset`, the lowest first. The caller has seen to it that they are there.
  func littleEndian16(at offset: Int) -> Int {
    Int(UInt16(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
  }

  /// The unsigned number in the four bytes at `offset`, the lowest first. The caller has seen to it that they are there.
  func littleEndian32(at offset: Int) -> Int {
    Int(UInt32(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
  }
}
