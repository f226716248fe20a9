package import Dispatch

extension DispatchSource {
  /// Returns a source that handles a signal from now on, in place of what the signal did before.
  ///
  /// Another thread registers a source, and a signal that is ignored until then is lost. Therefore this waits for the
  /// registration. A signal that arrives earlier has its previous effect.
  ///
  /// - Parameters:
  ///   - queue: the queue on which the handler is called. It must not be the queue of the caller.
  ///   - handler: called after one or more signals.
  package static func handling(
    _ signal: Int32, on queue: DispatchQueue, handler: @escaping @Sendable () -> Void
  ) -> any DispatchSourceSignal {
    let source = makeSignalSource(signal: signal, queue: queue)
    let isRegistered = DispatchSemaphore(value: 0)
    source.setEventHandler(handler: handler)
    source.setRegistrationHandler { isRegistered.signal() }
    source.resume()
    isRegistered.wait()
    return source
  }
}
