#if HEIC
  /// The references between the images of a file (ISO/IEC 23008-12, 6.4 and 6.6): from a derived image to its sources,
  /// and from an image to its alpha channel.
  struct ISOReferences {
    private var targets: [Int: Set<Int>] = [:]

    init(_ bytes: UnsafeRawBufferPointer) {
      // Both boxes have four bytes for version and flags before their contents.
      let metas = ISOBoxes(bytes).filter { $0.type == "meta" && $0.contents.count >= 4 }
      let lists = metas.flatMap { ISOBoxes(bytes, in: $0.contents.dropFirst(4)) }
      for list in lists where list.type == "iref" && list.contents.count >= 4 {
        // Version 1 has 32-bit item IDs.
        let itemSize = bytes[list.contents.lowerBound] == 0 ? 2 : 4
        for box in ISOBoxes(bytes, in: list.contents.dropFirst(4)) { add(box, itemSize, bytes) }
      }
    }

    private mutating func add(_ box: ISOBoxes.Box, _ itemSize: Int, _ bytes: UnsafeRawBufferPointer) {
      guard box.type == "dimg" || box.type == "auxl", box.contents.count >= itemSize + 2 else { return }
      let source = bytes.bigEndian(box.contents.lowerBound, itemSize)
      let items = box.contents.dropFirst(itemSize + 2)
      let count = min(bytes.bigEndian(items.lowerBound - 2, 2), items.count / itemSize)
      for index in 0..<count {
        let item = bytes.bigEndian(items.lowerBound + index * itemSize, itemSize)
        if box.type == "dimg" {
          targets[source, default: []].insert(item)
        } else {
          targets[item, default: []].insert(source)
        }
      }
    }

    /// Returns `true` if there is a chain of more than `limit` references, which includes all cycles.
    func areDeeper(than limit: Int) -> Bool {
      var items = Set(targets.keys)
      for _ in 0...limit where !items.isEmpty {
        items = items.reduce(into: []) { $0.formUnion(targets[$1] ?? []) }
      }
      return !items.isEmpty
    }
  }
#endif
