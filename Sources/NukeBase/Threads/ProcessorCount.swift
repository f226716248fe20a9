import Foundation

/// The number of processors that this process may use.
package enum ProcessorCount {
  /// The control group's quota in whole processors, at least 1; without a quota, the number of online processors.
  package static let available: Int = read(
    online: ProcessInfo.processInfo.activeProcessorCount,
    file: { try? String(contentsOfFile: $0, encoding: .utf8) })

  package static func read(online: Int, file: (String) -> String?) -> Int {
    var quotas = ControlGroup.limits(named: "cpu.max", version1: nil, file: file).compactMap { found -> Double? in
      let parts = found.text.split(separator: " ").compactMap { Double($0) }
      return parts.count == 2 && parts[0] > 0 && parts[1] > 0 ? parts[0] / parts[1] : nil
    }
    // Both files exist in each group, so the two lists correspond.
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
