import DiskFloors
import Foundation
import Measuring
import Nuke

/// The cost of small writes, under new names and under existing names, compared with C code that writes one file for
/// each.
struct WriteRow {
  let name: String
  /// The number of operations in a round.
  let count: Int
  /// The row to compare this one with, and the goal as a multiple of its time.
  var floor: (name: String, multiple: Double)?
  /// Prepares the measurement in a separate folder.
  let make: (_ folder: URL) throws -> (_ round: Int) -> Void

  static var all: [WriteRow] {
    floors + [
      WriteRow(name: "store, no flush", count: 1000) { folder in
        let (cache, data) = (try DataCache(path: folder), Data(repeating: 1, count: 1024))
        let keys = (0..<1000).map { "https://example.com/pictures/\($0).jpeg" }
        return { _ in for key in keys { cache.storeData(data, for: key) } }
      },
      store("store new keys, a flush each", 1024, count: 1000, floor: ("C: new files", 1.25), isFlushingEach: true),
      store("store 1,000 new keys, one flush", 1024, count: 1000, floor: ("C: new files", 1.25)),
      store(
        "rewrite 100 keys, a flush each", 1024, count: 200, keys: 100, floor: ("C: 100 files, written over", 1),
        isFlushingEach: true),
      store("rewrite 1,000 keys, one flush", 1024, count: 1000, keys: 1000, floor: ("C: 100 files, written over", 1)),
      store(
        "rewrite 100 keys of 256 KiB, a flush each", 256 << 10, count: 200, keys: 100,
        floor: ("C: 100 files of 256 KiB, written over", 1), isFlushingEach: true),
      // The last row, since it removes files.
      store(
        "store 1,000 new keys at the limit, one flush", 1024, count: 1000, entryLimit: 1500,
        floor: ("C: new files", 1.25)),
    ]
  }

  private static var floors: [WriteRow] {
    [
      floor("C: new files", count: 1000, disk_floor_replace),
      floor("C: 100 files, replaced", count: 1000, keys: 100, disk_floor_replace),
      floor("C: 100 files, written over", count: 1000, keys: 100, disk_floor_overwrite),
      floor("C: 100 files of 256 KiB, written over", 256 << 10, count: 200, keys: 100, disk_floor_overwrite),
    ]
  }

  /// - Parameters:
  ///   - keys: the number of keys, which are rewritten in turn; `nil` for a new key in each write.
  ///   - entryLimit: the number of entries for which the cache has room, of up to 4 KiB each.
  private static func store(
    _ name: String, _ length: Int, count: Int, keys: Int? = nil, entryLimit: Int? = nil, floor: (String, Double),
    isFlushingEach: Bool = false
  ) -> WriteRow {
    WriteRow(name: name, count: count, floor: floor) { folder in
      let (cache, data) = (try DataCache(path: folder), Data(repeating: 1, count: length))
      if let entryLimit { cache.sizeLimit = entryLimit * 8192 }
      cache.flush()
      return { round in
        for index in 0..<count {
          let key = "https://example.com/pictures/\(keys.map { index % $0 } ?? round * count + index).jpeg"
          cache.storeData(data, for: key)
          if isFlushingEach { cache.flush() }
        }
        if !isFlushingEach { cache.flush() }
      }
    }
  }

  private static func floor(
    _ name: String, _ length: Int = 1024, count: Int, keys: Int? = nil,
    _ write: @escaping (UnsafePointer<CChar>?, UnsafePointer<UInt64>?, CInt, Int) -> CInt
  ) -> WriteRow {
    WriteRow(name: name, count: count) { folder in
      { round in
        let keys = (0..<count).map { index in
          // SplitMix's constant: spreads the names over all folders.
          UInt64(keys.map { index % $0 } ?? round * count + index + 1) &* 0x9e37_79b9_7f4a_7c15
        }
        precondition(write(folder.path, keys, CInt(count), length) == 0)
      }
    }
  }
}

extension WriteRow {
  /// Measures all rows in each round, because the state of the file system changes within minutes.
  ///
  /// - Parameter folder: creates a folder with the given name.
  static func measure(_ rows: [WriteRow] = all, rounds: Int = 9, folder: (String) throws -> URL) throws {
    let works = try rows.enumerated().map { index, row in try row.make(folder("write-\(index)")) }
    var samples = [[(cpu: Double, wall: Double)]](repeating: [], count: rows.count)
    for round in 0...rounds {
      for (index, row) in rows.enumerated() {
        let start = (processorTime(), DispatchTime.now().uptimeNanoseconds)
        works[index](round)
        let wall = Double(DispatchTime.now().uptimeNanoseconds - start.1) / 1e3
        // The first round creates files and folders.
        if round > 0 {
          samples[index].append(((processorTime() - start.0) * 1e6 / Double(row.count), wall / Double(row.count)))
        }
      }
    }
    var measured: [String: Sample] = [:]
    for (index, row) in rows.enumerated() {
      let (cpu, wall) = (samples[index].map(\.cpu).sorted(), samples[index].map(\.wall).sorted())
      let goal = row.floor.flatMap { floor in measured[floor.name].map { Sample.Goal(floor.multiple, times: $0) } }
      var sample = Sample(name: row.name, median: cpu[cpu.count / 2], least: cpu[0], goal: goal)
      sample.note = String(format: "wall %.1f", wall[wall.count / 2])
      measured[row.name] = sample
      print(sample.line)
    }
  }

  /// Prints the number of system calls of an operation, of all threads, as counted by strace.
  ///
  /// This runs separately from the time measurement, because it removes many files. ext4 without a journal then
  /// searches long for free inodes during the next minutes.
  static func countCalls(folder: (String) throws -> URL) throws {
    for row in all {
      // Both counts include the start and the end of the process.
      let counts = try [2, 4].map { rounds in
        let output = try folder("calls-\(UUID().uuidString)").appendingPathComponent("counts")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/strace")
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        process.arguments = ["-f", "-qq", "-c", "-o", output.path, program, "--repeat", row.name, "\(rounds)"]
        try process.run()
        process.waitUntilExit()
        let total = try String(contentsOf: output, encoding: .utf8).split(separator: "\n").last ?? ""
        return total.split(separator: " ").dropFirst(3).first.flatMap { Int($0) } ?? 0
      }
      print(row.name, String(format: "%.1f system calls", Double(counts[1] - counts[0]) / Double(2 * row.count)))
    }
  }

  /// Runs only one row, a number of times, for strace or a profiler.
  static func `repeat`(_ name: String, rounds: Int, in folder: URL) throws {
    guard let row = all.first(where: { $0.name == name }) else {
      print("There is no row \"\(name)\". Rows: \(all.map(\.name).joined(separator: "; "))")
      return
    }
    let work = try row.make(folder)
    for round in 0..<rounds { work(round) }
  }
}
