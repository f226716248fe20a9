import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

// The kernel has a nice value for each thread, and the main thread's number is that of the process.
#if canImport(Glibc)
  private let oneThread = __priority_which_t(PRIO_PROCESS.rawValue)
#else
  private let oneThread = PRIO_PROCESS
#endif

/// Starts the threads of the library.
package enum BackgroundThread {
  private final class Body: Sendable {
    let name: String?
    let run: @Sendable () -> Void
    init(_ name: String?, _ run: @escaping @Sendable () -> Void) { (self.name, self.run) = (name, run) }
  }

  /// Starts a detached thread that runs `body`. All signals are blocked on it: the program handles them on its own
  /// threads. It has the nice value of the process, and not that of the calling thread, which Dispatch may have changed
  /// for its quality of service.
  ///
  /// - Parameters:
  ///   - name: the name that debuggers and tools show; at most 15 bytes.
  ///   - stackSize: the size of the stack in bytes; `nil` for the default of the system.
  /// - Returns: `false` if the system allows no thread.
  package static func start(
    name: String? = nil, stackSize: Int? = nil, _ body: @escaping @Sendable () -> Void
  ) -> Bool {
    withUnsafeTemporaryAllocation(of: pthread_attr_t.self, capacity: 1) { buffer in
      let attributes = buffer.baseAddress!
      pthread_attr_init(attributes)
      defer { pthread_attr_destroy(attributes) }
      pthread_attr_setdetachstate(attributes, Int32(PTHREAD_CREATE_DETACHED))
      if let stackSize { pthread_attr_setstacksize(attributes, stackSize) }
      let body = Unmanaged.passRetained(Body(name, body))
      var thread: pthread_t = 0
      let failure = pthread_create(
        &thread, attributes,
        { pointer in
          var signals = sigset_t()
          sigfillset(&signals)
          pthread_sigmask(SIG_BLOCK, &signals, nil)
          let nice = getpriority(oneThread, id_t(getpid()))
          // Fails if the calling thread is nicer and the user may not change that.
          if nice != getpriority(oneThread, 0) { setpriority(oneThread, 0, nice) }
          let body = Unmanaged<Body>.fromOpaque(pointer!).takeRetainedValue()
          if let name = body.name { Thread.current.name = name }
          body.run()
          return nil
        }, body.toOpaque())
      if failure != 0 { body.release() }
      return failure == 0
    }
  }
}
