import NukeBase
import NukeTesting
import Testing

@Suite("Slots per host")
struct HostLoadsTests {
  @Test("Slots are counted correctly in any order of events", arguments: 0..<20 as Range<UInt64>)
  func counts(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var loads = HostLoads()
    let names: [Substring] = ["a", "b", "c", "d"]
    var waiting: [(name: Substring, host: HostLoads.Host)] = []
    var running: [(name: Substring, host: HostLoads.Host)] = []
    for _ in 0..<400 {
      switch Int.random(in: 0..<3, using: &random) {
      case 0:
        let name = names.randomElement(using: &random)!
        waiting.append((name, loads.wait(for: name)))
      case 1 where !waiting.isEmpty:
        let work = waiting.remove(at: Int.random(in: 0..<waiting.count, using: &random))
        if Bool.random(using: &random) {
          loads.begin(work.host)
          running.append(work)
        } else {
          loads.leave(work.host)
        }
      case 2 where !running.isEmpty:
        loads.end(running.remove(at: Int.random(in: 0..<running.count, using: &random)).host)
      default: continue
      }
      let slots = names.map { name in running.count { $0.name == name } }
      #expect(loads.surplus == slots.map { max(0, $0 - 1) }.reduce(0, +))
      #expect(
        loads.idleCount
          == zip(names, slots).count { name, slots in slots == 0 && waiting.contains { $0.name == name } })
      #expect(running.allSatisfy { !$0.host.isIdle })
    }
  }
}
