import Foundation

extension Data {
  /// Creates data of `count` bytes in memory of that size, which `fill` writes completely. `Data(count:)` and appending
  /// allocate up to a quarter more, which caches would keep.
  init(exactly count: Int, fill: (UnsafeMutableRawBufferPointer) -> Void) {
    if count > 0, let memory = malloc(count) {
      fill(UnsafeMutableRawBufferPointer(start: memory, count: count))
      self.init(bytesNoCopy: memory, count: count, deallocator: .free)
    } else {
      self.init(count: count)
      withUnsafeMutableBytes(fill)
    }
  }

  /// Joins parts in memory of their size.
  init(joining parts: [Data]) {
    self.init(exactly: parts.reduce(0) { $0 + $1.count }) { buffer in
      var offset = 0
      for part in parts {
        UnsafeMutableRawBufferPointer(rebasing: buffer[offset...]).copyBytes(from: part)
        offset += part.count
      }
    }
  }
}
