import Foundation

/// Statistics of processes.
enum Processes {
  /// The processes that this process has started.
  static var children: [pid_t] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { pid_t($0) }.filter { fields(of: $0).dropFirst().first == "\(getpid())" }
  }

  /// The CPU time of this process and of others, in seconds.
  static func processorTime(with others: [pid_t]) -> Double {
    let ticks = others.reduce(0) { sum, id in
      sum + fields(of: id).dropFirst(11).prefix(2).reduce(0) { $0 + (Int($1) ?? 0) }
    }
    var own = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &own)
    return Double(own.tv_sec) + Double(own.tv_nsec) / 1e9 + Double(ticks) / Double(sysconf(CInt(_SC_CLK_TCK)))
  }

  /// The memory of processes in megabytes, with a proportional part of shared memory (PSS).
  static func memory(of processes: [pid_t]) -> Double {
    let texts = processes.compactMap { try? String(contentsOfFile: "/proc/\($0)/smaps_rollup", encoding: .utf8) }
    let kilobytes = texts.compactMap { text in
      text.split(separator: "\n").first { $0.hasPrefix("Pss:") }?.split(separator: " ").dropFirst().first.flatMap {
        Double($0)
      }
    }
    return kilobytes.reduce(0, +) / 1024 / Double(max(processes.count, 1))
  }

  /// The fields of `/proc/…/stat`, beginning with the state.
  private static func fields(of id: pid_t) -> [Substring] {
    let text = (try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)) ?? ""
    guard let end = text.lastIndex(of: ")") else { return [] }
    return Array(text[text.index(after: end)...].split(separator: " "))
  }
}

enum Clock {
  /// A monotonic time in seconds.
  static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
