package import Dispatch

extension DispatchSource {
  /// Returns a source that handles a signal from now on, instead of the previous action of the signal.
  ///
  /// Dispatch registers a source on another thread, and a signal that is ignored before that is lost. Therefore this
  /// method waits for the registration. A signal that arrives earlier causes its previous action.
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
