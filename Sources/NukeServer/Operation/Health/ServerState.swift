#if Server
  import NukeImaging

  /// `true` if the server takes requests.
  final class ServerState: Sendable {
    enum Phase: String, Sendable { case starting, serving, stopping }

    private let current = Lock(Phase.starting)
    /// Returns the problem of a required store; `nil` if there is none.
    private let complaint: @Sendable () -> String?

    init(complaint: @escaping @Sendable () -> String? = { nil }) {
      self.complaint = complaint
    }

    var phase: Phase { current.withLock { $0 } }

    /// The server listens. One that was told to stop before stays so.
    func started() { current.withLock { if $0 == .starting { $0 = .serving } } }

    func stopping() { current.withLock { $0 = .stopping } }

    /// Why requests are better sent elsewhere; `nil` if they are welcome.
    var obstacle: String? {
      switch phase {
      case .starting: "starting"
      case .stopping: "stopping"
      case .serving: complaint()
      }
    }
  }
#endif
