#if Server
  import Hummingbird
  import HummingbirdCore
  import NIOCore
  import NukeImaging

  /// The HTTP/1.1 connection or HTTP/2 stream of a request. It reports when the client disconnects.
  final class ClientConnection: Sendable {
    /// The connection of the request that the current task answers; `nil` if it is not known.
    @TaskLocal static var current: ClientConnection?

    private struct State {
      var isGone = false
      var hasEnded = false
      /// The action for the current request. A connection processes one request at a time.
      var action: (@Sendable () -> Void)?
      var channel: (any Channel)?
      var address: String?
      /// The share of the sending budget that the current long response holds.
      var place: SendingBudget.Place?
    }

    private let state = Lock(State())

    /// Calls `action` when the client disconnects, or at once if it already has. ``forget()`` removes the action.
    func whenGone(_ action: @escaping @Sendable () -> Void) {
      let isGone = state.withLock { state in
        if !state.isGone { state.action = action }
        return state.isGone
      }
      if isGone { action() }
    }

    /// Holds a share of the sending budget until the client has received the response or the connection ends.
    func keep(_ place: SendingBudget.Place) {
      // The previous share is released outside the lock.
      let before = state.withLock { state in
        defer { if !state.hasEnded { state.place = place } }
        return state.place
      }
      withExtendedLifetime(before) {}
    }

    /// The address of the client; `nil` if it is not known.
    var address: String? { state.withLock { $0.address } }

    /// The share of the current response.
    var place: SendingBudget.Place? { state.withLock { $0.place } }

    /// Releases the share, unless another one has replaced it.
    func release(_ place: SendingBudget.Place) {
      state.withLock { if $0.place === place { $0.place = nil } }
    }

    /// Closes the connection or the stream, even if a response is being sent.
    func close() {
      let channel = state.withLock { $0.channel }
      channel?.close(promise: nil)
    }

    func forget() { state.withLock { $0.action = nil } }

    /// Reports that the client no longer waits for a response. A response that is being sent may still arrive.
    func setGone() {
      let action = state.withLock { state in
        state.isGone = true
        return state.action.take()
      }
      action?()
    }

    /// Releases everything after the connection has closed.
    func end() {
      let place = state.withLock { state in
        state.hasEnded = true
        state.channel = nil
        return state.place.take()
      }
      withExtendedLifetime(place) {}
      setGone()
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
    /// Each request has a task of its own. The memory that a task needs for its deepest calls, tens of kilobytes here,
    /// stays with it until it ends, and the task of an idle connection does not end.
    static func telling(_ responder: @escaping HTTPChannelHandler.Responder) -> HTTPChannelHandler.Responder {
      { request, writer, channel in
        let handover = Handover(writer)
        try await $current.withValue(of(channel)) {
          try await withThrowingTaskGroup(of: Void.self) { group in
            group.addImmediateTask { try await responder(request, handover.writer.take()!, channel) }
            try await group.waitForAll()
          }
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
