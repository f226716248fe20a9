import Foundation
package import Nuke

/// The machine's file system, with failures where a test wants them. What changes files is a step.
package final class FaultyFileSystem: DiskFileSystem {
  package enum Fault: Sendable {
    /// The step and all calls after it do nothing and fail, as if the process had died before it.
    case death(step: Int)
    /// The step fails, once.
    case failure(step: Int, code: CInt)
    /// All steps from this one on fail.
    case failures(step: Int, code: CInt)
    /// A write takes this many bytes at most.
    case shortWrites(Int)
    /// Every read fails.
    case unreadable(code: CInt)
    /// No file can be opened for reading.
    case unopenable(code: CInt)
    /// Nobody gives the lock away.
    case locked
    /// Bytes cannot be locked.
    case withoutByteLocks
    /// Names cannot be exchanged.
    case withoutExchange
    /// Nobody seems to have a file open.
    case unwatched
    /// No file can be opened for reading and writing.
    case unshareable(code: CInt)
  }

  package struct State {
    var fault: Fault?
    var steps = 0
    var isDead = false
    var space: DiskSpace?
    var afterStep: (@Sendable () -> Void)?
    var written = 0
    /// Files that were created and removed.
    var created = 0
    var removed = 0
    var beforeOpening: (@Sendable (String) -> Void)?
    var afterOpening: (@Sendable (String) -> Void)?
    var afterLocking: (@Sendable (CInt) -> Void)?
  }

  package let state = Lock(State())
  private let system = SystemFileSystem()

  package init() {}

  package var fault: Fault? {
    get { state.withLock { $0.fault } }
    set {
      state.withLock {
        $0.fault = newValue
        $0.steps = 0
        $0.isDead = false
      }
    }
  }
  /// Bytes that were written so far.
  package var written: Int { state.withLock { $0.written } }
  package var created: Int { state.withLock { $0.created } }
  package var removed: Int { state.withLock { $0.removed } }
  package var steps: Int { state.withLock { $0.steps } }
  package func set(space: DiskSpace) { state.withLock { $0.space = space } }
  package func afterEachStep(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.afterStep = body } }

  /// Calls `body` with the path of each file that is to be read.
  package func beforeOpening(_ body: @escaping @Sendable (String) -> Void) {
    state.withLock { $0.beforeOpening = body }
  }

  /// Calls `body` with the path of each file that was opened for reading.
  package func afterOpening(_ body: (@Sendable (String) -> Void)?) { state.withLock { $0.afterOpening = body } }

  /// Calls `body` with each file that was locked.
  package func afterLocking(_ body: @escaping @Sendable (CInt) -> Void) { state.withLock { $0.afterLocking = body } }

  private func step<Value: FixedWidthInteger & SignedInteger>(_ body: () -> Value) -> Value {
    let (code, afterStep) = state.withLock { state -> (CInt?, (@Sendable () -> Void)?) in
      state.steps += 1
      switch state.fault {
      case .death(let step) where state.steps >= step:
        state.isDead = true
        return (EIO, nil)
      case .failure(let step, let code) where state.steps == step: return (code, nil)
      case .failures(let step, let code) where state.steps >= step: return (code, nil)
      default: return (nil, state.afterStep)
      }
    }
    if let code { return Value(-code) }
    let result = body()
    afterStep?()
    return result
  }

  private var isDead: Bool { state.withLock { $0.isDead } }

  package func openFolder(_ path: String) -> CInt { isDead ? -EIO : system.openFolder(path) }
  package func openFile(_ path: String, in folder: CInt) -> CInt {
    state.withLock { $0.beforeOpening }?(path)
    if case .unopenable(let code) = fault { return -code }
    let file = isDead ? -EIO : system.openFile(path, in: folder)
    state.withLock { $0.afterOpening }?(path)
    return file
  }
  package func createFile(_ path: String, in folder: CInt) -> CInt {
    state.withLock { $0.created += 1 }
    return step { system.createFile(path, in: folder) }
  }
  package func openShared(_ path: String, in folder: CInt) -> CInt {
    if case .unshareable(let code) = fault { return -code }
    return isDead ? -EIO : system.openShared(path, in: folder)
  }
  package func openToChange(_ path: String, in folder: CInt) -> CInt {
    isDead ? -EIO : system.openToChange(path, in: folder)
  }
  package func isOpenElsewhere(_ file: CInt) -> Bool {
    if case .unwatched = fault { return false }
    return system.isOpenElsewhere(file)
  }
  package func close(_ file: CInt) { system.close(file) }
  package func status(of file: CInt) -> DiskFileStatus? {
    isDead ? nil : system.status(of: file)
  }
  package func status(_ path: String, in folder: CInt) -> DiskFileStatus? {
    isDead ? nil : system.status(path, in: folder)
  }
  package func read(_ file: CInt, into buffer: UnsafeMutableRawPointer, count: Int, at offset: Int?) -> Int {
    if isDead { return Int(-EIO) }
    if case .unreadable(let code) = fault, offset == nil { return Int(-code) }
    return system.read(file, into: buffer, count: count, at: offset)
  }
  package func write(_ file: CInt, from buffer: UnsafeRawPointer, count: Int, at offset: Int?) -> Int {
    state.withLock { $0.written += count }
    return step {
      guard case .shortWrites(let most) = fault, offset == nil else {
        return system.write(file, from: buffer, count: count, at: offset)
      }
      return system.write(file, from: buffer, count: min(count, most), at: offset)
    }
  }
  package func setLength(_ length: Int, of file: CInt) -> CInt { step { system.setLength(length, of: file) } }
  package func rename(_ path: String, to target: String, in folder: CInt) -> CInt {
    step { system.rename(path, to: target, in: folder) }
  }
  package func exchange(_ path: String, with target: String, in folder: CInt) -> CInt {
    if case .withoutExchange = fault { return -ENOSYS }
    return step { system.exchange(path, with: target, in: folder) }
  }
  package func remove(_ path: String, in folder: CInt) -> CInt {
    state.withLock { $0.removed += 1 }
    return step { system.remove(path, in: folder) }
  }
  package func makeFolder(_ path: String, in folder: CInt) -> CInt { step { system.makeFolder(path, in: folder) } }
  package func setTime(_ time: Int64, of file: CInt) -> CInt { step { system.setTime(time, of: file) } }
  package func setTime(_ time: Int64, _ path: String, in folder: CInt) -> CInt {
    step { system.setTime(time, path, in: folder) }
  }
  package func names(in path: String, of folder: CInt) -> [String] { isDead ? [] : system.names(in: path, of: folder) }
  package func tryLock(_ file: CInt) -> Bool {
    if case .locked = fault { return false }
    guard system.tryLock(file) else { return false }
    state.withLock { $0.afterLocking }?(file)
    return true
  }
  package func unlock(_ file: CInt) { system.unlock(file) }
  package func tryLock(_ file: CInt, byte: Int64) -> DiskByteLock {
    if case .withoutByteLocks = fault { return .unavailable }
    return system.tryLock(file, byte: byte)
  }
  package func unlock(_ file: CInt, byte: Int64) { system.unlock(file, byte: byte) }
  package func isLocked(_ file: CInt, byte: Int64) -> Bool { system.isLocked(file, byte: byte) }
  package func pause() {}
  package func space(at file: CInt) -> DiskSpace? { state.withLock { $0.space } ?? system.space(at: file) }
  package var bootIdentifier: UInt64 { system.bootIdentifier }
}
