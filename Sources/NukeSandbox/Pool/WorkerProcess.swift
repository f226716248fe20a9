import CNukeSandbox
import Foundation
import NukeServing

/// A sandboxed worker process, and the socket to it. Used by the thread that started it. The process ends with that
/// thread.
final class WorkerProcess {
  /// The end of a worker process.
  struct End: Equatable {
    /// The status from `wait`; -1 if another part of the program has collected it.
    let status: CInt

    /// The signal that ended the process; `nil` if it exited.
    var signal: CInt? {
      let number = status & 0x7F
      return status >= 0 && number != 0 && number != 0x7F ? number : nil
    }

    /// A description for the operator.
    var reason: String {
      switch signal {
      case SIGSYS?: "its worker made a forbidden system call, and was terminated (SIGSYS)"
      case let signal?: "its worker was terminated by signal \(signal) (\(String(cString: strsignal(signal))))"
      case nil: "its worker ended"
      }
    }

    /// `true` if the process was killed from outside, by the out-of-memory killer or an operator. The image is then not
    /// the cause.
    var isFromOutside: Bool { signal == SIGKILL }
  }

  let connection: WorkerConnection
  private let id: pid_t
  private var isEnded = false
  /// The number of files that the worker has rendered.
  var imageCount = 0
  /// The reason why the worker cannot read fonts; `nil` if it can.
  let reasonWithoutFonts: String?

  /// Starts a worker, and waits until it is sandboxed.
  ///
  /// - Parameter changed: called when the wake event is signaled. Returns a new deadline; `nil` to keep the old one.
  init(
    _ settings: WorkerSettings, pixels: SealedFile?, program: String?, wakeEvent: WakeEvent,
    changed: @escaping () -> Deadline?
  ) throws(SandboxError) {
    var sockets: (CInt, CInt) = (-1, -1)
    let failure = withUnsafeMutableBytes(of: &sockets) {
      nuke_sandbox_socket_pair($0.baseAddress!.assumingMemoryBound(to: CInt.self))
    }
    guard failure == 0 else { throw .cannotStart(String(cString: strerror(failure))) }
    connection = WorkerConnection(socket: sockets.0)
    id = try Self.start(program ?? "/proc/self/exe", socket: sockets.1)
    do throws(WorkerConnection.Failure) {
      let number = try connection.send(WorkerRequest(settings), with: pixels)
      let reply = try connection.reply(to: number, fileLimit: 0, until: .after(30), wakeEvent: wakeEvent) { _ in
        changed()
      }
      switch reply {
      case .ready(let readiness): reasonWithoutFonts = readiness.readsFonts ? nil : readiness.reason
      case .error(let error): throw .broken(error.description)
      default: throw .broken("it sent an unexpected reply")
      }
    } catch {
      let end = Self.end(id, timeout: error == .ended ? 1000 : 0)
      switch error {
      case .ended: throw .cannotStart(end.signal == nil ? "it ended immediately" : end.reason)
      case .late: throw .cannotStart("it is not ready after 30 seconds")
      case .stale: throw .cannotStart("it sent an unexpected reply")
      case .broken(let reason): throw .cannotStart(reason)
      }
    }
  }

  deinit { if !isEnded { _ = Self.end(id, timeout: 0) } }

  /// Ends the process if it has not ended by itself.
  ///
  /// - Parameter timeout: the time to wait for the process before it is killed, in milliseconds.
  func end(timeout: CInt = 0) -> End {
    isEnded = true
    return Self.end(id, timeout: timeout)
  }

  private static func end(_ id: pid_t, timeout: CInt) -> End { End(status: nuke_sandbox_reap(id, timeout)) }

  /// The resident memory of the process, in bytes.
  var residentMemory: Int { memory(1) }

  /// Allows the process to allocate a number of bytes in addition to those that it has.
  func allow(_ byteCount: Int) {
    let (total, isTooMany) = memory(5).addingReportingOverflow(max(byteCount, 0))
    // A process that has ended is found when its reply is awaited.
    _ = nuke_sandbox_limit_data(id, isTooMany ? .max : UInt64(total))
  }

  /// Returns a number of `/proc/PID/statm` in bytes: at 1 the resident memory, at 5 the writable one; see proc(5).
  private func memory(_ index: Int) -> Int {
    guard let text = try? String(contentsOfFile: "/proc/\(id)/statm", encoding: .utf8) else { return 0 }
    let numbers = text.split(whereSeparator: \.isWhitespace)
    return (index < numbers.count ? Int(numbers[index]) ?? 0 : 0) * Int(sysconf(CInt(_SC_PAGESIZE)))
  }

  /// The environment variable that marks a process as a worker.
  static let environmentVariable = "NUKE_RENDER_WORKER"

  /// The environment variables that a worker receives: the paths of libraries and fonts, and none of the server's
  /// secrets.
  private static let inheritedVariables = [
    "HOME", "LANG", "LC_ALL", "LC_CTYPE", "LD_LIBRARY_PATH", "XDG_DATA_HOME", "XDG_DATA_DIRS", "XDG_CONFIG_HOME",
    "XDG_CACHE_HOME", "FONTCONFIG_FILE", "FONTCONFIG_PATH",
  ]

  /// - Parameter socket: the worker's end of the socket. It is closed here, so that the connection ends with the
  ///   worker.
  private static func start(_ program: String, socket: CInt) throws(SandboxError) -> pid_t {
    defer { close(socket) }
    let values = ProcessInfo.processInfo.environment
    let inherited = inheritedVariables.compactMap { name in values[name].map { "\(name)=\($0)" } }
    let environment = [environmentVariable + "=1"] + inherited
    var arguments = Self.copies(of: [CommandLine.arguments.first ?? "nuke", RenderWorker.argument])
    var variables = Self.copies(of: environment)
    defer { for text in arguments + variables { free(text) } }
    var id: pid_t = 0
    let failure = nuke_sandbox_spawn(program, &arguments, &variables, socket, &id)
    guard failure == 0 else { throw .cannotStart("\(program): \(String(cString: strerror(failure)))") }
    return id
  }

  /// Returns C strings, followed by `nil`.
  private static func copies(of texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
    texts.map { strdup($0) } + [nil]
  }
}
