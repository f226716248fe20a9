import CNukeSandbox
import Foundation

/// Bytes in memory that a worker can read and nobody can change.
final class SealedFile: Sendable {
  let descriptor: CInt
  let byteCount: Int

  /// `nil` if there is no room, or no descriptor.
  init?(_ bytes: Data) {
    byteCount = bytes.count
    descriptor = bytes.withUnsafeBytes { nuke_sandbox_sealed_file($0.baseAddress, $0.count) }
    guard descriptor >= 0 else { return nil }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The bytes of a file that came with an order, without a copy; the descriptor is closed.
  static func mapped(_ descriptor: CInt, byteCount: Int) -> Data? {
    defer { if descriptor >= 0 { close(descriptor) } }
    if byteCount == 0 { return Data() }
    guard descriptor >= 0, byteCount > 0,
      let base = mmap(nil, byteCount, PROT_READ, MAP_PRIVATE, descriptor, 0), base != MAP_FAILED
    else { return nil }
    return Data(bytesNoCopy: base, count: byteCount, deallocator: .custom { munmap($0, $1) })
  }
}
