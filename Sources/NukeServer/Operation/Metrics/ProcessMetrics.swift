#if Server
  import Foundation

  /// The process's use of resources, from `/proc`.
  struct ProcessMetrics: Sendable {
    /// A file of `/proc/self` as text; `nil` if there is none.
    private let read: @Sendable (String) -> String?
    /// Returns the number of open files.
    private let countOpenFiles: @Sendable () -> Int?
    private let ticksPerSecond: Double
    private let pageSize: Double

    init() {
      self.init(
        read: { try? String(contentsOfFile: "/proc/self/" + $0, encoding: .utf8) },
        // The folder is open while it is read.
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
            "process_cpu_seconds_total", .counter, "Seconds of the processors that the process has used.",
            (stat[11] + stat[12]) / ticksPerSecond),
          CollectedMetric("process_threads", .gauge, "Threads that the process has.", stat[17]),
          CollectedMetric("process_virtual_memory_bytes", .gauge, "Bytes of addresses that are taken.", stat[20]),
          CollectedMetric(
            "process_resident_memory_bytes", .gauge, "Bytes of memory that are in use.", stat[21] * pageSize),
        ]
      }
      if let count = countOpenFiles() {
        metrics.append(CollectedMetric("process_open_fds", .gauge, "Files and sockets that are open.", Double(count)))
      }
      if let limit = openFileLimit {
        metrics.append(CollectedMetric("process_max_fds", .gauge, "Files and sockets that may be open.", limit))
      }
      return metrics
    }

    /// The numbers behind the process's name and state, from the parent's on: proc(5). The name may hold anything.
    private var statFields: [Double]? {
      guard let text = read("stat"), let end = text.lastIndex(of: ")") else { return nil }
      let fields = text[text.index(after: end)...].split(whereSeparator: \.isWhitespace).map { Double($0) ?? 0 }
      return fields.count > 21 ? fields : nil
    }

    var openFileLimit: Double? {
      let line = read("limits")?.split(separator: "\n").first { $0.hasPrefix("Max open files") }
      return line?.split(whereSeparator: \.isWhitespace).dropFirst(3).first.flatMap { Double($0) }
    }
  }
#endif
