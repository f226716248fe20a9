#if HEIC
  /// The references between the images of a file (ISO/IEC 23008-12, 6.4 and 6.6): from a derived image to its sources,
  /// and from an image to its alpha channel.
  struct ISOReferences {
    /// The targets of each image, as often as they are referred to.
    private var targets: [Int: [Int]] = [:]

    /// Parses the references of a file.
    ///
    /// - Throws: ``CodecError/malformed(_:reason:offset:)`` if the size of a box is not that of its references. libheif
    ///   ignores these sizes, and would find other references.
    init(_ bytes: UnsafeRawBufferPointer) throws(CodecError) {
      // Both boxes have four bytes for version and flags before their contents.
      let metas = ISOBoxes(bytes).filter { $0.type == "meta" && $0.contents.count >= 4 }
      let lists = metas.flatMap { ISOBoxes(bytes, in: $0.contents.dropFirst(4)) }
      for list in lists where list.type == "iref" && list.contents.count >= 4 {
        // Version 1 has 32-bit item IDs.
        let itemSize = bytes[list.contents.lowerBound] == 0 ? 2 : 4
        var end = list.contents.lowerBound + 4
        for box in ISOBoxes(bytes, in: list.contents.dropFirst(4)) {
          guard add(box, itemSize, bytes) else { break }
          end = box.contents.upperBound
        }
        // In a truncated file, the last references may be missing.
        let isTruncated = list.isTruncated && list.contents.upperBound == bytes.count
        guard isTruncated || end == list.contents.upperBound else {
          throw .malformed(.heic, reason: "an item reference box (iref) has the wrong size", offset: end)
        }
      }
    }

    /// Adds the references of a box. Returns `false` if its size is not that of its references.
    private mutating func add(_ box: ISOBoxes.Box, _ itemSize: Int, _ bytes: UnsafeRawBufferPointer) -> Bool {
      guard !box.isTruncated, box.type != "uuid", box.contents.count >= itemSize + 2 else { return false }
      let source = bytes.bigEndian(box.contents.lowerBound, itemSize)
      let items = box.contents.dropFirst(itemSize + 2)
      let count = bytes.bigEndian(items.lowerBound - 2, 2)
      guard items.count == count * itemSize else { return false }
      guard box.type == "dimg" || box.type == "auxl" else { return true }
      for index in 0..<count {
        let item = bytes.bigEndian(items.lowerBound + index * itemSize, itemSize)
        if box.type == "dimg" {
          targets[source, default: []].append(item)
        } else {
          targets[item, default: []].append(source)
        }
      }
      return true
    }

    /// Returns `true` if there is a chain of more than `limit` references, which includes all cycles.
    func areDeeper(than limit: Int) -> Bool {
      var items = Set(targets.keys)
      for _ in 0...limit where !items.isEmpty {
        items = items.reduce(into: []) { $0.formUnion(targets[$1] ?? []) }
      }
      return !items.isEmpty
    }

    /// Returns the number of pixels that decoding one image can take, with all images that it consists of, as often as it
    /// does. libheif decodes an image again for each reference to it.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of references that follow each other.
    ///   - pixelCount: returns the number of pixels of an image itself.
    func decodedPixelCount(within limit: Int, pixelCount: (_ item: Int) -> Double) -> Double {
      var counts: [Int: Double] = [:]
      for _ in 0...limit {
        counts = counts.merging(
          targets.map { item, parts in
            (item, pixelCount(item) + parts.reduce(0) { $0 + (counts[$1] ?? pixelCount($1)) })
          }
        ) { $1 }
      }
      return counts.values.max() ?? 0
    }
  }
#endif
