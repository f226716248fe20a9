import Foundation

/// What the system says of processes.
enum Processes {
  /// Processes that this one has started.
  static var children: [pid_t] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { pid_t($0) }.filter { fields(of: $0).dropFirst().first == "\(getpid())" }
  }

  /// Seconds of this process and of others.
  static func processorTime(with others: [pid_t]) -> Double {
    let ticks = others.reduce(0) { sum, id in
      sum + fields(of: id).dropFirst(11).prefix(2).reduce(0) { $0 + (Int($1) ?? 0) }
    }
    var own = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &own)
    return Double(own.tv_sec) + Double(own.tv_nsec) / 1e9 + Double(ticks) / Double(sysconf(CInt(_SC_CLK_TCK)))
  }

  /// Megabytes that they take, what is shared by parts.
  static func memory(of processes: [pid_t]) -> Double {
    let texts = processes.compactMap { try? String(contentsOfFile: "/proc/\($0)/smaps_rollup", encoding: .utf8) }
    let kilobytes = texts.compactMap { text in
      text.split(separator: "\n").first { $0.hasPrefix("Pss:") }?.split(separator: " ").dropFirst().first.flatMap {
        Double($0)
      }
    }
    return kilobytes.reduce(0, +) / 1024 / Double(max(processes.count, 1))
  }

  /// Of `/proc/…/stat`, from the state on.
  private static func fields(of id: pid_t) -> [Substring] {
    let text = (try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)) ?? ""
    guard let end = text.lastIndex(of: ")") else { return [] }
    return Array(text[text.index(after: end)...].split(separator: " "))
  }
}

enum Clock {
  /// Seconds since some moment.
  static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
