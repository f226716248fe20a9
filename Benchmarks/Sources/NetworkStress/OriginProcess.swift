import Foundation
import NukeOrigin

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A server in a process of its own, so that its memory and its descriptors are not counted as the loader's.
///
/// It is this program, told by lines what to do, which it answers by a line each.
final class OriginProcess {
  enum Behavior: String {
    case random
    /// A little of a body, and nothing further.
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

  /// Ends the server there is, and starts another.
  ///
  /// - Returns: its URL.
  func start(_ behavior: Behavior) -> URL { URL(string: "http://127.0.0.1:\(ask("start \(behavior)"))")! }

  /// Returns once so many requests have come.
  func waitForRequests(_ count: Int) { _ = ask("requests \(count)") }

  /// Returns once no connection is open, and clients have closed so many before the answer was complete.
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

  /// The same, fresh for longer than anything here takes.
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
        // At the same place: some loaders keep what they know of each origin for as long as they live.
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
