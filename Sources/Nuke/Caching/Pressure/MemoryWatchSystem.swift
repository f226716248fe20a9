import Foundation

/// The system calls of ``MemoryWatch``.
package protocol MemoryWatchSystem: Sendable {
  /// The text of a file; `nil` if it cannot be read.
  func contents(_ path: String) -> String?
  /// Opens a file of pressure with what it is to tell of; `nil` if there is none, or it is not allowed.
  func openTrigger(_ path: String, _ text: String) -> CInt?
  /// Opens a file whose changes are signalled; `nil` if there is none, or it is not allowed.
  func openEvents(_ path: String) -> CInt?
  /// Waits until one of the descriptors is signalled, or the time has passed.
  ///
  /// - Parameter seconds: `nil` for ever.
  /// - Returns: what woke it; nothing where the time has passed.
  func wait(for descriptors: [CInt], seconds: Double?) -> [CInt: MemoryWatchWakening]
  func pause(seconds: Double)
  func close(_ descriptor: CInt)
}

package enum MemoryWatchWakening: Sendable {
  case signalled
  /// The group is no more, and nothing will come.
  case gone
}

/// Linux: files of `/proc` and of control groups, and `poll`.
package struct LinuxMemoryWatchSystem: MemoryWatchSystem {
  package init() {}

  package func contents(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

  package func openTrigger(_ path: String, _ text: String) -> CInt? {
    let descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    // The kernel takes the last byte for the end of the text.
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
      // A file of events is signalled with an error too, and can still be read.
      let isAlive = descriptor.revents & Int16(POLLPRI) != 0 && read(descriptor.fd)
      woken[descriptor.fd] = isAlive ? .signalled : .gone
    }
    return woken
  }

  package func pause(seconds: Double) { Thread.sleep(forTimeInterval: seconds) }
  package func close(_ descriptor: CInt) { _ = Foundation.close(descriptor) }
}
