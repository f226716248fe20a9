import Foundation
import Nuke
import NukeDiskWriter
import NukeOrigin
import NukeTesting
import Testing

/// Real processes, which load the same images with one folder on disk.
@Suite("Processes that share a disk cache folder", .timeLimit(.minutes(1)))
struct SharedFolderProcessTests {
  private let folder = DiskFolder()
  private static let image = SampleImage.png(width: 20, height: 10)

  /// A `NukeDiskWriter` that loads.
  private final class Loader: Sendable {
    private let process = Process()
    /// What it says, a line each, and "end".
    let log = CallLog()

    init(_ folder: DiskFolder, _ origin: NukeOrigin, count: Int, timeout: TimeInterval = 60) throws {
      process.executableURL = DiskWriter.executable
      process.arguments = ["load", folder.path, origin.url("/image").absoluteString, "\(count)", "\(timeout)"]
      let output = Pipe()
      process.standardOutput = output
      try process.run()
      Thread.detachNewThread { [log] in
        var rest = Data()
        while case let data = output.fileHandleForReading.availableData, !data.isEmpty {
          rest += data
          var lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
          rest = Data(lines.removeLast())
          for line in lines { log.append(String(decoding: line, as: UTF8.self)) }
        }
        log.append("end")
      }
    }

    func send(_ signal: CInt) {
      if process.isRunning { kill(process.processIdentifier, signal) }
    }

    /// What it has said by its end.
    ///
    /// - Parameter count: how many lines there will be at least.
    func end(after count: Int) async -> [String] {
      var count = count
      while true {
        let entries = await log.entries(count: count)
        if entries.last == "end" || Task.isCancelled { return entries }
        count = entries.count + 1
      }
    }

    deinit { send(SIGKILL) }
  }

  @Test("Each image is downloaded and processed once, and all processes get all images")
  func once() async throws {
    let gate = ScriptGate()
    let origin = try NukeOrigin { _ in .data(Self.image, type: "image/png").held(by: gate) }
    defer { origin.stop() }
    let loaders = try (0..<4).map { _ in try Loader(folder, origin, count: 20) }
    for loader in loaders { await loader.log.entries(count: 1) }
    gate.open()
    var lines: [String] = []
    for loader in loaders {
      let said = await loader.end(after: 21)
      #expect(said.count { $0.hasPrefix("loaded 20 ") } == 20)
      lines += said
    }
    #expect(origin.log.requests.count == 20)
    #expect(Set(origin.log.requests.map(\.path)).count == 20)
    #expect(lines.count { $0 == "processed" } == 20)
    #expect(lines.count { $0 == "loaded 20 network" } == 20)
    #expect(lines.count { $0 == "loaded 20 disk" } == 60)
  }

  /// An origin that holds its first answer back, all of it or what comes after some bytes.
  private func origin(_ gate: ScriptGate, after count: Int?) throws -> NukeOrigin {
    let body = Self.image + Data(count: 1_000_000)
    let calls = CallCounter()
    return try NukeOrigin { request in
      let response = NukeOrigin.Response.ranged(body, type: "image/png", etag: "\"a\"", for: request)
      guard calls.next() == 1 else { return response }
      return count.map { response.scripted(.head, .bytes($0), .wait(gate), .rest) } ?? response.held(by: gate)
    }
  }

  @Test("If a process is killed during a download, another takes over")
  func killed() async throws {
    let gate = ScriptGate()
    let origin = try origin(gate, after: 600_000)
    defer { origin.stop() }
    let first = try Loader(folder, origin, count: 1)
    try await origin.waitUntil { $0.bytesSent > 600_000 }
    let others = try (0..<2).map { _ in try Loader(folder, origin, count: 1) }
    for other in others {
      await other.log.entries(count: 2)
      #expect(Set(other.log.entries) == ["started", "waits"])
    }
    #expect(origin.log.requests.count == 1)
    first.send(SIGKILL)
    var lines: [String] = []
    for other in others { lines += await other.end(after: 3) }
    #expect(lines.count { $0.hasPrefix("loaded 20 ") } == 2)
    #expect(lines.count { $0 == "processed" } == 1)
    #expect(origin.log.requests.count == 2)
    gate.open()
  }

  @Test("If a process is stopped, others continue after a while, and it finishes too")
  func stopped() async throws {
    let gate = ScriptGate()
    let origin = try origin(gate, after: nil)
    defer { origin.stop() }
    let first = try Loader(folder, origin, count: 1)
    // It has nothing of the disk locked.
    try await origin.waitUntil { $0.requests.count == 1 }
    first.send(SIGSTOP)
    let second = try Loader(folder, origin, count: 1, timeout: 0.25)
    #expect(await second.end(after: 5) == ["started", "waits", "processed", "loaded 20 network", "end"])
    #expect(origin.log.requests.count == 2)
    gate.open()
    first.send(SIGCONT)
    #expect(await first.end(after: 4) == ["started", "processed", "loaded 20 network", "end"])
    let third = try Loader(folder, origin, count: 1)
    #expect(await third.end(after: 3) == ["started", "loaded 20 disk", "end"])
  }
}
