package import Foundation

/// Bytes that are added at the end, while others read what is there without its being copied for them.
///
/// `Data` would copy all of itself with each addition for as long as anyone else holds it, as previews and the disk do.
/// Of two copies of this value one alone may go on.
package struct GrowingData: @unchecked Sendable {
  /// The memory, of which the first ``count`` bytes are filled. Whoever is given a part of it shares it, so that nobody
  /// can write to it but this value, which writes behind all that was given away.
  private var memory = Data()
  private var base: UnsafeMutableRawPointer?
  private var capacity = 0
  package private(set) var count = 0

  package init() {}

  /// `count` bytes that `fill` writes, with room for more; `nil` if it fails.
  init?(count: Int, capacity: Int, fill: (UnsafeMutableRawBufferPointer) -> Bool) {
    allocate(max(count, capacity, 1))
    guard let base, fill(UnsafeMutableRawBufferPointer(start: base, count: count)) else { return nil }
    self.count = count
  }

  /// Takes `data` as it is.
  package init(_ data: Data) {
    memory = data
    count = data.count
  }

  /// The data so far.
  package var data: Data { count == memory.count ? memory : memory.prefix(count) }

  /// - Parameter expected: the length that is promised. It is believed for up to 16 MiB, and beyond for up to four times
  ///   what has come.
  package mutating func append(_ bytes: UnsafeRawBufferPointer, expected: Int = 0) {
    guard let source = bytes.baseAddress, !bytes.isEmpty else { return }
    if count + bytes.count > capacity { makeRoom(for: count + bytes.count, expected: expected) }
    base!.advanced(by: count).copyMemory(from: source, byteCount: bytes.count)
    count += bytes.count
  }

  package mutating func append(_ data: Data, expected: Int = 0) {
    // The first part is often the only one.
    if count == 0 {
      self = GrowingData(data)
    } else {
      data.withUnsafeBytes { append($0, expected: expected) }
    }
  }

  private mutating func makeRoom(for needed: Int, expected: Int) {
    let believed = Self.believed(expected, having: count)
    copy(to: believed >= needed ? believed : max(needed, min(needed * 2, needed + (64 << 20))))
  }

  /// Returns how much of a promised length to allocate for a body that has `count` bytes.
  static func believed(_ length: Int, having count: Int) -> Int { min(length, max(16 << 20, count * 4)) }

  /// Gives back memory that waits for more to come, where that is much.
  mutating func compact() {
    if capacity > count + max(count / 4, 4096) { copy(to: max(count, 1)) }
  }

  private mutating func copy(to size: Int) {
    let old = data
    allocate(size)
    old.withUnsafeBytes { old in
      if let bytes = old.baseAddress { base!.copyMemory(from: bytes, byteCount: old.count) }
    }
  }

  private mutating func allocate(_ size: Int) {
    // `Data` copies a few bytes into itself and lets go of the memory.
    let size = max(size, 64)
    let bytes = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    memory = Data(bytesNoCopy: bytes, count: size, deallocator: .custom { bytes, _ in bytes.deallocate() })
    base = bytes
    capacity = size
  }
}
