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
    .compactMap { Int($0.text) }.filter { $0 > 0 }.min()
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
    var quotas = ControlGroup.limits(named: "cpu.max", version1: nil, file: file).compactMap { found -> Double? in
      let parts = found.text.split(separator: " ").compactMap { Double($0) }
      return parts.count == 2 && parts[0] > 0 && parts[1] > 0 ? parts[0] / parts[1] : nil
    }
    // Both files stand in each group, so that the two lists go together.
    quotas += zip(
      ControlGroup.limits(named: nil, version1: ("cpu", "cpu.cfs_quota_us"), file: file),
      ControlGroup.limits(named: nil, version1: ("cpu", "cpu.cfs_period_us"), file: file)
    ).compactMap { quota, period in
      guard let quota = Double(quota.text), let period = Double(period.text), quota > 0, period > 0 else { return nil }
      return quota / period
    }
    guard let least = quotas.min() else { return max(1, online) }
    return max(1, min(online, Int(least.rounded(.up))))
  }
}

/// What the control groups above this process say.
enum ControlGroup {
  enum Version: Sendable {
    case one
    case two
  }

  /// A file of a group: the group's folder, and the trimmed text.
  struct Found {
    let folder: String
    let version: Version
    let text: String
  }

  /// The limit's file in this process's group and in each group above it.
  ///
  /// - Parameters:
  ///   - name: the file in version 2, whose line in `/proc/self/cgroup` begins with `0::`.
  ///   - version1: the controller and the file in version 1.
  static func limits(
    named name: String?, version1: (controller: String, name: String)?, file: (String) -> String?
  ) -> [Found] {
    var found: [Found] = []
    for line in lines(file) {
      if line.isVersion2, let name {
        found += climb(root: "/sys/fs/cgroup", from: line.path, name, .two, file)
      } else if let version1, line.controllers.contains(Substring(version1.controller)) {
        found += climb(root: "/sys/fs/cgroup/\(version1.controller)", from: line.path, version1.name, .one, file)
      }
    }
    return found
  }

  /// Where the files of this process's own group may stand, in version 2: alone, or beside version 1. The root, which
  /// stands for the machine, is none; a container's own group, which looks like it, has a type.
  static func folders(file: (String) -> String?) -> [String] {
    guard let line = lines(file).first(where: \.isVersion2) else { return [] }
    return ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"].compactMap { root in
      guard line.path == "/" else { return root + line.path }
      return file("\(root)/cgroup.type") == nil ? nil : root
    }
  }

  private struct Line {
    let isVersion2: Bool
    let controllers: [Substring]
    let path: Substring
  }

  private static func lines(_ file: (String) -> String?) -> [Line] {
    (file("/proc/self/cgroup") ?? "").split(separator: "\n").compactMap { line in
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else { return nil }
      return Line(
        isVersion2: parts[0] == "0" && parts[1].isEmpty, controllers: parts[1].split(separator: ","), path: parts[2])
    }
  }

  private static func climb(
    root: String, from path: Substring, _ name: String, _ version: Version, _ file: (String) -> String?
  ) -> [Found] {
    var components = path.split(separator: "/")
    var found: [Found] = []
    while true {
      // Inside of a container the group's own path is often hidden, and its files stand at the root.
      let folder = ([Substring(root)] + components).joined(separator: "/")
      if let text = file("\(folder)/\(name)") {
        found.append(
          Found(folder: folder, version: version, text: text.trimmingCharacters(in: .whitespacesAndNewlines)))
      }
      if components.isEmpty { return found }
      components.removeLast()
    }
  }
}
