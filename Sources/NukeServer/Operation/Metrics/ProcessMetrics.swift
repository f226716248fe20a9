#if Server
  import Foundation

  /// The process's use of resources, from `/proc`.
  struct ProcessMetrics: Sendable {
    /// Returns the text of a file in `/proc/self`; `nil` if the file cannot be read.
    private let read: @Sendable (String) -> String?
    /// Returns the number of open files.
    private let countOpenFiles: @Sendable () -> Int?
    private let ticksPerSecond: Double
    private let pageSize: Double

    init() {
      self.init(
        read: { try? String(contentsOfFile: "/proc/self/" + $0, encoding: .utf8) },
        // The folder itself is open while it is read.
        countOpenFiles: {
          (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")).map { $0.count - 1 }
        },
        ticksPerSecond: Double(sysconf(Int32(_SC_CLK_TCK))), pageSize: Double(sysconf(Int32(_SC_PAGESIZE))))
    }

    init(
      read: @escaping @Sendable (String) -> String?, countOpenFiles: @escaping @Sendable () -> Int?,
      ticksPerSecond: Double, pageSize: Double
    ) {
      self.read = read
      self.countOpenFiles = countOpenFiles
      self.ticksPerSecond = ticksPerSecond
      self.pageSize = pageSize
    }

    func collect() -> [CollectedMetric] {
      var metrics: [CollectedMetric] = []
      if let stat = statFields {
        metrics += [
          CollectedMetric(
            "process_cpu_seconds_total", .counter, "CPU time of the process in seconds.",
            (stat[11] + stat[12]) / ticksPerSecond),
          CollectedMetric("process_threads", .gauge, "Threads of the process.", stat[17]),
          CollectedMetric("process_virtual_memory_bytes", .gauge, "Virtual memory in bytes.", stat[20]),
          CollectedMetric(
            "process_resident_memory_bytes", .gauge, "Resident memory in bytes.", stat[21] * pageSize),
        ]
      }
      if let stat = statFields, let bootTime {
        metrics.append(
          CollectedMetric(
            "process_start_time_seconds", .gauge, "Start of the process, in seconds since 1970.",
            bootTime + stat[19] / ticksPerSecond))
      }
      if let count = countOpenFiles() {
        metrics.append(CollectedMetric("process_open_fds", .gauge, "Open file descriptors.", Double(count)))
      }
      if let limit = openFileLimit {
        metrics.append(CollectedMetric("process_max_fds", .gauge, "Maximum number of open file descriptors.", limit))
      }
      return metrics
    }

    /// The fields of `/proc/self/stat` after the process's name and state, starting with the parent's ID; see proc(5).
    /// The name may contain any character.
    private var statFields: [Double]? {
      guard let text = read("stat"), let end = text.lastIndex(of: ")") else { return nil }
      let fields = text[text.index(after: end)...].split(whereSeparator: \.isWhitespace).map { Double($0) ?? 0 }
      return fields.count > 21 ? fields : nil
    }

    /// The time at which the machine was started, in seconds since 1970.
    private var bootTime: Double? {
      let line = read("../stat")?.split(separator: "\n").first { $0.hasPrefix("btime ") }
      return line.flatMap { Double($0.dropFirst(6)) }
    }

    var openFileLimit: Double? {
      let line = read("limits")?.split(separator: "\n").first { $0.hasPrefix("Max open files") }
      return line?.split(whereSeparator: \.isWhitespace).dropFirst(3).first.flatMap { Double($0) }
    }
  }
#endif
