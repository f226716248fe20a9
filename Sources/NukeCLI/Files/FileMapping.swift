import CNukeMapping
import Foundation

/// The content of a file in memory that is not copied, and that the system can release and read again.
struct FileMapping {
  let data: Data

  /// Returns `nil` if the file cannot be mapped: it is empty, or its file system does not support that.
  ///
  /// - Parameter byteCount: the size of the file.
  init?(_ descriptor: Int32, byteCount: Int) {
    guard byteCount > 0, let bytes = nuke_map(descriptor, byteCount) else { return nil }
    data = Data(
      bytesNoCopy: UnsafeMutableRawPointer(mutating: bytes), count: byteCount,
      deallocator: .custom { bytes, _ in nuke_unmap(bytes.assumingMemoryBound(to: UInt8.self)) })
  }

  /// `true` if a part of the file could not be read, such as when another program has shortened it. That part is zeros.
  var hasFailed: Bool { data.withUnsafeBytes { nuke_map_has_failed($0.bindMemory(to: UInt8.self).baseAddress) } }
}
