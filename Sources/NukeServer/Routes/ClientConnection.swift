#if Server
  import Hummingbird
  import HummingbirdCore
  import NIOCore
  import NukeImaging

  /// The connection that a request came over, or the stream of HTTP/2: it tells when its client has gone away.
  final class ClientConnection: Sendable {
    /// The connection of the request that the current task answers; `nil` if it is not known.
    @TaskLocal static var current: ClientConnection?

    private struct State {
      var isGone = false
      var hasEnded = false
      /// One request at a time is answered over a connection.
      var action: (@Sendable () -> Void)?
      var channel: (any Channel)?
      /// Room for the long answer that is being sent.
      var place: SendingBudget.Place?
    }

    private let state = Lock(State())

    /// Calls `action` when the client goes away, or at once if it has; not any more after ``forget()``.
    func whenGone(_ action: @escaping @Sendable () -> Void) {
      let isGone = state.withLock { state in
        if !state.isGone { state.action = action }
        return state.isGone
      }
      if isGone { action() }
    }

    /// Keeps room for a long answer until the client has taken it, or the connection ends.
    func keep(_ place: SendingBudget.Place) {
      // What was kept before goes outside of the lock.
      let before = state.withLock { state in
        defer { if !state.hasEnded { state.place = place } }
        return state.place
      }
      withExtendedLifetime(before) {}
    }

    /// The place of the current response.
    var place: SendingBudget.Place? { state.withLock { $0.place } }

    /// Lets go of it, unless another has come since.
    func release(_ place: SendingBudget.Place) {
      state.withLock { if $0.place === place { $0.place = nil } }
    }

    /// Ends the connection, or the stream, whatever is on its way.
    func close() {
      let channel = state.withLock { $0.channel }
      channel?.close(promise: nil)
    }

    func forget() { state.withLock { $0.action = nil } }

    /// Nobody waits for an answer any more. What is on its way may still be taken.
    func setGone() {
      let action = state.withLock { state in
        state.isGone = true
        defer { state.action = nil }
        return state.action
      }
      action?()
    }

    /// Nothing is on its way any more.
    func end() {
      let place = state.withLock { state in
        state.hasEnded = true
        state.channel = nil
        defer { state.place = nil }
        return state.place
      }
      withExtendedLifetime(place) {}
      setGone()
    }
  }

  /// Connections by their channels, for all servers of the process: a channel is all that a request tells of where it came
  /// from.
  extension ClientConnection {
    private static let open = Lock<[ObjectIdentifier: ClientConnection]>([:])

    static func register(_ connection: ClientConnection, for channel: any Channel) {
      connection.state.withLock { $0.channel = channel }
      open.withLock { $0[ObjectIdentifier(channel)] = connection }
    }

    static func unregister(_ channel: any Channel) {
      open.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(channel)) }
    }

    static func of(_ channel: any Channel) -> ClientConnection? {
      open.withLock { $0[ObjectIdentifier(channel)] }
    }

    /// A responder that knows its connection, for servers with the handlers of ``ConnectionLimits``.
    static func telling(_ responder: @escaping HTTPChannelHandler.Responder) -> HTTPChannelHandler.Responder {
      { request, writer, channel in
        guard let connection = of(channel) else { return try await responder(request, writer, channel) }
        // A closure cannot consume what it captures, but can take it out of an optional.
        var writer = Optional(writer)
        try await $current.withValue(connection) {
          guard let writer = writer.take() else { return }
          try await responder(request, writer, channel)
        }
      }
    }
  }
#endif
