#if TIFF
  /// Finds the first directory of a TIFF and checks that it is complete, without libtiff. Truncated directories, and
  /// those for which libtiff would need minutes, are not passed to libtiff.
  struct TIFFDirectory {
    /// The maximum number of entries. No image has more.
    private static let mostEntries = 512

    /// `true` if the first directory and its values are all within the bytes.
    let isComplete: Bool

    /// - Throws: an error if the bytes are not a TIFF, or the directory has too many entries.
    init(_ bytes: UnsafeRawBufferPointer) throws(CodecError) {
      guard bytes.count >= 16 else {
        isComplete = false
        return
      }
      let numbers = Numbers(bytes: bytes, isLittleEndian: bytes[0] == UInt8(ascii: "I"))
      let isBig = numbers.value(2, 2) == 43
      let (offsetSize, countSize, entrySize) = isBig ? (8, 8, 20) : (4, 2, 12)
      guard let start = numbers.value(isBig ? 8 : 4, offsetSize), start >= 8 else {
        throw .malformed(.tiff, reason: "the first directory stands in the header", offset: 4)
      }
      guard let count = numbers.value(start, countSize) else {
        isComplete = false
        return
      }
      guard count <= Self.mostEntries else {
        throw .unsupported(.tiff, feature: "a directory of \(count) entries")
      }
      isComplete = (0..<count).allSatisfy { index in
        let entry = start + countSize + index * entrySize
        guard
          let type = numbers.value(entry + 2, 2), let count = numbers.value(entry + 4, offsetSize),
          let offset = numbers.value(entry + 4 + offsetSize, offsetSize)
        else { return false }
        let (length, overflow) = count.multipliedReportingOverflow(by: Self.size(of: type))
        if overflow { return false }
        return length <= offsetSize || offset <= bytes.count && length <= bytes.count - offset
      }
    }

    private static func size(of type: Int) -> Int {
      switch type {
      case 3, 8: 2
      case 4, 9, 11, 13: 4
      case 5, 10, 12, 16, 17, 18: 8
      default: 1
      }
    }

    private struct Numbers {
      let bytes: UnsafeRawBufferPointer
      let isLittleEndian: Bool

      /// Returns the number in `size` bytes at `offset`; `nil` if it is not available, or larger than any offset.
      func value(_ offset: Int, _ size: Int) -> Int? {
        guard offset >= 0, offset <= bytes.count - size else { return nil }
        let digits = bytes[offset..<offset + size]
        let value = (isLittleEndian ? Array(digits.reversed()) : Array(digits)).reduce(UInt64(0)) {
          $0 << 8 | UInt64($1)
        }
        return value <= UInt64(Int.max / 4) ? Int(value) : nil
      }
    }
  }
#endif
