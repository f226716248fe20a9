import NukeBase

/// The file through which the processes that share a store announce changes to each other. It has a header with the
/// totals, and a ring buffer of the most recent changes.
///
/// The holder of the store's lock writes to it: first a flag that a change has begun, then the changes, then the header
/// with the new count. Other processes read the count without the lock, to find out whether their index is up to date.
final class DiskJournal: Sendable {
  struct Head: Equatable, Sendable {
    /// The total number of changes since the store was created.
    var sequence: UInt64 = 0
    /// `true` if a change has begun and not ended. If the lock is free, the writer has died.
    var isChanging = false
    var allocated = 0
    var length = 0
    var count = 0
    /// The boot of the machine during which the header was written. Data written before a reboot may not have reached
    /// the disk.
    var boot: UInt64 = 0
  }

  enum Change: Equatable, Sendable {
    case stored(DiskEntryName, length: Int, allocated: Int, lastUsed: Int64)
    case removed(DiskEntryName)
  }

  static let fileName = "journal"
  /// The number of changes in the ring buffer. A store that has missed more changes scans the folders.
  static let capacity: UInt64 = 512
  private static let headSize = 64
  private static let recordSize = 512
  private static let firstRecord = 4096
  /// The magic number at the beginning of the file: "NUKEDSK1".
  static let mark: UInt64 = 0x314b_5344_454b_554e

  let file: CInt
  private let files: any DiskFileSystem

  /// - Parameter file: closed when this object is released.
  init(file: CInt, files: any DiskFileSystem) {
    self.file = file
    self.files = files
  }

  deinit { files.close(file) }

  /// The total number of changes; `nil` if it cannot be read.
  var sequence: UInt64? {
    var value: UInt64 = 0
    let count = withUnsafeMutableBytes(of: &value) { files.read(file, into: $0.baseAddress!, count: 8, at: 8) }
    return count == 8 ? UInt64(littleEndian: value) : nil
  }

  /// Reads the header; `nil` if there is no valid one. It cannot change while the caller holds the lock.
  func readHead() -> Head? {
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 8) { words in
      let raw = UnsafeMutableRawPointer(words.baseAddress!)
      guard files.read(file, into: raw, count: Self.headSize, at: 0) == Self.headSize,
        UInt64(littleEndian: words[0]) == Self.mark,
        UInt64(littleEndian: words[7]) == Digest.checksum(of: UnsafeRawBufferPointer(start: raw, count: 56)),
        let allocated = Int(exactly: UInt64(littleEndian: words[3])),
        let length = Int(exactly: UInt64(littleEndian: words[4])),
        let count = Int(exactly: UInt64(littleEndian: words[5]))
      else { return nil }
      return Head(
        sequence: UInt64(littleEndian: words[1]), isChanging: words[2] != 0, allocated: allocated, length: length,
        count: count, boot: UInt64(littleEndian: words[6]))
    }
  }

  func write(_ head: Head) -> Bool {
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 8) { words in
      let raw = UnsafeRawPointer(words.baseAddress!)
      words.initialize(repeating: 0)
      words[0] = Self.mark.littleEndian
      words[1] = head.sequence.littleEndian
      words[2] = head.isChanging ? (1 as UInt64).littleEndian : 0
      words[3] = UInt64(head.allocated).littleEndian
      words[4] = UInt64(head.length).littleEndian
      words[5] = UInt64(head.count).littleEndian
      words[6] = head.boot.littleEndian
      words[7] = Digest.checksum(of: UnsafeRawBufferPointer(start: raw, count: 56)).littleEndian
      return files.write(file, from: raw, count: Self.headSize, at: 0) == Self.headSize
    }
  }

  /// Writes the change with the number `sequence` to its slot.
  func write(_ change: Change, at sequence: UInt64) -> Bool {
    withUnsafeTemporaryAllocation(byteCount: Self.recordSize, alignment: 8) { record in
      var name = ""
      var numbers: (kind: UInt64, length: Int, allocated: Int, lastUsed: Int64) = (0, 0, 0, 0)
      switch change {
      case .stored(let stored, let length, let allocated, let lastUsed):
        name = stored.text
        numbers = (1, length, allocated, lastUsed)
      case .removed(let removed):
        name = removed.text
        numbers.kind = 2
      }
      let count = name.utf8.count
      record.storeBytes(of: sequence.littleEndian, toByteOffset: 8, as: UInt64.self)
      record.storeBytes(of: numbers.kind.littleEndian, toByteOffset: 16, as: UInt64.self)
      record.storeBytes(of: Int64(numbers.length).littleEndian, toByteOffset: 24, as: Int64.self)
      record.storeBytes(of: Int64(numbers.allocated).littleEndian, toByteOffset: 32, as: Int64.self)
      record.storeBytes(of: numbers.lastUsed.littleEndian, toByteOffset: 40, as: Int64.self)
      record.storeBytes(of: UInt64(count).littleEndian, toByteOffset: 48, as: UInt64.self)
      for (index, byte) in name.utf8.enumerated() { record[56 + index] = byte }
      let base = record.baseAddress!
      record.storeBytes(
        of: Digest.checksum(of: UnsafeRawBufferPointer(start: base + 8, count: 48 + count)).littleEndian,
        toByteOffset: 0, as: UInt64.self)
      return files.write(file, from: base, count: 56 + count, at: Self.offset(of: sequence)) == 56 + count
    }
  }

  /// Returns the changes from number `first` up to `end`; `nil` if some were overwritten.
  func changes(from first: UInt64, to end: UInt64) -> [Change]? {
    guard end >= first, end - first <= Self.capacity else { return nil }
    var changes: [Change] = []
    for sequence in first..<end {
      guard let change = change(at: sequence) else { return nil }
      changes.append(change)
    }
    return changes
  }

  private func change(at sequence: UInt64) -> Change? {
    withUnsafeTemporaryAllocation(byteCount: Self.recordSize, alignment: 8) { record in
      let base = record.baseAddress!
      let got = files.read(file, into: base, count: Self.recordSize, at: Self.offset(of: sequence))
      guard got >= 56 else { return nil }
      let count = UInt64(littleEndian: record.load(fromByteOffset: 48, as: UInt64.self))
      guard count <= UInt64(got - 56),
        UInt64(littleEndian: record.load(as: UInt64.self))
          == Digest.checksum(of: UnsafeRawBufferPointer(start: base + 8, count: 48 + Int(count))),
        // If another process has overwritten the slot during the read, the number differs.
        UInt64(littleEndian: record.load(fromByteOffset: 8, as: UInt64.self)) == sequence
      else { return nil }
      let kind = UInt64(littleEndian: record.load(fromByteOffset: 16, as: UInt64.self))
      guard let name = DiskEntryName(String(decoding: record[56..<56 + Int(count)], as: UTF8.self)) else { return nil }
      switch kind {
      case 1:
        return .stored(
          name, length: Int(Int64(littleEndian: record.load(fromByteOffset: 24, as: Int64.self))),
          allocated: Int(Int64(littleEndian: record.load(fromByteOffset: 32, as: Int64.self))),
          lastUsed: Int64(littleEndian: record.load(fromByteOffset: 40, as: Int64.self)))
      case 2: return .removed(name)
      default: return nil
      }
    }
  }

  private static func offset(of sequence: UInt64) -> Int {
    firstRecord + Int(sequence % capacity) * recordSize
  }
}
