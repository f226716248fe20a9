package import Foundation

/// A buffer that grows at its end, while others read its contents without a copy.
///
/// Appending to a `Data` copies it if another reference to it exists, such as in previews and in the disk cache. Do not
/// append to more than one copy of this value.
package struct GrowingData: @unchecked Sendable {
  /// The memory, of which the first ``count`` bytes are filled. Slices that were returned share it. This value only
  /// writes after the bytes that were returned, so no reader is affected.
  private var memory = Data()
  private var base: UnsafeMutableRawPointer?
  private var capacity = 0
  package private(set) var count = 0

  package init() {}

  /// Creates a buffer with `count` bytes that `fill` writes, and capacity for more; `nil` if `fill` fails.
  package init?(count: Int, capacity: Int, fill: (UnsafeMutableRawBufferPointer) -> Bool) {
    allocate(max(count, capacity, 1))
    guard let base, fill(UnsafeMutableRawBufferPointer(start: base, count: count)) else { return nil }
    self.count = count
  }

  /// Creates a buffer from `data`, without a copy.
  package init(_ data: Data) {
    memory = data
    count = data.count
  }

  /// The data so far.
  package var data: Data { count == memory.count ? memory : memory.prefix(count) }

  /// - Parameter expected: the expected total length. It determines the allocation up to 16 MiB, and above that only up
  ///   to four times the length so far, because it may be wrong.
  package mutating func append(_ bytes: UnsafeRawBufferPointer, expected: Int = 0) {
    guard let source = bytes.baseAddress, !bytes.isEmpty else { return }
    if count + bytes.count > capacity { makeRoom(for: count + bytes.count, expected: expected) }
    base!.advanced(by: count).copyMemory(from: source, byteCount: bytes.count)
    count += bytes.count
  }

  package mutating func append(_ data: Data, expected: Int = 0) {
    // The first chunk is often the only one.
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

  /// Returns how much memory to allocate for an expected length, if `count` bytes have arrived.
  package static func believed(_ length: Int, having count: Int) -> Int { min(length, max(16 << 20, count * 4)) }

  /// Releases unused capacity if it is large.
  package mutating func compact() {
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
    // `Data` stores a few bytes inline, and would release the memory.
    let size = max(size, 64)
    guard let block = MemoryPool.shared.take(size) else { fatalError("no memory for \(size) bytes") }
    memory = Data(bytesNoCopy: block.base, count: size, deallocator: .custom { _, _ in MemoryPool.shared.give(block) })
    base = UnsafeMutableRawPointer(block.base)
    capacity = size
  }
}
