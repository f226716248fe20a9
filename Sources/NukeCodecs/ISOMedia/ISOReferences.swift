#if HEIC || AVIF
  import Foundation

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

  /// A new box `meta` of a file, in which each thumbnail and each auxiliary image, such as an alpha channel or a gain map,
  /// belongs to one image only.
  ///
  /// Phones tie a gain map to the image and to the image that is tone mapped with it. libheif rejects such files before
  /// version 1.18, and libavif 0.11 uses the last owner only.
  struct ISOSingleOwners {
    /// The box that it replaces.
    let replaced: Range<Int>
    let meta: Data

    /// Returns `nil` if no thumbnail or auxiliary image has several owners.
    init?(_ bytes: UnsafeRawBufferPointer) { self.init(bytes, keepingSize: false) }

    /// - Parameter keepsSize: `true` to name the one owner as often as there were owners, so that the box has the same size.
    init?(_ bytes: UnsafeRawBufferPointer, keepingSize keepsSize: Bool) {
      guard let old = ISOBoxes(bytes).first(where: { $0.type == "meta" && $0.contents.count >= 4 }), !old.isTruncated
      else { return nil }
      let children = Array(ISOBoxes(bytes, in: old.contents.dropFirst(4)))
      guard let list = children.first(where: { $0.type == "iref" && $0.contents.count >= 4 && !$0.isTruncated }),
        let references = Self.references(
          in: list, primary: Self.primary(children, bytes), keepingSize: keepsSize, bytes)
      else { return nil }
      var contents = Data(bytes[old.contents.prefix(4)])
      for child in children {
        if child.start == list.start {
          contents += references
        } else {
          contents += bytes[child.start..<child.contents.upperBound]
        }
      }
      guard let meta = Self.box("meta", contents) else { return nil }
      self.meta = meta
      replaced = old.start..<old.contents.upperBound
    }

    /// Returns the ID of the primary image.
    private static func primary(_ boxes: [ISOBoxes.Box], _ bytes: UnsafeRawBufferPointer) -> Int? {
      guard let box = boxes.first(where: { $0.type == "pitm" }), box.contents.count >= 6 else { return nil }
      let size = bytes[box.contents.lowerBound] == 0 ? 2 : 4
      return box.contents.count >= 4 + size ? bytes.bigEndian(box.contents.lowerBound + 4, size) : nil
    }

    /// Returns a box `iref` with the references of `list`; `nil` if it would be the same. Of several owners, it has the
    /// primary image, or else the first.
    private static func references(
      in list: ISOBoxes.Box, primary: Int?, keepingSize keepsSize: Bool, _ bytes: UnsafeRawBufferPointer
    ) -> Data? {
      let itemSize = bytes[list.contents.lowerBound] == 0 ? 2 : 4
      var contents = Data(bytes[list.contents.prefix(4)])
      var isChanged = false
      for box in ISOBoxes(bytes, in: list.contents.dropFirst(4)) {
        let owners = box.contents.dropFirst(itemSize + 2)
        let count = owners.count / itemSize
        guard box.type == "auxl" || box.type == "thmb", count > 1, owners.count % itemSize == 0 else {
          contents += bytes[box.start..<box.contents.upperBound]
          continue
        }
        let offsets = stride(from: owners.lowerBound, through: owners.upperBound - itemSize, by: itemSize)
        let owner = offsets.first { bytes.bigEndian($0, itemSize) == primary } ?? owners.lowerBound
        var reference = Data(bytes[box.contents.prefix(itemSize)])
        reference += keepsSize ? Data(bytes[owners.lowerBound - 2..<owners.lowerBound]) : Data([0, 1])
        for _ in 0..<(keepsSize ? count : 1) { reference += bytes[owner..<owner + itemSize] }
        guard let single = Self.box(box.type, reference) else { return nil }
        contents += single
        isChanged = true
      }
      return isChanged ? box("iref", contents) : nil
    }

    private static func box(_ type: String, _ contents: some Collection<UInt8>) -> Data? {
      guard let size = UInt32(exactly: contents.count + 8) else { return nil }
      return Data(withUnsafeBytes(of: size.bigEndian, Array.init)) + type.utf8 + contents
    }
  }

  extension Data {
    /// The file with one owner for each thumbnail and each auxiliary image, in a new box `meta` at its end. The places of
    /// everything else stay the same. Nothing is appended to a file that ends too early.
    var withSingleOwners: Data {
      guard !endsInBox, let owners = withUnsafeBytes(ISOSingleOwners.init) else { return self }
      return hidingMeta(owners) + owners.meta
    }

    /// The file in which each thumbnail and each auxiliary image names one owner, as often as it named others. It may end
    /// behind the box `meta`.
    var withRepeatedOwners: Data {
      guard let owners = withUnsafeBytes({ ISOSingleOwners($0, keepingSize: true) }),
        owners.meta.count == owners.replaced.count
      else { return self }
      var data = self
      let start = startIndex + owners.replaced.lowerBound
      data.replaceSubrange(start..<start + owners.meta.count, with: owners.meta)
      return data
    }

    /// Returns the file with the box `meta` as unused space.
    func hidingMeta(_ owners: ISOSingleOwners) -> Data {
      var data = self
      let offset = startIndex + owners.replaced.lowerBound + 4
      data.replaceSubrange(offset..<offset + 4, with: "free".utf8)
      return data
    }

    /// `true` if bytes at the end would be those of the last box, because it is truncated or states no size.
    private var endsInBox: Bool {
      withUnsafeBytes { bytes in ISOBoxes.isTruncated(bytes) || ISOBoxes(bytes).contains { $0.isOpenEnded } }
    }
  }
#endif
