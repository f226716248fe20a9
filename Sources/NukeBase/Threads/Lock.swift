#if canImport(Glibc)
  public import Glibc
#elseif canImport(Musl)
  public import Musl
#else
  public import Darwin
#endif

/// The lock of the project; see ``_Lock``.
package typealias Lock<Value: ~Copyable> = _Lock<Value>

/// A mutex and the value it guards.
///
/// The only lock type of the project. It uses `pthread_mutex`, which Thread Sanitizer supports. The runtime library of
/// `Synchronization.Mutex` is not instrumented, which causes false reports under contention.
///
/// It is public, with an underscore because it is not for users: functions with package access are not inlined in other
/// modules (observed in Swift 6.3), so each use would call an unspecialized generic function.
public struct _Lock<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
  @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
  @usableFromInline let value: UnsafeMutablePointer<Value>

  package init(_ initial: consuming Value) {
    // The value follows the mutex in the same allocation.
    let alignment = max(MemoryLayout<pthread_mutex_t>.alignment, MemoryLayout<Value>.alignment)
    let mutexSize = MemoryLayout<pthread_mutex_t>.size
    let offset = (mutexSize + MemoryLayout<Value>.alignment - 1) & ~(MemoryLayout<Value>.alignment - 1)
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: offset + MemoryLayout<Value>.size, alignment: alignment)
    mutex = memory.initializeMemory(as: pthread_mutex_t.self, to: pthread_mutex_t())
    value = (memory + offset).initializeMemory(as: Value.self, to: initial)
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    #if canImport(Glibc)
      // Spinning first is faster, because the lock is usually held for less time than a context switch takes.
      pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ADAPTIVE_NP))
    #endif
    pthread_mutex_init(mutex, &attributes)
    pthread_mutexattr_destroy(&attributes)
  }

  deinit {
    value.deinitialize(count: 1)
    pthread_mutex_destroy(mutex)
    mutex.deinitialize(count: 1)
    UnsafeMutableRawPointer(mutex).deallocate()
  }

  /// Runs `body` with exclusive access to the value. It must not call code of the program.
  @inlinable
  public borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value.pointee)
  }

  /// Runs `body` with exclusive access until it returns a result. Between runs, waits for `signal` with the lock
  /// released.
  ///
  /// Each run is a separate access, because other threads change the value in between. Waiting inside ``withLock(_:)``
  /// would allow the compiler to reuse values it has read before.
  ///
  /// - Parameter body: receives the reason for waking up; `nil` in the first run. It may be woken without a reason.
  package borrowing func withLock<Result>(
    waitingFor signal: Signal, seconds: Double, _ body: (inout Value, Signal.Awakening?) -> Result?
  ) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    var awakening: Signal.Awakening?
    while true {
      if let result = body(&value.pointee, awakening) { return result }
      awakening = signal.wait(mutex, seconds: seconds)
    }
  }
}

/// Wakes threads that wait in ``Lock/withLock(waitingFor:seconds:_:)``.
package final class Signal: @unchecked Sendable {
  package enum Awakening: Sendable { case signalled, timedOut }

  private let condition: UnsafeMutablePointer<pthread_cond_t>

  package init() {
    condition = .allocate(capacity: 1)
    condition.initialize(to: pthread_cond_t())
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    condition.deinitialize(count: 1)
    condition.deallocate()
  }

  /// Wakes one waiting thread.
  package func wakeOne() { pthread_cond_signal(condition) }

  fileprivate func wait(_ mutex: UnsafeMutablePointer<pthread_mutex_t>, seconds: Double) -> Awakening {
    var deadline = timespec()
    clock_gettime(CLOCK_MONOTONIC, &deadline)
    let nanoseconds = deadline.tv_nsec + Int((seconds - seconds.rounded(.down)) * 1e9)
    deadline.tv_sec += Int(seconds) + nanoseconds / 1_000_000_000
    deadline.tv_nsec = nanoseconds % 1_000_000_000
    return pthread_cond_timedwait(condition, mutex, &deadline) == 0 ? .signalled : .timedOut
  }
}
