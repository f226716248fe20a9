import CNukeSandbox
import Foundation
import NukeServing

/// The server's end of the socket to one worker. Used by one thread.
final class WorkerConnection {
  enum Failure: Error, Equatable {
    /// The worker has closed its end, for example because it has died.
    case ended
    /// The time limit was exceeded.
    case late
    /// The worker sent another reply to a request that it had already answered.
    case stale
    /// The received bytes are not a valid reply.
    case broken(String)
  }

  private let socket: CInt
  private var lastNumber: UInt64 = 0

  /// - Parameter socket: the socket, which the connection closes.
  init(socket: CInt) { self.socket = socket }

  deinit { close(socket) }

  /// `true` if the worker is connected and has sent nothing, as expected while it has no request.
  var isIdle: Bool {
    var polled = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    return poll(&polled, 1, 0) == 0
  }

  /// Sends a request.
  ///
  /// - Returns: the number of the request, which the reply repeats.
  func send(_ request: WorkerRequest, with file: SealedFile?) throws(Failure) -> UInt64 {
    lastNumber += 1
    var bytes = Data(FrameHeader(kind: request.kind.rawValue, number: lastNumber, length: request.payload.count).bytes)
    bytes.append(request.payload)
    let sent = bytes.withUnsafeBytes { nuke_sandbox_send(socket, $0.baseAddress!, $0.count, file?.descriptor ?? -1) }
    if sent == bytes.count { return lastNumber }
    // A request is small, and the worker has read everything before it, so the socket's buffer cannot be full.
    throw sent < 0 && (errno == EPIPE || errno == ECONNRESET) ? .ended : .broken("it does not read its input")
  }

  /// Receives the reply to the request with the given number.
  ///
  /// - Parameters:
  ///   - fileLimit: the maximum size of a file, in bytes.
  ///   - deadline: the time at which to stop waiting.
  ///   - wakeEvent: when it is signaled, `changed` is called for a new deadline.
  ///   - changed: returns a new deadline; `nil` to keep the old one. It is also called with `isLate` set when the
  ///     deadline has passed. If it returns `nil` then, the reply is late.
  func reply(
    to number: UInt64, fileLimit: Int, until deadline: Deadline, wakeEvent: WakeEvent,
    changed: @escaping (_ isLate: Bool) -> Deadline?
  ) throws(Failure) -> WorkerReply {
    var wait = Wait(deadline: deadline, wakeEvent: wakeEvent, changed: changed)
    let head = try receive(FrameHeader.byteCount, &wait)
    guard let header = head.withUnsafeBytes({ FrameHeader($0) }), let kind = WorkerReply.Kind(rawValue: header.kind),
      header.number <= number
    else { throw .broken("it sent an unexpected reply") }
    guard header.number == number else { throw .stale }
    guard header.length <= UInt64(WorkerReply.byteLimit(of: kind, fileLimit: fileLimit)) else {
      throw .broken("it sent a message of \(header.length) bytes")
    }
    let payload = try receive(Int(header.length), &wait)
    do throws(WorkerError) {
      return try WorkerReply(kind, payload, limit: fileLimit)
    } catch {
      throw .broken(error.reason)
    }
  }

  private struct Wait {
    var deadline: Deadline
    let wakeEvent: WakeEvent
    let changed: (_ isLate: Bool) -> Deadline?
  }

  private func receive(_ count: Int, _ wait: inout Wait) throws(Failure) -> Data {
    guard count > 0 else { return Data() }
    // The memory is not touched before bytes arrive: a worker may announce more than it sends.
    guard let base = malloc(count) else { throw .broken("out of memory for a message of \(count) bytes") }
    var done = 0
    defer { if done < count { free(base) } }
    while done < count {
      let received = recv(socket, base + done, count - done, CInt(MSG_DONTWAIT))
      if received > 0 {
        done += received
      } else if received == 0 || errno == ECONNRESET {
        throw .ended
      } else if errno == EAGAIN {
        try sleep(&wait)
      } else if errno != EINTR {
        throw .broken("reading from it fails: \(String(cString: strerror(errno)))")
      }
    }
    // Not created earlier: `Data` copies small buffers when it is created.
    return Data(bytesNoCopy: base, count: count, deallocator: .free)
  }

  /// Waits until there is something to read.
  private func sleep(_ wait: inout Wait) throws(Failure) {
    while true {
      let milliseconds = wait.deadline.millisecondsLeft
      if milliseconds <= 0 {
        guard let deadline = wait.changed(true), deadline.millisecondsLeft > 0 else { throw .late }
        wait.deadline = deadline
        continue
      }
      var polled = [
        pollfd(fd: socket, events: Int16(POLLIN), revents: 0),
        pollfd(fd: wait.wakeEvent.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&polled, 2, milliseconds) >= 0 else { continue }
      if polled[1].revents != 0 {
        wait.wakeEvent.reset()
        if let deadline = wait.changed(false) { wait.deadline = deadline }
      }
      if polled[0].revents != 0 { return }
    }
  }
}

/// Wakes a thread that waits for a worker.
final class WakeEvent: Sendable {
  let descriptor: CInt

  init() {
    descriptor = nuke_sandbox_counter()
    precondition(descriptor >= 0, "no file descriptor is available: \(String(cString: strerror(errno)))")
  }

  deinit { close(descriptor) }

  func signal() {
    var one: UInt64 = 1
    // Writing fails only if the counter is full, and then the thread wakes anyway.
    _ = write(descriptor, &one, 8)
  }

  /// Resets the wake event after it was signaled.
  func reset() {
    var count: UInt64 = 0
    _ = read(descriptor, &count, 8)
  }
}

/// A deadline on the monotonic clock.
struct Deadline {
  private let nanoseconds: UInt64

  static func after(_ seconds: Double) -> Deadline {
    Deadline(nanoseconds: now + UInt64(max(0, min(seconds, 1e6)) * 1e9))
  }

  /// The time left in milliseconds, rounded up, for `poll`.
  var millisecondsLeft: CInt {
    let now = Self.now
    guard nanoseconds > now else { return 0 }
    return CInt(clamping: (nanoseconds - now + 999_999) / 1_000_000)
  }

  private static var now: UInt64 { UInt64(ServiceClock.system.uptime()) }
}
