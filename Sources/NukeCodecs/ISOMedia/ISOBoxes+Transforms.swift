#if HEIC
  extension ISOBoxes {
    /// Returns the properties of an item that rotate or mirror it, in order: the type and the value of each (ISO/IEC
    /// 23008-12, 6.5.10 and 6.5.12). Damaged properties are ignored.
    static func transforms(ofItem item: UInt32, _ bytes: UnsafeRawBufferPointer) -> [[UInt8]] {
      for meta in ISOBoxes(bytes) where meta.type == "meta" && meta.contents.count >= 4 {
        for properties in ISOBoxes(bytes, in: meta.contents.dropFirst(4)) where properties.type == "iprp" {
          let boxes = Array(ISOBoxes(bytes, in: properties.contents))
          guard let container = boxes.first(where: { $0.type == "ipco" }) else { continue }
          let all = Array(ISOBoxes(bytes, in: container.contents))
          return boxes.filter { $0.type == "ipma" }
            .flatMap { indices(ofItem: item, bytes, in: $0.contents) }
            .compactMap { index in
              guard all.indices.contains(index - 1), ["irot", "imir"].contains(all[index - 1].type) else { return nil }
              let property = all[index - 1]
              return Array(property.type.utf8) + Array(bytes[property.contents])
            }
        }
      }
      return []
    }

    /// Returns the numbers of an item's properties, starting with 1, from a box `ipma` (ISO/IEC 23008-12, 9.3).
    private static func indices(
      ofItem item: UInt32, _ bytes: UnsafeRawBufferPointer, in range: Range<Int>
    ) -> [Int] {
      guard range.count >= 8 else { return [] }
      let itemLength = bytes[range.lowerBound] == 0 ? 2 : 4
      let indexLength = bytes[range.lowerBound + 3] & 1 == 1 ? 2 : 1
      var offset = range.lowerBound + 8
      while range.upperBound - offset > itemLength {
        let (entry, count) = (bytes.bigEndian(offset, itemLength), Int(bytes[offset + itemLength]))
        offset += itemLength + 1
        guard count * indexLength <= range.upperBound - offset else { return [] }
        if entry == Int(item) {
          // The most significant bit marks essential properties.
          let mask = 1 << (8 * indexLength - 1) - 1
          return (0..<count).map { bytes.bigEndian(offset + $0 * indexLength, indexLength) & mask }
        }
        offset += count * indexLength
      }
      return []
    }
  }
#endif
