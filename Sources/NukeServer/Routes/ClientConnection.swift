#if Server
  import Hummingbird
  import HummingbirdCore
  import NIOCore
  import NukeBase
  import NukeServing

  /// The HTTP/1.1 connection or HTTP/2 stream of a request. It reports when the client disconnects.
  final class ClientConnection: Sendable {
    /// The connection of the request that the current task answers; `nil` if it is not known.
    @TaskLocal static var current: ClientConnection?

    private struct State {
      var isDisconnected = false
      var hasEnded = false
      /// The task of the current request. A connection processes one request at a time.
      var request: Task<Void, any Error>?
      /// `true` while the request waits for its image. Once it has the image, a client that has closed its side may still
      /// receive the response.
      var isWaiting = false
      var channel: (any Channel)?
      var address: String?
      /// The reservation of the current long response in the sending budget.
      var reservation: SendingBudget.Reservation?
    }

    private let state = Lock(State())

    /// Returns the result of `operation`. Cancels the task of the request if the client disconnects in the meantime, or
    /// already has.
    func cancelingOnDisconnect<Value>(
      _ operation: () async throws(ServingError) -> Value
    ) async throws(ServingError) -> Value {
      change { $0.isWaiting = true }
      defer { change { $0.isWaiting = false } }
      return try await operation()
    }

    /// Sets the task of the current request.
    func setRequest(_ task: Task<Void, any Error>?) { change { $0.request = task } }

    /// Changes the state, and cancels a request whose client waits no longer. The actions of the cancellation run outside the
    /// lock.
    private func change(_ body: (inout State) -> Void) {
      let canceled: Task<Void, any Error>? = state.withLock { state in
        body(&state)
        return state.isDisconnected && state.isWaiting ? state.request : nil
      }
      canceled?.cancel()
    }

    /// Holds a reservation in the sending budget until the client has received the response or the connection ends.
    func keep(_ reservation: SendingBudget.Reservation) {
      // The previous reservation is released outside the lock.
      let before = state.withLock { state in
        defer { if !state.hasEnded { state.reservation = reservation } }
        return state.reservation
      }
      withExtendedLifetime(before) {}
    }

    /// The address of the client; `nil` if it is not known.
    var address: String? { state.withLock { $0.address } }

    /// The reservation of the current response in the sending budget; `nil` if it is short.
    var reservation: SendingBudget.Reservation? { state.withLock { $0.reservation } }

    /// Releases the reservation, unless another one has replaced it.
    func release(_ reservation: SendingBudget.Reservation) {
      state.withLock { if $0.reservation === reservation { $0.reservation = nil } }
    }

    /// Closes the connection or the stream, even if a response is being sent.
    func close() {
      let channel = state.withLock { $0.channel }
      channel?.close(promise: nil)
    }

    /// Reports that the client no longer waits for a response. A response that is being sent may still arrive.
    func setDisconnected() { change { $0.isDisconnected = true } }

    /// Releases everything after the connection has closed.
    func end() {
      let reservation = state.withLock { state in
        state.hasEnded = true
        state.channel = nil
        return state.reservation.take()
      }
      withExtendedLifetime(reservation) {}
      setDisconnected()
    }
  }

  /// The connections of all servers in the process, by channel. A request refers to its connection only through its
  /// channel.
  extension ClientConnection {
    private static let open = Lock<[ObjectIdentifier: ClientConnection]>([:])

    static func register(_ connection: ClientConnection, for channel: any Channel) {
      let address = channel.remoteAddress?.clientAddress
      connection.state.withLock { state in
        state.channel = channel
        state.address = address
      }
      open.withLock { $0[ObjectIdentifier(channel)] = connection }
    }

    static func unregister(_ channel: any Channel) {
      open.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(channel)) }
    }

    static func of(_ channel: any Channel) -> ClientConnection? {
      open.withLock { $0[ObjectIdentifier(channel)] }
    }

    /// Wraps a responder so that it sets ``current``. The server must have the handlers of ``ConnectionLimits``.
    ///
    /// Each request has a task of its own. It can be canceled alone, and the memory that a task needs for its deepest
    /// calls, tens of kilobytes here, stays with it until it ends, which the task of an idle connection does not.
    static func settingCurrent(_ responder: @escaping HTTPChannelHandler.Responder) -> HTTPChannelHandler.Responder {
      { request, writer, channel in
        let connection = of(channel)
        let handover = Handover(writer)
        // Runs synchronously until it suspends, so that a memory hit needs no thread switch.
        let task = Task.immediate {
          try await $current.withValue(connection) {
            try await responder(request, handover.writer.take()!, channel)
          }
        }
        connection?.setRequest(task)
        defer { connection?.setRequest(nil) }
        try await withTaskCancellationHandler {
          try await task.value
        } onCancel: {
          task.cancel()
        }
      }
    }
  }

  /// A writer that one task gives to another. A closure cannot consume a captured value.
  private final class Handover: @unchecked Sendable {
    var writer: ResponseWriter?

    init(_ writer: consuming ResponseWriter) { self.writer = consume writer }
  }
#endif
