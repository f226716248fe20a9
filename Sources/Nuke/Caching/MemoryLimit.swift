import Foundation
import NukeBase

/// The memory that this process may use.
package enum MemoryLimit {
  /// The limit in bytes: that of the control group (version 2, then version 1) if it is below the machine's memory,
  /// otherwise the machine's memory.
  package static let bytes: Int = read(
    physicalMemory: Int(clamping: ProcessInfo.processInfo.physicalMemory),
    file: { try? String(contentsOfFile: $0, encoding: .utf8) })

  /// Determines the limit from the given files and memory size.
  package static func read(physicalMemory: Int, file: (String) -> String?) -> Int {
    let limit = ControlGroup.limits(
      named: "memory.max", version1: (controller: "memory", name: "memory.limit_in_bytes"), file: file
    )
    .compactMap { Int($0.text) }.filter { $0 > 0 }.min()
    return min(limit ?? physicalMemory, physicalMemory)
  }
}
