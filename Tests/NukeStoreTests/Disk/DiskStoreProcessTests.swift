import Foundation
import Nuke
import NukeDiskWriter
import NukeTesting
import Testing

@Suite struct DiskStoreProcessTests {
  /// Runs in the suite; `NUKE_KILLS=500` for more.
  static let kills = ProcessInfo.processInfo.environment["NUKE_KILLS"].flatMap { Int($0) } ?? 40

  /// A writer that runs until it is killed, and what it says it has flushed.
  struct Writer {
    let process = Process()
    private let output = Pipe()

    init(_ folder: DiskFolder, seed: Int, limit: Int) throws {
      process.executableURL = DiskWriter.executable
      process.arguments = [folder.path, "\(seed)", "\(limit)"]
      process.standardOutput = output
      try process.run()
    }

    /// Lets it flush `count` times, then kills it in the middle of what it does after `looks` looks into its folder.
    ///
    /// - Returns: the last flushed version of each key.
    func kill(after count: Int, looks: Int, into folder: DiskFolder) throws -> [Int: Int] {
      var text = Data()
      for _ in 0..<count { text += output.fileHandleForReading.availableData }
      // Any moment will do: nothing is waited for.
      for _ in 0..<looks { _ = folder.allocated }
      Foundation.kill(process.processIdentifier, SIGKILL)
      text += try output.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      var versions: [Int: Int] = [:]
      // A line that is cut off was not said.
      for line in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast() {
        let numbers = String(decoding: line, as: UTF8.self).split(separator: " ").compactMap { Int($0) }
        if numbers.count == 2 { versions[numbers[0]] = max(versions[numbers[0]] ?? 0, numbers[1]) }
      }
      return versions
    }
  }

  @Test("A killed writer loses nothing that was flushed, and no reader ever reads wrong data")
  func survivesKills() throws {
    var random = SeededGenerator(seed: UInt64(Self.kills))
    for run in 0..<Self.kills {
      let folder = DiskFolder()
      let isTight = run % 2 == 1
      let limit = isTight ? 60 * 4096 : 64 << 20
      let writer = try Writer(folder, seed: run, limit: limit)
      let isDone = Lock(false)
      let finished = DispatchSemaphore(value: 0)
      // A reader beside it, from before the kill until after.
      Thread.detachNewThread {
        defer { finished.signal() }
        guard let store = try? folder.store(limit: limit) else { return }
        var key = run
        while !isDone.withLock({ $0 }) {
          key = (key + 7) % 60
          guard let data = store.data(for: "\(key)") else { continue }
          #expect(WrittenBody.version(of: data, key: key) != nil, "run \(run), key \(key), beside the writer")
        }
      }
      let flushed = try writer.kill(
        after: .random(in: 1...6, using: &random), looks: .random(in: 0...12, using: &random), into: folder)
      #expect(folder.allocated <= limit, "run \(run)")
      // One that only reads, then one that puts the files in order first.
      for isOrdering in [false, true] {
        let store = try folder.store(limit: limit)
        if isOrdering { store.prepare() }
        for key in 0..<60 {
          guard let data = store.data(for: "\(key)") else {
            #expect(isTight || flushed[key] == nil, "run \(run), key \(key) is lost")
            continue
          }
          let version = WrittenBody.version(of: data, key: key)
          #expect(version != nil, "run \(run), key \(key)")
          #expect(version ?? 0 >= flushed[key] ?? 0, "run \(run), key \(key) is old")
        }
        guard isOrdering else { continue }
        #expect(store.totals.allocated == folder.entriesAllocated, "run \(run)")
        #expect(folder.entryFiles.count == 2 * store.totals.count, "run \(run)")
      }
      isDone.withLock { $0 = true }
      finished.wait()
    }
  }

  @Test("Two processes that write to one folder keep the limit and agree on the entries")
  func sharesFolder() throws {
    let folder = DiskFolder()
    let limit = 100 * 4096
    let writers = try (0..<2).map { try Writer(folder, seed: $0, limit: limit) }
    let store = try folder.store(limit: limit)
    for round in 0..<300 {
      let key = round % 60
      if let data = store.data(for: "\(key)") {
        #expect(WrittenBody.version(of: data, key: key) != nil, "key \(key)")
      }
      if round % 20 == 0 { store.put(WrittenBody.make(key: key, version: 1_000_000, length: 3000), "\(key)") }
    }
    for writer in writers { _ = try writer.kill(after: 3, looks: 0, into: folder) }
    store.prepare()
    #expect(folder.allocated <= limit)
    #expect(store.totals.allocated == folder.allocated)
    #expect(try folder.store(limit: limit).totals == store.totals)
  }

  @Test("A process with a file size limit stores small entries, and is not killed")
  func keepsWithinFileLimit() throws {
    let folder = DiskFolder()
    let process = Process()
    let output = Pipe()
    process.executableURL = DiskWriter.executable
    // Above what the journal itself takes.
    process.arguments = [folder.path, "0", "100000000", "1000000"]
    process.standardOutput = output
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 0)
    #expect(String(decoding: text, as: UTF8.self) == "500000 -1 1\n")
  }
}
