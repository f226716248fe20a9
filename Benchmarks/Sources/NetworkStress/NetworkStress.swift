import Foundation
import Nuke
import NukeImaging
import NukeOrigin

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Loads many URLs from misbehaving servers, and cancels many downloads at once. Prints its observations, and fails if
/// a completion is missing or repeated, or if a resource is not released.
///
/// usage: NetworkStress [over TRANSPORT] [faults [REQUESTS]] [cancel [DOWNLOADS [ROUNDS]]]
///
/// The transports are those of ``Transport``. The default is all that are built, one after the other.
@main
struct NetworkStress {
  static func main() async throws {
    raiseDescriptorLimit()
    let words = Array(CommandLine.arguments.dropFirst())
    func number(_ index: Int, after word: String, _ usual: Int) -> Int {
      guard let place = words.firstIndex(of: word), words.count > place + index else { return usual }
      return Int(words[place + index]) ?? usual
    }
    if words == ["origin"] { return try await OriginProcess.serve() }
    var transports = Transport.allCases
    if let place = words.firstIndex(of: "over") {
      guard words.count > place + 1, let transport = Transport(rawValue: words[place + 1]) else {
        print("over what? There are: " + transports.map(\.rawValue).joined(separator: ", "))
        exit(2)
      }
      transports = [transport]
    }
    let isAll = !words.contains("faults") && !words.contains("cancel")
    var violations: [String] = []
    for transport in transports {
      print("\nOver \(transport.rawValue)")
      if isAll || words.contains("faults") {
        violations += try await RandomFaults(requestCount: number(1, after: "faults", 10_000), transport: transport)
          .run().map { "\(transport.rawValue): \($0)" }
      }
      if isAll || words.contains("cancel") {
        let (downloads, rounds) = (number(1, after: "cancel", 500), number(2, after: "cancel", 60))
        for connections in [downloads, 6] {
          violations += try await Cancellations(
            downloadCount: downloads, roundCount: rounds, connections: connections, transport: transport
          ).run().map { "\(transport.rawValue): \($0)" }
        }
      }
    }
    for violation in violations { print("VIOLATION: \(violation)") }
    exit(violations.isEmpty ? 0 : 1)
  }

  private static func raiseDescriptorLimit() {
    var limit = rlimit()
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let resource = RLIMIT_NOFILE
    #endif
    getrlimit(resource, &limit)
    limit.rlim_cur = min(limit.rlim_max, 16_384)
    setrlimit(resource, &limit)
  }
}

/// Counts the completions of one transfer, and stores its result.
final class Outcome: StreamObserver {
  struct State {
    var body = Data()
    var ends = 0
    var statuses: [Int] = []
    var error: (any Error)?
  }

  private let state = Lock(State())
  private let didEnd: @Sendable () -> Void
  private let didGrow: @Sendable () -> Void

  init(didGrow: @escaping @Sendable () -> Void = {}, didEnd: @escaping @Sendable () -> Void) {
    self.didEnd = didEnd
    self.didGrow = didGrow
  }

  var ends: Int { state.withLock { $0.ends } }
  var error: (any Error)? { state.withLock { $0.error } }
  var body: Data { state.withLock { $0.body } }

  /// The number of delivered heads.
  var statuses: [Int] { state.withLock { $0.statuses } }

  func didReceive(_ head: ResponseHead) { state.withLock { $0.statuses.append(head.status ?? 0) } }

  func didReceive(_ bytes: UnsafeRawBufferPointer) {
    state.withLock { $0.body.append(contentsOf: bytes) }
    didGrow()
  }

  func didFinish(_ error: (any Error)?) {
    state.withLock { state in
      state.ends += 1
      state.error = error
    }
    didEnd()
  }
}

/// The resources of the process.
struct Holdings: CustomStringConvertible {
  /// The resident memory of the process, in kilobytes.
  let resident: Int
  let descriptors: Int

  /// Returns freed memory to the system. The header of the function is in no module.
  private static let trim = dlsym(nil, "malloc_trim").map {
    unsafeBitCast($0, to: (@convention(c) (Int) -> CInt).self)
  }

  static func now() -> Holdings {
    _ = trim?(0)
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return Holdings(
      resident: pages * sysconf(Int32(_SC_PAGESIZE)) / 1024,
      descriptors: (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0)
  }

  var description: String { "\(resident) KB of memory, \(descriptors) descriptors" }

  /// The growth since an early moment, in excess of the allowed growth.
  func growth(since early: Holdings, of name: String) -> [String] {
    var violations: [String] = []
    if resident - early.resident > 8192 { violations.append("\(name): memory grew from \(early) to \(self)") }
    if descriptors > early.descriptors + 70 { violations.append("\(name): descriptors grew from \(early) to \(self)") }
    return violations
  }
}
