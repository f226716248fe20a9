import Foundation

/// Blocks SIGXFSZ, which the system sends when a write exceeds `RLIMIT_FSIZE`, and which ends the process by default.
/// While the signal is blocked, the write fails with `EFBIG`, like a write to a full disk.
enum FileSizeSignal {
  /// Runs `body` with the signal blocked on this thread. A signal that `body` causes is consumed.
  static func blocked<Value>(_ body: () -> Value) -> Value {
    var limit = rlimit()
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
    #else
      let resource = RLIMIT_FSIZE
    #endif
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur != rlim_t.max else { return body() }
    var signals = sigset_t()
    var before = sigset_t()
    var pending = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGXFSZ)
    sigpending(&pending)
    pthread_sigmask(SIG_BLOCK, &signals, &before)
    defer {
      if sigismember(&pending, SIGXFSZ) == 0 {
        var none = timespec()
        while sigtimedwait(&signals, nil, &none) == SIGXFSZ {}
      }
      pthread_sigmask(SIG_SETMASK, &before, nil)
    }
    return body()
  }
}
