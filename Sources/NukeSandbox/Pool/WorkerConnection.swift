import CNukeSandbox
import Foundation

/// The server's end of the line to one worker. Used by one thread.
final class WorkerConnection {
  enum Failure: Error, Equatable {
    /// The worker has closed its end, as it does when it dies.
    case ended
    /// The time is over.
    case late
    /// The worker goes on answering an order that it has answered.
    case stale
    /// What came is no answer.
    case broken(String)
  }

  private let socket: CInt
  private var lastNumber: UInt64 = 0

  /// - Parameter socket: belongs to the connection from here on.
  init(socket: CInt) { self.socket = socket }

  deinit { close(socket) }

  /// `true` if the worker is there and quiet, as it has to be where nothing was asked.
  var isQuiet: Bool {
    var polled = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    return poll(&polled, 1, 0) == 0
  }

  /// Sends an order.
  ///
  /// - Returns: the number that the answer has.
  func send(_ order: WorkerOrder, with file: SealedFile?) throws(Failure) -> UInt64 {
    lastNumber += 1
    var bytes = Data(FrameHeader(kind: order.kind.rawValue, number: lastNumber, length: order.payload.count).bytes)
    bytes.append(order.payload)
    let sent = bytes.withUnsafeBytes { nuke_sandbox_send(socket, $0.baseAddress!, $0.count, file?.descriptor ?? -1) }
    if sent == bytes.count { return lastNumber }
    // An order is small, and the worker has read all before it.
    throw sent < 0 && (errno == EPIPE || errno == ECONNRESET) ? .ended : .broken("it does not read what it is sent")
  }

  /// The answer to the order of that number.
  ///
  /// - Parameters:
  ///   - fileLimit: the most bytes of a file.
  ///   - moment: when to give up.
  ///   - bell: has `changed` asked for another moment whenever it rings.
  func reply(
    to number: UInt64, fileLimit: Int, until moment: Moment, bell: Bell, changed: @escaping () -> Moment?
  ) throws(Failure) -> WorkerReply {
    var wait = Wait(moment: moment, bell: bell, changed: changed)
    let head = try receive(FrameHeader.byteCount, &wait)
    guard let header = head.withUnsafeBytes({ FrameHeader($0) }), let kind = WorkerReply.Kind(rawValue: header.kind),
      header.number <= number
    else { throw .broken("it answers what was not asked") }
    guard header.number == number else { throw .stale }
    guard header.length <= UInt64(WorkerReply.byteLimit(of: kind, fileLimit: fileLimit)) else {
      throw .broken("it announces \(header.length) bytes")
    }
    let payload = try receive(Int(header.length), &wait)
    do throws(MalformedFrame) {
      return try WorkerReply(kind, payload, limit: fileLimit)
    } catch {
      throw .broken(error.reason)
    }
  }

  private struct Wait {
    var moment: Moment
    let bell: Bell
    let changed: () -> Moment?
  }

  private func receive(_ count: Int, _ wait: inout Wait) throws(Failure) -> Data {
    guard count > 0 else { return Data() }
    // Not written to before there is something: a worker may announce more than it sends.
    guard let base = malloc(count) else { throw .broken("it announces \(count) bytes, for which there is no memory") }
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
    // Not before: of few bytes it makes a copy at once.
    return Data(bytesNoCopy: base, count: count, deallocator: .free)
  }

  /// Returns when there is something to read.
  private func sleep(_ wait: inout Wait) throws(Failure) {
    while true {
      let milliseconds = wait.moment.millisecondsLeft
      guard milliseconds > 0 else { throw .late }
      var polled = [
        pollfd(fd: socket, events: Int16(POLLIN), revents: 0),
        pollfd(fd: wait.bell.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&polled, 2, milliseconds) >= 0 else { continue }
      if polled[1].revents != 0 {
        wait.bell.silence()
        if let moment = wait.changed() { wait.moment = moment }
      }
      if polled[0].revents != 0 { return }
    }
  }
}

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

/// A point of the clock that never goes back.
struct Moment {
  private let nanoseconds: UInt64

  static func after(_ seconds: Double) -> Moment {
    Moment(nanoseconds: now + UInt64(max(0, min(seconds, 1e6)) * 1e9))
  }

  /// For `poll`, rounded up.
  var millisecondsLeft: CInt {
    let now = Self.now
    guard nanoseconds > now else { return 0 }
    return CInt(clamping: (nanoseconds - now + 999_999) / 1_000_000)
  }

  private static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
