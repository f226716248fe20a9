#if AVIF || HEIC || JPEGXL || Video
  /// Iterates over the boxes of an ISO base media file (ISO/IEC 14496-12, 4.2), or of the contents of a box.
  struct ISOBoxes: Sequence, IteratorProtocol {
    struct Box {
      /// The four characters of the type, such as "meta".
      var type: String
      /// The offset of the header, in which the type follows the four bytes of the size.
      var start: Int
      /// The range of the available contents.
      var contents: Range<Int>
      /// `true` if the data ends before the box does.
      var isTruncated: Bool
      /// `true` if the box extends to the end of the file, and states no size.
      var isOpenEnded: Bool
    }

    private let bytes: UnsafeRawBufferPointer
    private var offset: Int
    private let end: Int

    /// - Parameter range: the range that contains boxes; `nil` for all bytes.
    init(_ bytes: UnsafeRawBufferPointer, in range: Range<Int>? = nil) {
      self.bytes = bytes
      offset = range?.lowerBound ?? 0
      end = range?.upperBound ?? bytes.count
    }

    /// Returns the next box; `nil` if there is none or it is invalid.
    mutating func next() -> Box? {
      guard let header = Self.header(bytes, at: offset, end: end) else { return nil }
      let start = offset + header.length
      let boxEnd = header.size == 0 ? end : offset.addingReportingOverflow(header.size).partialValue
      guard boxEnd >= start else { return nil }
      let headerStart = offset
      defer { offset = Swift.min(boxEnd, end) }
      let type = String(decoding: bytes[offset + 4..<offset + 8], as: UTF8.self)
      return Box(
        type: type, start: headerStart, contents: start..<Swift.min(boxEnd, end), isTruncated: boxEnd > end,
        isOpenEnded: header.size == 0)
    }

    /// Returns the length of a box's header and its size; `nil` if the data is too short or they contradict each other.
    private static func header(_ bytes: UnsafeRawBufferPointer, at offset: Int, end: Int) -> (length: Int, size: Int)? {
      guard end - offset >= 8 else { return nil }
      let size = bytes.bigEndian(offset, 4)
      // 1 means that a 64-bit size follows the type, and 0 that the box extends to the end of the file.
      guard size == 1 else { return size == 0 || size >= 8 ? (8, size) : nil }
      guard end - offset >= 16, bytes[offset + 8] < 0x40 else { return nil }
      let large = bytes.bigEndian(offset + 8, 8)
      return large >= 16 ? (16, large) : nil
    }

    /// Returns the sizes that the images of a file state, in any order (ISO/IEC 23008-12, 6.5.3).
    static func imageSizes(_ bytes: UnsafeRawBufferPointer) -> [(width: Int, height: Int)] {
      var ranges = [0..<bytes.count]
      // The box `meta` has four bytes for version and flags before its contents.
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

    /// Returns the contents of all boxes with a path of types, such as ["moov", "trak"].
    static func contents(of path: [String], _ bytes: UnsafeRawBufferPointer) -> [Range<Int>] {
      path.reduce([0..<bytes.count]) { ranges, type in
        ranges.flatMap { range in ISOBoxes(bytes, in: range).compactMap { $0.type == type ? $0.contents : nil } }
      }
    }

    /// Returns the number of runs of samples with equal delays that the tracks of a file can have at most (ISO/IEC
    /// 14496-12, 8.6.1.2).
    static func delayRunCount(_ bytes: UnsafeRawBufferPointer) -> Int {
      contents(of: ["moov", "trak", "mdia", "minf", "stbl", "stts"], bytes).reduce(0) { $0 + $1.count / 8 }
    }

    /// Returns the end of a file according to its boxes, the last of which may be truncated. Returns `nil` if the box
    /// `type` is not complete, or the end is unknown.
    static func end(ofFileWith type: String, in bytes: UnsafeRawBufferPointer) -> Int? {
      var boxes = ISOBoxes(bytes)
      var isThere = false
      var end = 0
      while let header = header(bytes, at: boxes.offset, end: bytes.count), let box = boxes.next() {
        if box.type == type, !box.isTruncated { isThere = true }
        end = header.size == 0 ? bytes.count : box.contents.lowerBound - header.length + header.size
      }
      return isThere ? Swift.max(end, bytes.count) : nil
    }

    /// Returns the end of the last box of a file, as far as it is available. Less than a header may follow.
    static func end(_ bytes: UnsafeRawBufferPointer) -> Int { ISOBoxes(bytes).reduce(0) { $1.contents.upperBound } }

    /// Returns `true` if a file ends in the middle of a box.
    static func isTruncated(_ bytes: UnsafeRawBufferPointer) -> Bool {
      var boxes = ISOBoxes(bytes)
      while let box = boxes.next() { if box.isTruncated { return true } }
      // A part of a header is available.
      return boxes.offset < boxes.end && boxes.end - boxes.offset < 8
    }
  }

  extension UnsafeRawBufferPointer {
    /// Returns the big-endian number in `count` bytes at `offset`.
    func bigEndian(_ offset: Int, _ count: Int) -> Int {
      var value = 0
      for byte in self[offset..<offset + count] { value = value << 8 | Int(byte) }
      return value
    }
  }
#endif
