import Foundation
import NukeBase

/// Watches for memory pressure without waking up while there is none.
///
/// It uses the first available of these sources:
/// - stalls in the control group of this process (`memory.pressure` of version 2, which users may watch in their own
///   groups), and the events of the group with the lowest limit;
/// - if the group has a limit but stalls cannot be watched, as in most containers: its events (version 2), or polling
///   every five seconds;
/// - stalls of the whole machine (`/proc/pressure/memory`). These count only if the machine has little memory left,
///   because they may come from another group at its limit.
///
/// Without any of these sources, nothing is watched. Stalls are measured in windows of two seconds, which newer kernels
/// allow to all users and older ones only to root.
package struct MemoryWatch: Sendable {
  private enum Signal: Sendable {
    case groupStall(MemoryPressure.Level)
    case machineStall(MemoryPressure.Level)
    case groupEvent
  }

  /// The triggers to write into a file of pressure stall information (PSI). The kernel reports an event if some threads,
  /// or all of them, waited for memory for 200 ms within two seconds.
  private static let triggers: [(level: MemoryPressure.Level, text: String)] = [
    (.moderate, "some 200000 2000000"), (.critical, "full 200000 2000000"),
  ]
  /// The polling interval, in seconds.
  private static let interval = 5.0
  /// The time in seconds for which further events of the group are ignored.
  private static let pause = 1.0

  private let system: any MemoryWatchSystem
  private let group: GroupMemory?
  private var signals: [(descriptor: CInt, signal: Signal)] = []
  private var looksAtIntervals = false

  /// - Parameter physicalMemory: the memory of the machine, in bytes.
  package init(
    physicalMemory: Int = Int(clamping: ProcessInfo.processInfo.physicalMemory),
    system: any MemoryWatchSystem = LinuxMemoryWatchSystem()
  ) {
    self.system = system
    group = GroupMemory.tightest(physicalMemory: physicalMemory, file: system.contents)
    for folder in ControlGroup.folders(file: system.contents) where signals.isEmpty {
      watchStalls("\(folder)/memory.pressure") { .groupStall($0) }
    }
    if let group {
      if group.version == .two, let events = system.openEvents("\(group.folder)/memory.events") {
        signals.append((events, .groupEvent))
      } else {
        looksAtIntervals = signals.isEmpty
      }
    } else if signals.isEmpty {
      watchStalls("/proc/pressure/memory") { .machineStall($0) }
    }
  }

  private mutating func watchStalls(_ path: String, _ signal: (MemoryPressure.Level) -> Signal) {
    for trigger in Self.triggers {
      if let descriptor = system.openTrigger(path, trigger.text) {
        signals.append((descriptor, signal(trigger.level)))
      }
    }
  }

  /// `true` if there is a source to watch.
  package var isWorthwhile: Bool { !signals.isEmpty || looksAtIntervals }

  /// Blocks until a source reports memory pressure, or until the next poll if the limit of the group can only be
  /// polled.
  ///
  /// - Returns: the level of the pressure; `nil` if memory is not short, so that the caller waits again.
  package mutating func next() -> MemoryPressure.Level? {
    let woken = system.wait(for: signals.map(\.descriptor), seconds: looksAtIntervals ? Self.interval : nil)
    guard !woken.isEmpty else { return group?.level(file: system.contents) }
    var level: MemoryPressure.Level?
    var isEvent = false
    for (descriptor, signal) in signals where woken[descriptor] == .signalled {
      switch signal {
      case .groupStall(let stall): level = max(level ?? stall, stall)
      case .machineStall(let stall): if isMachineShort { level = max(level ?? stall, stall) }
      case .groupEvent:
        isEvent = true
        if let near = group?.level(file: system.contents) { level = max(level ?? near, near) }
      }
    }
    for (descriptor, _) in signals where woken[descriptor] == .gone { system.close(descriptor) }
    signals.removeAll { woken[$0.descriptor] == .gone }
    // A group that reads many files at its limit has events continuously.
    if isEvent { system.pause(seconds: Self.pause) }
    return level
  }

  /// `true` if less than a fifth of the machine's memory is available without swapping.
  private var isMachineShort: Bool {
    var values: [Substring: Double] = [:]
    for line in (system.contents("/proc/meminfo") ?? "").split(separator: "\n") {
      let parts = line.split(whereSeparator: { $0 == " " || $0 == ":" })
      if parts.count >= 2 { values[parts[0]] = Double(parts[1]) }
    }
    guard let total = values["MemTotal"], let available = values["MemAvailable"] else { return true }
    return available < total * 0.2
  }

  /// Starts a thread that watches for the lifetime of the process and sleeps while nothing happens. Starts none if
  /// there is nothing to watch.
  @Sendable package static func start(_ report: @escaping @Sendable (MemoryPressure.Level) -> Void) {
    let watch = MemoryWatch()
    guard watch.isWorthwhile else { return }
    _ = BackgroundThread.start(name: "nuke.memory", stackSize: 512 << 10) {
      var watch = watch
      while watch.isWorthwhile { if let level = watch.next() { report(level) } }
    }
  }
}
