import NukeBase

/// The control group with the lowest memory limit that applies to this process.
struct GroupMemory: Equatable, Sendable {
  let folder: String
  /// The limit in bytes.
  let limit: Int
  let version: ControlGroup.Version

  /// Returns the group; `nil` if no group has a limit below the machine's memory.
  static func tightest(physicalMemory: Int, file: (String) -> String?) -> GroupMemory? {
    let limits = ["memory.max", "memory.high"].flatMap {
      ControlGroup.limits(
        named: $0, version1: $0 == "memory.max" ? ("memory", "memory.limit_in_bytes") : nil, file: file)
    }
    return limits.compactMap { found -> GroupMemory? in
      guard let bytes = Int(found.text), bytes > 0, bytes < physicalMemory else { return nil }
      return GroupMemory(folder: found.folder, limit: bytes, version: found.version)
    }
    .min { $0.limit < $1.limit }
  }

  /// Returns the pressure level of the control group, from the memory that the kernel cannot reclaim from its file
  /// cache. Returns `nil` if there is no pressure.
  func level(file: (String) -> String?) -> MemoryPressure.Level? {
    guard let text = file("\(folder)/memory.stat") else { return nil }
    let wanted = version == .two ? ["anon", "shmem"] : ["total_rss", "total_shmem"]
    var bytes = 0
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: " ")
      guard parts.count == 2, wanted.contains(String(parts[0])), let value = Int(parts[1]), value > 0 else { continue }
      bytes = bytes.addingReportingOverflow(value).partialValue
    }
    switch Double(bytes) / Double(limit) {
    case 0.9...: return .critical
    case 0.8...: return .moderate
    default: return nil
    }
  }
}
