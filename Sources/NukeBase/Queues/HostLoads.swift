/// The number of slots of a queue that each host uses. This value decides which host may borrow a slot beyond the
/// limit.
///
/// Loads from a host that does not respond could occupy all slots. Therefore a host without a slot may borrow one. The
/// number of borrowed slots is limited by the slots that other hosts have in addition to their first.
package struct HostLoads: Sendable {
  /// The work for one host. Guarded by the queue's lock.
  package final class Host: @unchecked Sendable {
    fileprivate let name: Substring
    fileprivate var waiting = 0
    fileprivate var running = 0

    fileprivate init(name: Substring) { self.name = name }

    /// `true` if it has no slot.
    package var isIdle: Bool { running == 0 }
  }

  /// The hosts with waiting or running work.
  private var hosts: [Substring: Host] = [:]
  /// The number of hosts that wait and have no slot.
  package private(set) var idleCount = 0
  /// The number of slots that hosts have beyond their first.
  package private(set) var surplus = 0

  package init() {}

  /// Records that work for the host waits.
  package mutating func wait(for name: Substring) -> Host {
    let host = hosts[name] ?? add(name)
    host.waiting += 1
    if host.isIdle, host.waiting == 1 { idleCount += 1 }
    return host
  }

  private mutating func add(_ name: Substring) -> Host {
    // A copy: the substring would keep the whole URL.
    let host = Host(name: Substring(String(name)))
    hosts[host.name] = host
    return host
  }

  /// Records that waiting work was removed.
  package mutating func leave(_ host: Host) {
    host.waiting -= 1
    guard host.isIdle, host.waiting == 0 else { return }
    idleCount -= 1
    hosts[host.name] = nil
  }

  /// Records that waiting work has taken a slot.
  package mutating func begin(_ host: Host) {
    host.waiting -= 1
    if host.isIdle { idleCount -= 1 } else { surplus += 1 }
    host.running += 1
  }

  /// Records that work has released its slot.
  package mutating func end(_ host: Host) {
    host.running -= 1
    guard host.isIdle else {
      surplus -= 1
      return
    }
    if host.waiting > 0 { idleCount += 1 } else { hosts[host.name] = nil }
  }
}
