import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// How much memory this process may use.
package enum MemoryLimit {
  /// Bytes: the limit of the control group (version 2, then version 1) where it is below the machine's memory, else
  /// the machine's memory.
  static let bytes: Int = read(
    physicalMemory: Int(clamping: ProcessInfo.processInfo.physicalMemory),
    file: { try? String(contentsOfFile: $0, encoding: .utf8) })

  /// The same with the system's answers handed in.
  package static func read(physicalMemory: Int, file: (String) -> String?) -> Int {
    let limit = ControlGroup.limits(
      named: "memory.max", version1: (controller: "memory", name: "memory.limit_in_bytes"), file: file
    )
    .compactMap { Int($0) }.filter { $0 > 0 }.min()
    return min(limit ?? physicalMemory, physicalMemory)
  }
}

/// How many processors this process may use.
package enum ProcessorCount {
  /// The control group's quota in whole processors where there is one, at least 1, else those that are online.
  package static let available: Int = read(
    online: ProcessInfo.processInfo.activeProcessorCount,
    file: { try? String(contentsOfFile: $0, encoding: .utf8) })

  package static func read(online: Int, file: (String) -> String?) -> Int {
    var quotas = ControlGroup.limits(named: "cpu.max", version1: nil, file: file).compactMap { line -> Double? in
      let parts = line.split(separator: " ").compactMap { Double($0) }
      return parts.count == 2 && parts[0] > 0 && parts[1] > 0 ? parts[0] / parts[1] : nil
    }
    // Both files stand in each group, so that the two lists go together.
    quotas += zip(
      ControlGroup.limits(named: nil, version1: ("cpu", "cpu.cfs_quota_us"), file: file),
      ControlGroup.limits(named: nil, version1: ("cpu", "cpu.cfs_period_us"), file: file)
    ).compactMap { quota, period in
      guard let quota = Double(quota), let period = Double(period), quota > 0, period > 0 else { return nil }
      return quota / period
    }
    guard let least = quotas.min() else { return max(1, online) }
    return max(1, min(online, Int(least.rounded(.up))))
  }
}

/// What the control groups above this process say.
private enum ControlGroup {
  /// The trimmed contents of the limit's file in this process's group and in each group above it.
  ///
  /// - Parameters:
  ///   - name: the file in version 2, whose line in `/proc/self/cgroup` begins with `0::`.
  ///   - version1: the controller and the file in version 1.
  static func limits(
    named name: String?, version1: (controller: String, name: String)?, file: (String) -> String?
  ) -> [String] {
    var found: [String] = []
    for line in (file("/proc/self/cgroup") ?? "").split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else { continue }
      if parts[0] == "0", parts[1].isEmpty, let name {
        found += climb(root: "/sys/fs/cgroup", from: parts[2], name, file)
      } else if let version1, parts[1].split(separator: ",").contains(Substring(version1.controller)) {
        found += climb(root: "/sys/fs/cgroup/\(version1.controller)", from: parts[2], version1.name, file)
      }
    }
    return found
  }

  private static func climb(
    root: String, from path: Substring, _ name: String, _ file: (String) -> String?
  ) -> [String] {
    var components = path.split(separator: "/")
    var found: [String] = []
    while true {
      // Inside of a container the group's own path is often hidden, and its files stand at the root.
      let folder = ([Substring(root)] + components).joined(separator: "/")
      if let text = file("\(folder)/\(name)") { found.append(text.trimmingCharacters(in: .whitespacesAndNewlines)) }
      if components.isEmpty { return found }
      components.removeLast()
    }
  }
}
