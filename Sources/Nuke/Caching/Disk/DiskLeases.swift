import Dispatch
import NukeImaging

/// The leases on the entries of a store, among all processes and threads that share its folder.
///
/// A lease is the lock of one byte of a file that is always empty: its place is a hash of the key, so that nothing has to
/// be made or removed, and the system lets go of it when a process ends in whatever way. The system does not tell when one
/// gets free. Those who wait look again after a while, see ``LeaseWaiters``; those of this process are told.
package final class DiskLeases: Sendable {
  package enum Attempt: Sendable {
    case taken(DiskLease)
    /// Somebody else has it.
    case held(Place)
    /// There are no leases on this disk, or not now.
    case unavailable
  }

  /// The byte that stands for a key.
  package struct Place: Sendable {
    let file: LeaseFile
    package let byte: Int64
  }

  /// One who waits, by which the waiting can be ended.
  package struct Waiting: Sendable {
    fileprivate let number: UInt64
  }

  /// Calls a closure after some nanoseconds.
  package typealias Timer = @Sendable (_ nanoseconds: UInt64, _ body: @escaping @Sendable () -> Void) -> Void

  package static let systemTimer: Timer = { nanoseconds, body in
    DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(Int(nanoseconds)), execute: body)
  }

  /// Leases that one process has at most. The system looks through all locks of a file at each change.
  package static let limit = 1024

  private struct State {
    var file: LeaseFile?
    /// Bytes that this process has, or is about to ask for. The system does not keep its threads apart.
    var taken: Set<Int64> = []
    var waiters = LeaseWaiters<Place>(pauses: 2_000_000...100_000_000)
  }

  private let files: any DiskFileSystem
  package let clock: @Sendable () -> UInt64
  private let timer: Timer
  private let state = Lock(State())

  init(files: any DiskFileSystem, clock: @escaping @Sendable () -> UInt64, timer: @escaping Timer) {
    self.files = files
    self.clock = clock
    self.timer = timer
  }

  // MARK: Taking

  func take(_ byte: Int64, in folder: DiskStore.Folder) -> Attempt {
    guard let file = file(in: folder) else { return .unavailable }
    let place = Place(file: file, byte: byte)
    let known: Attempt? = state.withLock { state in
      if state.taken.contains(byte) { return .held(place) }
      if state.taken.count == Self.limit { return .unavailable }
      state.taken.insert(byte)
      return nil
    }
    if let known { return known }
    let lock = files.tryLock(file.number, byte: byte)
    if lock == .taken { return .taken(DiskLease(place, of: self)) }
    state.withLock { _ = $0.taken.remove(byte) }
    return lock == .held ? .held(place) : .unavailable
  }

  func release(_ place: Place) {
    // In this order: who takes the byte in this process has the same lock, which must not be undone then.
    files.unlock(place.file.number, byte: place.byte)
    state.withLock { _ = $0.taken.remove(place.byte) }
    wake(place.byte)
  }

  /// The file in `folder`, the same for all: two openings of it would keep the threads of this process apart from those
  /// who wait here.
  private func file(in folder: DiskStore.Folder) -> LeaseFile? {
    if let file = state.withLock({ $0.file }), file.folder === folder { return file }
    guard let opened = LeaseFile(in: folder, files: files) else { return nil }
    let (file, replaced) = state.withLock { state -> (LeaseFile, LeaseFile?) in
      // Another thread may have been faster.
      if let file = state.file, file.folder === folder { return (file, nil) }
      defer { state.file = opened }
      return (opened, state.file)
    }
    withExtendedLifetime(replaced) {}
    return file
  }

  // MARK: Waiting

  /// Calls `body` once when the lease of `place` may be free, or at a moment of the clock if that comes first.
  ///
  /// - Parameter body: is told whether the lease may be free, on any thread, which it must not hold up. Not called before
  ///   this returns.
  package func wait(
    for place: Place, until deadline: UInt64, _ body: @escaping @Sendable (_ isFree: Bool) -> Void
  ) -> Waiting {
    let now = clock()
    let (number, delay) = state.withLock { state in
      let number = state.waiters.add(.init(place: place, since: now, deadline: deadline, body: body))
      return (number, state.waiters.timerDelay(at: now))
    }
    setTimer(delay)
    return Waiting(number: number)
  }

  /// Ends the waiting. Who has been told by then is not asked.
  package func cancel(_ waiting: Waiting) {
    let waiter = state.withLock { $0.waiters.remove(waiting.number) }
    withExtendedLifetime(waiter) {}
  }

  /// The number of waiters in this process.
  package var waitingCount: Int { state.withLock { $0.waiters.count } }

  func wake(_ byte: Int64) {
    let woken = state.withLock { $0.waiters.removeAll { $0.byte == byte } }
    for waiter in woken { waiter.body(true) }
  }

  private func setTimer(_ delay: UInt64?) {
    if let delay { timer(delay) { self.lookAgain() } }
  }

  private func lookAgain() {
    let due = state.withLock { $0.waiters.due(at: clock()) }
    let free = due.filter { !isHeld($0.place) }.map(\.number)
    let now = clock()
    let (woken, late, delay) = state.withLock { state in
      let woken = state.waiters.remove(free)
      let late = state.waiters.putOff(due.map(\.number), at: now)
      return (woken, late, state.waiters.timerDelay(at: now))
    }
    setTimer(delay)
    for waiter in woken { waiter.body(true) }
    for waiter in late { waiter.body(false) }
  }

  private func isHeld(_ place: Place) -> Bool {
    state.withLock { $0.taken.contains(place.byte) } || files.isLocked(place.file.number, byte: place.byte)
  }
}

/// The file whose bytes are locked, open.
package final class LeaseFile: Sendable {
  static let name = "leases"

  let number: CInt
  let folder: DiskStore.Folder
  private let files: any DiskFileSystem

  init?(in folder: DiskStore.Folder, files: any DiskFileSystem) {
    number = files.openShared(Self.name, in: folder.root)
    self.folder = folder
    self.files = files
    if number < 0 { return nil }
  }

  deinit { if number >= 0 { files.close(number) } }
}
