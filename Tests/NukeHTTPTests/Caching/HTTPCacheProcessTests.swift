import Foundation
import Nuke
import NukeDiskWriter
import NukeOrigin
import Testing

@Suite("An HTTP cache shared by two processes", .timeLimit(.minutes(2)))
struct HTTPCacheProcessTests {
  /// Serves bodies of thirty keys. A key has another version now and then; some are fresh for an hour, the others are to
  /// be asked for each time.
  private func origin() throws -> NukeOrigin {
    let requests = Lock<[Int: Int]>([:])
    return try NukeOrigin { request in
      let key = Int(request.path.dropFirst()) ?? 0
      let count = requests.withLock { requests in
        requests[key, default: 0] += 1
        return requests[key]!
      }
      let tag = "\"\(count / 3)\""
      let fields = [(name: "ETag", value: tag), ("Cache-Control", key % 2 == 0 ? "max-age=3600" : "no-cache")]
      if request.header("If-None-Match") == tag { return NukeOrigin.Response(status: 304, headers: fields) }
      // One in five is written while it comes.
      let length = key % 5 == 0 ? 300_000 : 2000 + 500 * key
      return NukeOrigin.Response(headers: fields, body: WrittenBody.make(key: key, version: count / 3, length: length))
    }
  }

  private final class Fetcher {
    let process = Process()
    private let output = Pipe()
    private var text = Data()

    init(_ folder: DiskFolder, _ origin: NukeOrigin, seed: Int) throws {
      process.executableURL = DiskWriter.executable
      process.arguments = ["fetch", folder.path, origin.url("").absoluteString, "\(seed)"]
      process.standardOutput = output
      try process.run()
    }

    /// Waits until it has said `count` lines more.
    func read(_ count: Int) {
      let end = lineCount + count
      while lineCount < end {
        let more = output.fileHandleForReading.availableData
        if more.isEmpty { return }
        text += more
      }
    }

    private var lineCount: Int { text.count { $0 == UInt8(ascii: "\n") } }

    /// - Returns: keys of which it got something else than a body of theirs, and how many it got.
    func kill() throws -> (wrong: [Int], count: Int) {
      Foundation.kill(process.processIdentifier, SIGKILL)
      text += try output.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast().map { line in
        String(decoding: line, as: UTF8.self).split(separator: " ").compactMap { Int($0) }
      }
      return (lines.filter { $0.count != 2 || $0[1] < 0 }.map { $0.first ?? -1 }, lines.count)
    }
  }

  @Test("Responses are correct while both processes read and write, when one is killed, and afterwards")
  func killed() async throws {
    for run in 0..<8 {
      let origin = try origin()
      defer { origin.stop() }
      let folder = DiskFolder()
      let killed = try Fetcher(folder, origin, seed: 2 * run)
      let other = try Fetcher(folder, origin, seed: 2 * run + 1)
      // Wherever it is then.
      killed.read(5 + 9 * run)
      let before = try killed.kill()
      other.read(60)
      let after = try other.kill()
      #expect(before.wrong.isEmpty && after.wrong.isEmpty, "run \(run)")
      #expect(before.count >= 5 && after.count >= 60, "run \(run)")

      let bench = try CacheBench(folder: folder, clock: CacheClock(seconds: Int64(Date().timeIntervalSince1970)))
      for key in 0..<30 {
        let state = await bench.load(origin.url("/\(key)"))
        #expect(WrittenBody.version(of: state.body, key: key) != nil, "run \(run), key \(key)")
      }
      bench.cache.flush()
      #expect(bench.cache.currentDiskUsage == folder.entriesAllocated, "run \(run)")
      #expect(folder.entryFiles.count % 2 == 0, "Each body has its metadata, run \(run)")
    }
  }
}
