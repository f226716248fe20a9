#if GTK
  import CNukeGTK
  package import Foundation

  /// Calls a closure once after a delay, in GLib's main loop. Releasing the object cancels the call.
  @MainActor package final class Timeout {
    private var source: guint = 0
    private let body: @MainActor () -> Void

    /// - Parameters:
    ///   - seconds: the delay, rounded up to milliseconds. If it is 0, the closure is called as soon as the loop has
    ///     processed more urgent events.
    ///   - body: released with this object.
    package init(after seconds: TimeInterval, _ body: @escaping @MainActor () -> Void) {
      self.body = body
      source = g_timeout_add_full(
        G_PRIORITY_DEFAULT, guint(milliseconds: seconds),
        { timeout in
          guard let timeout else { return G_SOURCE_REMOVE }
          let fired = Unmanaged<Timeout>.fromOpaque(timeout).takeUnretainedValue()
          MainActor.assumeIsolated { Calls.observe { fired.fire() } }
          return G_SOURCE_REMOVE
        }, Unmanaged.passUnretained(self).toOpaque(), nil)
    }

    isolated deinit {
      if source != 0 { g_source_remove(source) }
    }

    private func fire() {
      source = 0
      body()
    }
  }
#endif
