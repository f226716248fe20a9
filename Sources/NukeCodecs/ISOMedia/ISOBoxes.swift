#if AVIF || HEIC || JPEGXL
  /// Goes from box to box of an ISO base media file (ISO/IEC 14496-12, 4.2), or of the contents of one.
  struct ISOBoxes: Sequence, IteratorProtocol {
    struct Box {
      /// Four characters, such as "meta".
      var type: String
      /// The contents as far as they are there.
      var contents: Range<Int>
      /// `true` if the bytes end before the box does.
      var isCut: Bool
    }

    private let bytes: UnsafeRawBufferPointer
    private var offset: Int
    private let end: Int

    /// - Parameter range: where boxes stand; all bytes where `nil`.
    init(_ bytes: UnsafeRawBufferPointer, in range: Range<Int>? = nil) {
      self.bytes = bytes
      offset = range?.lowerBound ?? 0
      end = range?.upperBound ?? bytes.count
    }

    /// The next box; `nil` if there is none, or what stands there is none.
    mutating func next() -> Box? {
      guard let header = Self.header(bytes, at: offset, end: end) else { return nil }
      let start = offset + header.length
      let boxEnd = header.size == 0 ? end : offset.addingReportingOverflow(header.size).partialValue
      guard boxEnd >= start else { return nil }
      defer { offset = Swift.min(boxEnd, end) }
      let type = String(decoding: bytes[offset + 4..<offset + 8], as: UTF8.self)
      return Box(type: type, contents: start..<Swift.min(boxEnd, end), isCut: boxEnd > end)
    }

    /// The length of a box's header and its size; `nil` if too little is there, or they contradict each other.
    private static func header(_ bytes: UnsafeRawBufferPointer, at offset: Int, end: Int) -> (length: Int, size: Int)? {
      guard end - offset >= 8 else { return nil }
      let size = bytes.bigEndian(offset, 4)
      // 1 means that a 64-bit size follows the type, 0 that the box extends to the end of the file.
      guard size == 1 else { return size == 0 || size >= 8 ? (8, size) : nil }
      guard end - offset >= 16, bytes[offset + 8] < 0x40 else { return nil }
      let large = bytes.bigEndian(offset + 8, 8)
      return large >= 16 ? (16, large) : nil
    }

    /// The sizes that the images of a file say to have, in any order (ISO/IEC 23008-12, 6.5.3).
    static func imageSizes(_ bytes: UnsafeRawBufferPointer) -> [(width: Int, height: Int)] {
      var ranges = [0..<bytes.count]
      // The box `meta` has four bytes of version and flags before what it holds.
      for (type, skipped) in [("meta", 4), ("iprp", 0), ("ipco", 0)] {
        ranges = ranges.flatMap { range in
          ISOBoxes(bytes, in: range).compactMap { box in
            box.type == type && box.contents.count >= skipped ? box.contents.dropFirst(skipped) : nil
          }
        }
      }
      return ranges.flatMap { range in
        ISOBoxes(bytes, in: range).compactMap { box in
          guard box.type == "ispe", box.contents.count >= 12 else { return nil }
          let start = box.contents.lowerBound
          return (bytes.bigEndian(start + 4, 4), bytes.bigEndian(start + 8, 4))
        }
      }
    }

    /// Where a file ends by what its boxes say, of which the last may be cut; `nil` if the box `type` is not there
    /// whole, or no end can be told.
    static func end(ofFileWith type: String, in bytes: UnsafeRawBufferPointer) -> Int? {
      var boxes = ISOBoxes(bytes)
      var isThere = false
      var end = 0
      while let header = header(bytes, at: boxes.offset, end: bytes.count), let box = boxes.next() {
        if box.type == type, !box.isCut { isThere = true }
        end = header.size == 0 ? bytes.count : box.contents.lowerBound - header.length + header.size
      }
      return isThere ? Swift.max(end, bytes.count) : nil
    }

    /// Returns `true` if a file ends in the middle of a box.
    static func isCut(_ bytes: UnsafeRawBufferPointer) -> Bool {
      var boxes = ISOBoxes(bytes)
      while let box = boxes.next() { if box.isCut { return true } }
      // Less than a header is there, but not nothing.
      return boxes.offset < boxes.end && boxes.end - boxes.offset < 8
    }
  }

  extension UnsafeRawBufferPointer {
    /// The number that `count` bytes at `offset` give, the highest first.
    func bigEndian(_ offset: Int, _ count: Int) -> Int {
      var value = 0
      for byte in self[offset..<offset + count] { value = value << 8 | Int(byte) }
      return value
    }
  }
#endif
