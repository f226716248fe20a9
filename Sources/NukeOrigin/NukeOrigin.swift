package import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A scripted HTTP/1.1 server on 127.0.0.1 that can misbehave, and records requests.
///
/// Each connection has a thread. A ``Response`` may wait for a ``ScriptGate``, stall, have a wrong length, or be
/// interrupted:
///
/// ```swift
/// let gate = ScriptGate()
/// let origin = try NukeOrigin { request in
///   request.path == "/slow" ? .data(image).trickled(1024, .wait(gate)) : .status(404)
/// }
/// defer { origin.stop() }
/// try await origin.waitUntil { $0.requests.count == 1 }
/// gate.open()
/// ```
package final class NukeOrigin: Sendable {
  /// The port.
  package let port: UInt16

  private let listener: Descriptor
  private let wakeup: Wakeup
  private let journal = Journal()
  private let threads = ThreadCount()
  private let connections = Locked((isStopped: false, open: [Int: Connection]()))
  private let respond: @Sendable (Request) -> Response

  /// Starts to listen.
  ///
  /// - Parameters:
  ///   - port: the port; 0 to let the system choose.
  ///   - respond: called on the threads of connections, concurrently.
  /// - Throws: an error of the system if there is no socket.
  package init(port: UInt16 = 0, respond: @escaping @Sendable (Request) -> Response) throws {
    (listener, self.port) = try Descriptor.listening(port: port)
    _ = fcntl(listener.number, F_SETFL, O_NONBLOCK)
    wakeup = try Wakeup()
    self.respond = respond
    threads.start("nuke.origin") { self.acceptAll() }
  }

  /// Returns the URL of a path, which begins with a slash and is used unchanged.
  package func url(_ path: String) -> URL {
    URL(string: "http://127.0.0.1:\(port)\(path)")!
  }

  /// The current log.
  package var log: Log { journal.log }

  /// Returns the log when it meets a condition.
  ///
  /// - Throws: ``Timeout`` with the log after `seconds`.
  @discardableResult
  package func waitUntil(
    seconds: TimeInterval = 60, _ isMet: @escaping @Sendable (Log) -> Bool
  ) async throws -> Log {
    try await journal.waitUntil(seconds: seconds, isMet)
  }

  /// Closes all connections, and returns when all threads have ended.
  package func stop() {
    let open = connections.withLock { connections in
      connections.isStopped = true
      return Array(connections.open.values)
    }
    for connection in open { connection.stop() }
    wakeup.signal()
    threads.waitUntilNone()
  }

  private func acceptAll() {
    var number = 0
    while !connections.withLock({ $0.isStopped }) {
      let socket = accept(listener.number, nil, nil)
      guard socket >= 0 else {
        var sockets = [
          pollfd(fd: listener.number, events: Int16(POLLIN), revents: 0),
          pollfd(fd: wakeup.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        poll(&sockets, 2, -1)
        continue
      }
      guard
        let connection = try? Connection(
          socket: Descriptor(socket), number: number, journal: journal, respond: respond)
      else { continue }
      serve(connection, number)
      number += 1
    }
    // Further clients are refused.
    shutdown(listener.number, CInt(SHUT_RDWR))
  }

  private func serve(_ connection: Connection, _ number: Int) {
    let isWanted = connections.withLock { connections in
      if !connections.isStopped { connections.open[number] = connection }
      return !connections.isStopped
    }
    guard isWanted else { return }
    journal.record {
      $0.connectionsAccepted += 1
      $0.connectionsOpen += 1
    }
    threads.start("nuke.origin.\(number)") {
      connection.run()
      _ = self.connections.withLock { $0.open.removeValue(forKey: number) }
      self.journal.record { $0.connectionsOpen -= 1 }
    }
  }
}

/// The number of running threads.
private final class ThreadCount: Sendable {
  private let condition = NSCondition()
  private let count = Locked(0)

  func start(_ name: String, _ body: @escaping @Sendable () -> Void) {
    count.withLock { $0 += 1 }
    let thread = Thread {
      body()
      self.condition.lock()
      self.count.withLock { $0 -= 1 }
      self.condition.broadcast()
      self.condition.unlock()
    }
    thread.name = name
    thread.stackSize = 512 * 1024
    thread.start()
  }

  func waitUntilNone() {
    condition.lock()
    while count.withLock({ $0 > 0 }) { condition.wait() }
    condition.unlock()
  }
}
