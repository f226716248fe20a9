import CNukeSandbox
import Foundation

/// An anonymous file in memory that a worker can read and no process can modify.
final class SealedFile: Sendable {
  let descriptor: CInt
  let byteCount: Int
  /// The wake event of the slot whose worker has opened the image in it. Guarded by the lock of the pool.
  nonisolated(unsafe) var opener: WakeEvent?

  /// Returns `nil` if there is not enough memory, or no free file descriptor.
  init?(_ bytes: Data) {
    byteCount = bytes.count
    descriptor = bytes.withUnsafeBytes { nuke_sandbox_sealed_file($0.baseAddress, $0.count) }
    guard descriptor >= 0 else { return nil }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Maps the file that was sent with a request, without a copy. Closes the descriptor.
  static func mapped(_ descriptor: CInt, byteCount: Int) -> Data? {
    defer { if descriptor >= 0 { close(descriptor) } }
    if byteCount == 0 { return Data() }
    guard descriptor >= 0, byteCount > 0,
      let base = mmap(nil, byteCount, PROT_READ, MAP_PRIVATE, descriptor, 0), base != MAP_FAILED
    else { return nil }
    return Data(bytesNoCopy: base, count: byteCount, deallocator: .custom { munmap($0, $1) })
  }
}
