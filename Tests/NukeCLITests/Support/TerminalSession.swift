import Foundation
import Nuke
import Testing

/// The built `nuke`, or another program, run on a terminal that the test plays.
final class TerminalSession: Sendable {
  /// What a run came to.
  struct Outcome {
    let status: Int32
    let wasSignalled: Bool
    /// All that was written, to standard output and standard error.
    let transcript: TerminalTranscript
    /// The terminal's modes are those of before.
    let isRestored: Bool

    var text: String { String(decoding: transcript.output, as: UTF8.self) }
    var images: [TerminalTranscript.DrawnImage] { transcript.images }
  }

  private struct State {
    typealias Waiter = (isMet: @Sendable (TerminalTranscript) -> Bool, continuation: CheckedContinuation<Void, Never>)

    var transcript = TerminalTranscript()
    var status: Int32?
    var isClosed = false
    var waiters: [Waiter] = []
    var ends: [CheckedContinuation<Void, Never>] = []
    /// Questions that were answered.
    var answers = 0
  }

  private let state = Lock(State())
  private let master: Int32
  private let process: pid_t
  private let answer: String?
  private let modes: tcflag_t

  /// Starts the command.
  ///
  /// - Parameters:
  ///   - path: of the program.
  ///   - environment: all that it has, beside `PATH` and `HOME`.
  ///   - window: its pixels are 10 x 20 a cell.
  ///   - answer: what the terminal says when it is asked for its attributes; `nil` for nothing.
  init(
    _ arguments: [String], path: String = Command.path, environment: [String: String], columns: Int = 80,
    rows: Int = 24, answer: String? = nil
  ) throws {
    var (master, slave): (Int32, Int32) = (-1, -1)
    var size = Self.window(columns, rows)
    var name = [CChar](repeating: 0, count: 128)
    try #require(openpty(&master, &slave, &name, nil, &size) == 0)
    defer { close(slave) }
    _ = fcntl(master, F_SETFD, FD_CLOEXEC)
    self.master = master
    self.answer = answer
    modes = Self.modes(master)

    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    // POSIX_SPAWN_SETSID, which the importer does not give.
    let setsid: Int16 = 0x80
    // The leader of a new session gets the terminal that it opens first.
    posix_spawnattr_setflags(&attributes, setsid)
    posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
    posix_spawn_file_actions_addclose(&actions, slave)
    let inherited = ProcessInfo.processInfo.environment
    let variables = ["PATH": inherited["PATH"] ?? "", "HOME": inherited["HOME"] ?? ""]
      .merging(environment) { $1 }.map { "\($0)=\($1)" }
    var process: pid_t = 0
    let code = Self.withPointers(to: [path] + arguments) { arguments in
      Self.withPointers(to: variables) { variables in
        posix_spawn(&process, path, &actions, &attributes, arguments, variables)
      }
    }
    try #require(code == 0)
    self.process = process
    Thread.detachNewThread { [self] in readToEnd() }
    Thread.detachNewThread { [self] in
      var status: Int32 = 0
      while waitpid(self.process, &status, 0) < 0, errno == EINTR {}
      let ended = status
      change { $0.status = ended }
    }
  }

  deinit { close(master) }

  func send(_ signal: Int32) { kill(process, signal) }

  /// Gives the window another size, of which the command is told by the system.
  func resize(columns: Int, rows: Int) {
    var size = Self.window(columns, rows)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
  }

  /// Returns once what was written meets a condition, or the command has ended.
  func wait(until isMet: @escaping @Sendable (TerminalTranscript) -> Bool) async {
    await withCheckedContinuation { continuation in
      state.withLock { $0.waiters.append((isMet, continuation)) }
      change { _ in }
    }
  }

  func outcome() async -> Outcome {
    await withCheckedContinuation { continuation in
      state.withLock { $0.ends.append(continuation) }
      change { _ in }
    }
    let (status, transcript) = state.withLock { ($0.status ?? -1, $0.transcript) }
    let signal = status & 0x7F
    return Outcome(
      status: signal == 0 ? status >> 8 & 0xFF : signal, wasSignalled: signal != 0, transcript: transcript,
      isRestored: Self.modes(master) == modes)
  }

  private func readToEnd() {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(master, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      // EIO: the command has closed it.
      guard count > 0 else { break }
      let part = Data(buffer[..<count])
      let questions = change { state -> Int in
        state.transcript.append(part)
        let asked = state.transcript.count(ofControl: "[c")
        defer { state.answers = asked }
        return asked - state.answers
      }
      if questions > 0, let answer {
        let bytes = Array(answer.utf8)
        _ = bytes.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
      }
    }
    change { $0.isClosed = true }
  }

  @discardableResult
  private func change<Result>(_ body: (inout State) -> Result) -> Result {
    let (result, ready) = state.withLock { state in
      let result = body(&state)
      let isOver = state.isClosed && state.status != nil
      let (met, others) = state.waiters.reduce(into: ([State.Waiter](), [State.Waiter]())) { parts, waiter in
        if isOver || waiter.isMet(state.transcript) { parts.0.append(waiter) } else { parts.1.append(waiter) }
      }
      state.waiters = others
      var ready = met.map(\.continuation)
      if isOver {
        ready += state.ends
        state.ends = []
      }
      return (result, ready)
    }
    for continuation in ready { continuation.resume() }
    return result
  }

  private static func window(_ columns: Int, _ rows: Int) -> winsize {
    winsize(
      ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: UInt16(columns * 10), ws_ypixel: UInt16(rows * 20))
  }

  private static func modes(_ descriptor: Int32) -> tcflag_t {
    var settings = termios()
    tcgetattr(descriptor, &settings)
    return settings.c_lflag
  }

  private static func withPointers<Result>(
    to strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let pointers = strings.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    return body(pointers + [nil])
  }
}

extension Data {
  /// The images in it that were sent whole by kitty's protocol.
  var kittyImages: [Bitmap] { TerminalTranscript(self).images.compactMap(\.bitmap) }
}
