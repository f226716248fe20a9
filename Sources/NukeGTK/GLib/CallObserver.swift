#if GTK
  /// Observes the program's code that GTK calls on the main thread, for measurements. The calls are work of the main
  /// actor, signals, timers, ticks and drawing.
  package protocol CallObserver: AnyObject {
    /// Called before a call, which may contain other calls.
    func callDidBegin()
    func callDidEnd()
    /// Runs the two parts of binding a row of a list: the list's own part, and the part of the program.
    func bindRow(_ list: () -> Void, _ row: () -> Void)
  }

  package enum Calls {
    /// The observer; `nil` unless the program measures. Used on the main thread.
    nonisolated(unsafe) package static var observer: (any CallObserver)?

    @inline(__always)
    static func observe<Result>(_ body: () -> Result) -> Result {
      guard let observer else { return body() }
      observer.callDidBegin()
      defer { observer.callDidEnd() }
      return body()
    }
  }
#endif
