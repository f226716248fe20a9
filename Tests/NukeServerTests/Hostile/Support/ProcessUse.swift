#if Server
  import Foundation

  /// What this process takes of the machine. It means something where nothing else runs: in the process of an exit test.
  enum ProcessUse {
    /// Files and sockets that are open.
    static var descriptors: Int {
      (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    }

    /// The most bytes that were in memory since the last ``forgetPeak()``.
    static var peakMemory: Int { status("VmHWM:") }

    /// Bytes that are in memory.
    static var memory: Int { status("VmRSS:") }

    /// Counts the peak from what is in memory now: proc(5), clear_refs.
    static func forgetPeak() throws {
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: "/proc/self/clear_refs"))
      try file.write(contentsOf: Data("5".utf8))
      try file.close()
    }

    private static func status(_ name: String) -> Int {
      let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
      let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
      return (line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0) << 10
    }
  }

  /// Polls a condition, and returns `true` if it holds within `seconds`.
  ///
  /// Use it only for changes that no event announces:
  /// - The number of open descriptors. A client that does not read sees no end of its connection, and an origin that
  ///   has closed a connection does not see the server close its end.
  /// - Counters of a server that is assembled from its configuration, which offers no place for an observer. For the end
  ///   of all work, use ``WholeServer/becomesIdle()``.
  ///
  /// Sleeps between two checks, because tasks that only yield can starve tasks of lower priority.
  func becomesTrue(seconds: Double = 20, _ isMet: () -> Bool) async -> Bool {
    let end = ContinuousClock.now + .seconds(seconds)
    while !isMet() {
      if ContinuousClock.now > end { return false }
      try? await Task.sleep(for: .milliseconds(1))
    }
    return true
  }
#endif
