#if HEIC
  extension ISOBoxes {
    /// Returns the number of pixels that each item of a file states, at most (ISO/IEC 23008-12, 6.5.3).
    static func itemPixelCounts(_ bytes: UnsafeRawBufferPointer) -> [Int: Double] {
      var counts: [Int: Double] = [:]
      for meta in ISOBoxes(bytes) where meta.type == "meta" && meta.contents.count >= 4 {
        for properties in ISOBoxes(bytes, in: meta.contents.dropFirst(4)) where properties.type == "iprp" {
          let boxes = Array(ISOBoxes(bytes, in: properties.contents))
          let all = boxes.filter { $0.type == "ipco" }.flatMap { Array(ISOBoxes(bytes, in: $0.contents)) }
          let pixels = all.map { box -> Double in
            guard box.type == "ispe", box.contents.count >= 12 else { return 0 }
            let start = box.contents.lowerBound
            return Double(bytes.bigEndian(start + 4, 4)) * Double(bytes.bigEndian(start + 8, 4))
          }
          for box in boxes where box.type == "ipma" {
            forEachAssociation(bytes, in: box.contents) { item, indices in
              for index in indices where pixels.indices.contains(index - 1) {
                counts[item] = Swift.max(counts[item] ?? 0, pixels[index - 1])
              }
              return true
            }
          }
        }
      }
      return counts
    }

    /// Returns the properties of an item that rotate or mirror it, in order: the type and the value of each (ISO/IEC
    /// 23008-12, 6.5.10 and 6.5.12). Damaged properties are ignored.
    static func transforms(ofItem item: UInt32, _ bytes: UnsafeRawBufferPointer) -> [[UInt8]] {
      for meta in ISOBoxes(bytes) where meta.type == "meta" && meta.contents.count >= 4 {
        for properties in ISOBoxes(bytes, in: meta.contents.dropFirst(4)) where properties.type == "iprp" {
          let boxes = Array(ISOBoxes(bytes, in: properties.contents))
          guard let container = boxes.first(where: { $0.type == "ipco" }) else { continue }
          let all = Array(ISOBoxes(bytes, in: container.contents))
          // A second list of an item's properties is not valid.
          return
            (boxes.lazy.filter { $0.type == "ipma" }
            .map { indices(ofItem: item, bytes, in: $0.contents) }.first { !$0.isEmpty } ?? [])
            .compactMap { index in
              guard all.indices.contains(index - 1), ["irot", "imir"].contains(all[index - 1].type) else { return nil }
              let property = all[index - 1]
              return Array(property.type.utf8) + Array(bytes[property.contents.prefix(1)])
            }
        }
      }
      return []
    }

    /// Returns the numbers of an item's properties, starting with 1, from a box `ipma`.
    private static func indices(
      ofItem item: UInt32, _ bytes: UnsafeRawBufferPointer, in range: Range<Int>
    ) -> [Int] {
      var found: [Int] = []
      forEachAssociation(bytes, in: range) { entry, indices in
        if entry == Int(item) { found = indices }
        return found.isEmpty
      }
      return found
    }

    /// Calls `body` with each item of a box `ipma` and the numbers of its properties (ISO/IEC 23008-12, 9.3), until it
    /// returns `false`.
    private static func forEachAssociation(
      _ bytes: UnsafeRawBufferPointer, in range: Range<Int>, _ body: (_ item: Int, _ indices: [Int]) -> Bool
    ) {
      guard range.count >= 8 else { return }
      let itemLength = bytes[range.lowerBound] == 0 ? 2 : 4
      let indexLength = bytes[range.lowerBound + 3] & 1 == 1 ? 2 : 1
      // The most significant bit marks essential properties.
      let mask = 1 << (8 * indexLength - 1) - 1
      var offset = range.lowerBound + 8
      while range.upperBound - offset > itemLength {
        let (entry, count) = (bytes.bigEndian(offset, itemLength), Int(bytes[offset + itemLength]))
        offset += itemLength + 1
        guard count * indexLength <= range.upperBound - offset else { return }
        let indices = (0..<count).map { bytes.bigEndian(offset + $0 * indexLength, indexLength) & mask }
        guard body(entry, indices) else { return }
        offset += count * indexLength
      }
    }
  }
#endif
