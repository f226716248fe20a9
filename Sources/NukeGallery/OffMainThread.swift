#if GTK
  import Dispatch

  /// Runs work that may block, such as reading files, on another thread.
  ///
  /// - Parameter queue: the queue that runs it. Work on a serial queue is done in order.
  func offMainThread<Value: Sendable>(
    _ queue: DispatchQueue = .global(qos: .userInitiated), _ body: @escaping @Sendable () -> Value
  ) async -> Value {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: body()) }
    }
  }
#endif
