import CNukeCurl
import Foundation

/// Watches whether memory runs short, without waking up while it does not.
///
/// It is told by the first of these that there is:
/// - stalls in the control group of this process (`memory.pressure` of version 2, which users may watch in groups that
///   are theirs), and the events of the group with the least limit;
/// - where the group has a limit but stalls cannot be watched, as in most containers: its events (version 2), else a
///   look every five seconds;
/// - stalls of the whole machine (`/proc/pressure/memory`), which count if the machine has indeed little memory left,
///   since they may be those of another group at its limit.
///
/// Where there is none of these nothing is watched. A stall is looked for in windows of two seconds, which newer
/// kernels allow to everybody and older ones to root.
package struct MemoryWatch: Sendable {
  private enum Signal: Sendable {
    case groupStall(MemoryPressure.Level)
    case machineStall(MemoryPressure.Level)
    case groupEvent
  }

  /// 200 ms of the window in which some thread waited for memory, or all did.
  private static let triggers: [(level: MemoryPressure.Level, text: String)] = [
    (.moderate, "some 200000 2000000"), (.critical, "full 200000 2000000"),
  ]
  /// Seconds between looks where there is nothing to wait for.
  private static let interval = 5.0
  /// Seconds in which further events of the group are not looked at.
  private static let pause = 1.0

  private let system: any MemoryWatchSystem
  private let group: GroupMemory?
  private var signals: [(descriptor: CInt, signal: Signal)] = []
  private var looksAtIntervals = false

  /// - Parameter physicalMemory: bytes of the machine.
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

  /// `true` if there is anything to wait for.
  package var isWorthwhile: Bool { !signals.isEmpty || looksAtIntervals }

  /// Waits for the next sign; blocks until there is one.
  ///
  /// - Returns: the level where it says that memory is short.
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
    // A group that reads many files at its limit has events all the time.
    if isEvent { system.pause(seconds: Self.pause) }
    return level
  }

  /// `true` if less than a fifth of the machine's memory can be had without swapping.
  private var isMachineShort: Bool {
    var values: [Substring: Double] = [:]
    for line in (system.contents("/proc/meminfo") ?? "").split(separator: "\n") {
      let parts = line.split(whereSeparator: { $0 == " " || $0 == ":" })
      if parts.count >= 2 { values[parts[0]] = Double(parts[1]) }
    }
    guard let total = values["MemTotal"], let available = values["MemAvailable"] else { return true }
    return available < total * 0.2
  }

  /// Watches on a thread of its own, which sleeps while nothing happens, for as long as the process lives. Makes none
  /// where there is nothing to watch.
  @Sendable package static func start(_ report: @escaping @Sendable (MemoryPressure.Level) -> Void) {
    let watch = MemoryWatch()
    guard watch.isWorthwhile else { return }
    let thread = Thread { [watch] in
      nuke_curl_name_thread("nuke.memory")
      // Signals belong to the program's own threads.
      var signals = sigset_t()
      sigfillset(&signals)
      pthread_sigmask(SIG_BLOCK, &signals, nil)
      var watch = watch
      while watch.isWorthwhile { if let level = watch.next() { report(level) } }
    }
    thread.stackSize = 512 << 10
    thread.start()
  }
}
