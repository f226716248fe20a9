#if Server
  /// Until when a server that was told to end may go on, whatever it still has to do.
  struct ShutdownDeadline: Sendable {
    /// Seconds behind the grace period, for what requests that were given up leave behind and for what is to be written to
    /// the stores. With the grace period's default both end within the 25 seconds of the files in `deploy/`.
    static let closingTime = 4.0

    private let end: Double
    private let clock: @Sendable () -> Double

    /// - Parameters:
    ///   - start: when the server was told to end.
    ///   - clock: seconds of a clock that only goes forward.
    init(start: Double, gracePeriod: Double, clock: @escaping @Sendable () -> Double) {
      end = start + gracePeriod + Self.closingTime
      self.clock = clock
    }

    /// For a server that could not begin, or was canceled: nothing is waited for.
    static var now: ShutdownDeadline { ShutdownDeadline(start: -.infinity, gracePeriod: 0) { 0 } }

    /// Seconds that are left.
    var seconds: Double { max(0, end - clock()) }
  }
#endif
