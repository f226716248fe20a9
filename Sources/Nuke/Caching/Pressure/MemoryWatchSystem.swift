import Foundation

/// The system calls of ``MemoryWatch``.
package protocol MemoryWatchSystem: Sendable {
  /// Returns the text of a file; `nil` if it cannot be read.
  func contents(_ path: String) -> String?
  /// Opens a pressure file with a trigger; `nil` if there is no file, or access is denied.
  func openTrigger(_ path: String, _ text: String) -> CInt?
  /// Opens a file whose changes are signaled; `nil` if there is no file, or access is denied.
  func openEvents(_ path: String) -> CInt?
  /// Waits until one of the descriptors is signaled, or the time has passed.
  ///
  /// - Parameter seconds: the time limit; `nil` for none.
  /// - Returns: the signaled descriptors; empty if the time has passed.
  func wait(for descriptors: [CInt], seconds: Double?) -> [CInt: MemoryWatchWakening]
  func pause(seconds: Double)
  func close(_ descriptor: CInt)
}

package enum MemoryWatchWakening: Sendable {
  case signalled
  /// The group was removed, and no more events will come.
  case gone
}

/// The implementation for Linux: files in `/proc` and of control groups, and `poll`.
package struct LinuxMemoryWatchSystem: MemoryWatchSystem {
  package init() {}

  package func contents(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

  package func openTrigger(_ path: String, _ text: String) -> CInt? {
    let descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    // The kernel treats the last byte as the end of the text.
    let written = text.withCString { write(descriptor, $0, strlen($0) + 1) }
    if written > 0 { return descriptor }
    close(descriptor)
    return nil
  }

  package func openEvents(_ path: String) -> CInt? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    if read(descriptor) { return descriptor }
    close(descriptor)
    return nil
  }

  /// Reads the file, so that the kernel signals the next change. Returns `true` if it could be read.
  private func read(_ descriptor: CInt) -> Bool {
    withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 1) { pread(descriptor, $0.baseAddress!, 1024, 0) } >= 0
  }

  package func wait(for descriptors: [CInt], seconds: Double?) -> [CInt: MemoryWatchWakening] {
    var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLPRI), revents: 0) }
    let count = poll(&polled, nfds_t(polled.count), seconds.map { CInt($0 * 1000) } ?? -1)
    guard count > 0 else { return [:] }
    var woken: [CInt: MemoryWatchWakening] = [:]
    for descriptor in polled where descriptor.revents != 0 {
      // A file of events is signaled with an error flag too, and can still be read.
      let isAlive = descriptor.revents & Int16(POLLPRI) != 0 && read(descriptor.fd)
      woken[descriptor.fd] = isAlive ? .signalled : .gone
    }
    return woken
  }

  package func pause(seconds: Double) { Thread.sleep(forTimeInterval: seconds) }
  package func close(_ descriptor: CInt) { _ = Foundation.close(descriptor) }
}
