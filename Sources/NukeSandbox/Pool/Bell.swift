import CNukeSandbox
import Foundation

/// Wakes a thread that waits for a worker.
final class Bell: Sendable {
  let descriptor: CInt

  init() {
    descriptor = nuke_sandbox_counter()
    precondition(descriptor >= 0, "the system has no descriptor left: \(String(cString: strerror(errno)))")
  }

  deinit { close(descriptor) }

  func ring() {
    var one: UInt64 = 1
    // It can only be full of rings.
    _ = write(descriptor, &one, 8)
  }

  /// Forgets that it rang.
  func silence() {
    var count: UInt64 = 0
    _ = read(descriptor, &count, 8)
  }
}
