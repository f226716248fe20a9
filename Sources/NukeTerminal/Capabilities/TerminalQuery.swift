internal import Foundation
import NukeBase
internal import NukeImaging

/// Queries a terminal, and waits for the reply for a limited time.
///
/// While it waits, echo and line buffering of the terminal are off. The settings are restored in every case, and by
/// ``restore()`` before the process ends.
package enum TerminalQuery {
  package enum Kind: Sendable {
    /// The device attributes, to which tmux and screen reply themselves.
    case attributes
    /// The device attributes, the support for kitty graphics, and the size of a cell.
    case all

    /// The device attributes come last, since every terminal replies to them. Queries without a reply before are not
    /// supported.
    package var bytes: [UInt8] {
      let attributes = "\u{1B}[c"
      let all = "\u{1B}_Gi=\(kittyQueryID),s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[16t" + attributes
      return Array((self == .all ? all : attributes).utf8)
    }
  }

  static let kittyQueryID = 31

  private struct Changed {
    let descriptor: Int32
    let settings: termios
  }

  /// The terminal whose settings are changed, and the original settings.
  private static let changed = Lock<Changed?>(nil)

  /// Returns the reply of the terminal, or `nil` if it cannot be queried.
  ///
  /// - Parameters:
  ///   - descriptor: the terminal, open for reading and writing, in nonblocking mode.
  ///   - seconds: the maximum time to wait.
  package static func send(_ query: Kind, to descriptor: Int32, seconds: Double) -> TerminalReply? {
    // A background job would be stopped.
    let foreground = tcgetpgrp(descriptor)
    guard foreground < 0 || foreground == getpgrp() else { return nil }
    var settings = termios()
    guard tcgetattr(descriptor, &settings) == 0 else { return nil }
    let isChanged = changed.withLock { changed in
      var quiet = settings
      quiet.c_lflag &= ~tcflag_t(ICANON | ECHO)
      guard changed == nil, tcsetattr(descriptor, TCSANOW, &quiet) == 0 else { return false }
      changed = Changed(descriptor: descriptor, settings: settings)
      return true
    }
    guard isChanged else { return nil }
    defer { restore() }

    let deadline = ProcessInfo.processInfo.systemUptime + seconds
    guard write(query.bytes, to: descriptor, until: deadline) else { return nil }
    var reply: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 256)
    // A longer input is not a reply.
    while reply.count < 4096, !TerminalReply.isComplete(reply), wait(for: POLLIN, at: descriptor, until: deadline) {
      let count = read(descriptor, &buffer, buffer.count)
      if count > 0 {
        reply += buffer[..<count]
      } else if count == 0 || (errno != EINTR && errno != EAGAIN) {
        break
      }
    }
    return TerminalReply(reply)
  }

  /// Restores the settings of a terminal that is being queried.
  package static func restore() {
    changed.withLock { changed in
      guard let previous = changed else { return }
      var settings = previous.settings
      tcsetattr(previous.descriptor, TCSANOW, &settings)
      changed = nil
    }
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32, until deadline: TimeInterval) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      guard wait(for: POLLOUT, at: descriptor, until: deadline) else { return false }
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR, errno != EAGAIN {
        return false
      }
    }
    return true
  }

  private static func wait(for event: Int32, at descriptor: Int32, until deadline: TimeInterval) -> Bool {
    while true {
      let left = deadline - ProcessInfo.processInfo.systemUptime
      guard left > 0 else { return false }
      var ready = pollfd(fd: descriptor, events: Int16(event), revents: 0)
      let count = poll(&ready, 1, Int32(min((left * 1000).rounded(.up), Double(Int32.max))))
      if count > 0 { return ready.revents & Int16(event) != 0 }
      if count == 0 || errno != EINTR { return false }
    }
  }
}
