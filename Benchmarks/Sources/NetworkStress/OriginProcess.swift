import Foundation
import NukeOrigin

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A server in a separate process, so that its memory and descriptors are not counted as those of the loader.
///
/// The process runs the same program. It receives commands as lines, and replies to each with a line.
final class OriginProcess {
  enum Behavior: String {
    case random
    /// Sends the beginning of a body, and then stalls.
    case stalling
  }

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  init() throws {
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = ["origin"]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  /// Ends the current server, and starts another one.
  ///
  /// - Returns: its URL.
  func start(_ behavior: Behavior) -> URL { URL(string: "http://127.0.0.1:\(ask("start \(behavior)"))")! }

  /// Returns when a number of requests have arrived.
  func waitForRequests(_ count: Int) { _ = ask("requests \(count)") }

  /// Returns when no connection is open, and clients have closed a number of connections before the response was
  /// complete.
  func waitForClosed(_ count: Int) -> (requests: Int, closed: Int) {
    let numbers = ask("closed \(count)").split(separator: " ").compactMap { Int($0) }
    return numbers.count == 2 ? (numbers[0], numbers[1]) : (-1, -1)
  }

  func stop() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  private func ask(_ line: String) -> String {
    input.fileHandleForWriting.write(Data("\(line)\n".utf8))
    var answer: [UInt8] = []
    var byte: UInt8 = 0
    while read(output.fileHandleForReading.fileDescriptor, &byte, 1) == 1, byte != UInt8(ascii: "\n") {
      answer.append(byte)
    }
    return String(decoding: answer, as: UTF8.self)
  }

  // MARK: In the process

  /// The same response, fresh for longer than the test runs.
  private static func storable(_ response: NukeOrigin.Response) -> NukeOrigin.Response {
    var response = response
    response.headers.append(("Cache-Control", "max-age=3600"))
    return response
  }

  static func serve() async throws {
    var origin: NukeOrigin?
    while let line = readLine() {
      let words = line.split(separator: " ").map(String.init)
      let count = Int(words.last ?? "") ?? 0
      let answer: String
      switch words.first {
      case "start":
        // On the same port, because some loaders store information about each origin for as long as they exist.
        let port = origin?.port ?? 0
        origin?.stop()
        let isRandom = words.last == Behavior.random.rawValue
        let new = try NukeOrigin(port: port) { request in
          isRandom
            ? storable(RandomBehavior.response(to: request))
            : .data(Data(count: 1000)).scripted(.head, .bytes(10), .stall)
        }
        origin = new
        answer = "\(new.port)"
      case "requests":
        answer = "\(try await origin?.waitUntil { $0.requests.count >= count }.requests.count ?? 0)"
      default:
        let log = try await origin?.waitUntil { $0.connectionsOpen == 0 && $0.closedEarly >= count }
        answer = "\(log?.requests.count ?? 0) \(log?.closedEarly ?? 0)"
      }
      FileHandle.standardOutput.write(Data("\(answer)\n".utf8))
    }
    origin?.stop()
  }
}
