#if canImport(Glibc)
  package import Glibc
#elseif canImport(Musl)
  package import Musl
#else
  package import Darwin
#endif

/// A value that one thread at a time reads or changes.
///
/// The one lock type of the project. It stands on `pthread_mutex`, which Thread Sanitizer understands: the library
/// behind `Synchronization.Mutex` is not instrumented, and is reported falsely under contention.
package struct Lock<Value>: ~Copyable, @unchecked Sendable {
  package let mutex: UnsafeMutablePointer<pthread_mutex_t>
  @usableFromInline package let value: UnsafeMutablePointer<Value>

  package init(_ initial: consuming Value) {
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
    value = .allocate(capacity: 1)
    value.initialize(to: initial)
  }

  deinit {
    value.deinitialize(count: 1)
    value.deallocate()
    pthread_mutex_destroy(mutex)
    mutex.deinitialize(count: 1)
    mutex.deallocate()
  }

  /// Runs `body` alone with the value. Nothing of the user's may be called from it.
  @inlinable
  package borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value.pointee)
  }
}

/// Lets threads wait, inside of ``Lock/withLock(_:)``, until another thread signals.
package final class Signal: @unchecked Sendable {
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

  /// Wakes one of those that wait.
  package func signal() { pthread_cond_signal(condition) }

  /// Wakes all that wait.
  package func broadcast() { pthread_cond_broadcast(condition) }

  /// Waits, with the lock open meanwhile. It may return without a reason, so ask again what was waited for.
  ///
  /// - Parameter mutex: the mutex of the lock that the caller holds.
  /// - Returns: false where `seconds` have passed.
  package func wait(with mutex: UnsafeMutablePointer<pthread_mutex_t>, seconds: Double? = nil) -> Bool {
    guard let seconds else { return pthread_cond_wait(condition, mutex) == 0 }
    var deadline = timespec()
    clock_gettime(CLOCK_MONOTONIC, &deadline)
    let nanoseconds = deadline.tv_nsec + Int((seconds - seconds.rounded(.down)) * 1e9)
    deadline.tv_sec += Int(seconds) + nanoseconds / 1_000_000_000
    deadline.tv_nsec = nanoseconds % 1_000_000_000
    return pthread_cond_timedwait(condition, mutex, &deadline) == 0
  }
}
