import Nuke
import NukeTesting
import Testing

@Suite("Watching for memory pressure")
struct MemoryWatchTests {
  /// A system whose files and signals a test writes.
  private final class FakeSystem: MemoryWatchSystem {
    struct State: Sendable {
      var files: [String: String] = [:]
      /// Paths that may be opened to be told of changes.
      var openable: Set<String> = []
      var opened: [String] = []
      var closed: [CInt] = []
      /// What the next waits give, by the number of the descriptor; none for time that passes.
      var wakenings: [[CInt: MemoryWatchWakening]] = []
      var waits: [Double?] = []
      var pauses: [Double] = []
    }
    let state = Lock(State())

    init(_ files: [String: String], openable: Set<String> = []) {
      state.withLock {
        $0.files = files
        $0.openable = openable
      }
    }

    func contents(_ path: String) -> String? { state.withLock { $0.files[path] } }
    func openTrigger(_ path: String, _ text: String) -> CInt? { open(path, "\(path) \(text)") }
    func openEvents(_ path: String) -> CInt? { open(path, path) }
    private func open(_ path: String, _ note: String) -> CInt? {
      state.withLock { state in
        guard state.openable.contains(path) else { return nil }
        state.opened.append(note)
        return CInt(state.opened.count)
      }
    }
    func wait(for descriptors: [CInt], seconds: Double?) -> [CInt: MemoryWatchWakening] {
      state.withLock { state in
        state.waits.append(seconds)
        return state.wakenings.isEmpty ? [:] : state.wakenings.removeFirst()
      }
    }
    func pause(seconds: Double) { state.withLock { $0.pauses.append(seconds) } }
    func close(_ descriptor: CInt) { state.withLock { $0.closed.append(descriptor) } }

    func wake(_ wakening: [CInt: MemoryWatchWakening]) { state.withLock { $0.wakenings.append(wakening) } }
    func write(_ path: String, _ text: String) { state.withLock { $0.files[path] = text } }
    var opened: [String] { state.withLock { $0.opened } }
  }

  private let version2 = ["/proc/self/cgroup": "0::/app\n"]
  private let group = "/sys/fs/cgroup/app"
  private let machine = "/proc/pressure/memory"

  private func watch(_ system: FakeSystem) -> MemoryWatch { MemoryWatch(physicalMemory: 1 << 30, system: system) }

  private func limited(_ anonymous: Int) -> [String: String] {
    version2.merging([
      "\(group)/memory.max": "1000\n",
      "\(group)/memory.stat": "anon \(anonymous)\nfile 100000\nshmem 50\n",
    ]) { $1 }
  }

  @Test("No thread is started if nothing can be watched")
  func nothing() {
    #expect(!watch(FakeSystem([:])).isWorthwhile)
    #expect(!watch(FakeSystem(version2)).isWorthwhile)
    #expect(!watch(FakeSystem(version2.merging(["\(group)/memory.max": "max\n"]) { $1 })).isWorthwhile)
  }

  @Test("Stalls of the group are watched instead of the machine's")
  func groupStalls() {
    let system = FakeSystem(version2, openable: ["\(group)/memory.pressure", machine])
    var watch = watch(system)
    #expect(
      system.opened == [
        "\(group)/memory.pressure some 200000 2000000", "\(group)/memory.pressure full 200000 2000000",
      ])
    system.wake([1: .signalled])
    #expect(watch.next() == .moderate)
    system.wake([1: .signalled, 2: .signalled])
    #expect(watch.next() == .critical)
    #expect(watch.next() == nil, "woken without a reason")
    #expect(system.state.withLock { $0.waits } == [nil, nil, nil], "it sleeps until there is something")
  }

  @Test("The group is found if version 1 is also mounted")
  func hybrid() {
    let system = FakeSystem(version2, openable: ["/sys/fs/cgroup/unified/app/memory.pressure"])
    #expect(watch(system).isWorthwhile)
    #expect(system.opened.count == 2)
  }

  @Test("The root group, whose stalls are the machine's, is distinguished from a container's own group")
  func root() {
    let files = ["/proc/self/cgroup": "0::/\n", "/proc/meminfo": "MemTotal: 100 kB\nMemAvailable: 50 kB\n"]
    let system = FakeSystem(files, openable: ["/sys/fs/cgroup/memory.pressure", machine])
    #expect(watch(system).isWorthwhile)
    #expect(system.opened.first == "\(machine) some 200000 2000000")

    let contained = FakeSystem(
      files.merging(["/sys/fs/cgroup/cgroup.type": "domain\n"]) { $1 },
      openable: ["/sys/fs/cgroup/memory.pressure", machine])
    #expect(watch(contained).isWorthwhile)
    #expect(contained.opened.first == "/sys/fs/cgroup/memory.pressure some 200000 2000000")
  }

  @Test("The machine's stalls count only if little memory is left")
  func machineStalls() {
    let system = FakeSystem(version2, openable: [machine])
    var watch = watch(system)
    #expect(system.opened == ["\(machine) some 200000 2000000", "\(machine) full 200000 2000000"])
    for (available, level) in [(2100, nil), (1900, MemoryPressure.Level.critical)] {
      system.write("/proc/meminfo", "MemTotal:       10000 kB\nMemFree:  1 kB\nMemAvailable:   \(available) kB\n")
      system.wake([2: .signalled])
      #expect(watch.next() == level)
    }
  }

  @Test("The events of a limited group are used if its stalls cannot be watched", arguments: [true, false])
  func events(canSeeMachine: Bool) {
    let system = FakeSystem(
      limited(100), openable: canSeeMachine ? ["\(group)/memory.events", machine] : ["\(group)/memory.events"])
    var watch = watch(system)
    #expect(system.opened == ["\(group)/memory.events"])
    for (anonymous, level) in [(700, nil), (751, MemoryPressure.Level.moderate), (860, .critical)] {
      system.write("\(group)/memory.stat", "anon \(anonymous)\nfile 100000\nshmem 50\n")
      system.wake([1: .signalled])
      #expect(watch.next() == level, "\(anonymous)")
    }
    #expect(system.state.withLock { $0.waits } == [nil, nil, nil])
    #expect(system.state.withLock { $0.pauses } == [1, 1, 1], "events may come all the time")
  }

  @Test("The lowest limit applies, of parent groups and of memory.high too")
  func leastLimit() {
    let files = limited(0).merging([
      "\(group)/memory.high": "900\n", "/sys/fs/cgroup/memory.max": "800\n", "/sys/fs/cgroup/memory.stat": "anon 790\n",
    ]) { $1 }
    let system = FakeSystem(files, openable: ["/sys/fs/cgroup/memory.events", "\(group)/memory.events"])
    var watch = watch(system)
    #expect(system.opened == ["/sys/fs/cgroup/memory.events"])
    system.wake([1: .signalled])
    #expect(watch.next() == .critical)
  }

  @Test("A limited group without events is polled every five seconds")
  func intervals() {
    let folder = "/sys/fs/cgroup/memory/app"
    let system = FakeSystem([
      "/proc/self/cgroup": "4:memory:/app\n0::/\n", "\(folder)/memory.limit_in_bytes": "1000\n",
      "\(folder)/memory.stat": "cache 900\nrss 1\ntotal_rss 900\ntotal_shmem 10\n",
    ])
    var watch = watch(system)
    #expect(watch.isWorthwhile)
    #expect(watch.next() == .critical)
    system.write("\(folder)/memory.stat", "total_rss 700\ntotal_shmem 10\n")
    #expect(watch.next() == nil)
    #expect(system.state.withLock { $0.waits } == [5, 5])
  }

  @Test("Released observers are dropped, and watching ends with the last one")
  func gone() {
    let system = FakeSystem(limited(0), openable: ["\(group)/memory.pressure", "\(group)/memory.events"])
    var watch = watch(system)
    #expect(system.opened.count == 3)
    system.wake([1: .gone, 2: .gone])
    #expect(watch.next() == nil)
    #expect(watch.isWorthwhile)
    system.wake([3: .gone])
    #expect(watch.next() == nil)
    #expect(!watch.isWorthwhile)
    #expect(system.state.withLock { $0.closed } == [1, 2, 3])
  }

  @Test(
    "Invalid file contents do not count as pressure",
    arguments: ["", "anon", "anon x\n", "anon -5\n", "anon 99999999999999999999\n"])
  func nonsense(text: String) {
    let system = FakeSystem(limited(0), openable: ["\(group)/memory.events"])
    var watch = watch(system)
    system.write("\(group)/memory.stat", text)
    system.wake([1: .signalled])
    #expect(watch.next() == nil)
  }

  @Test("Nothing is requested from Linux that it denies")
  func linux() {
    let system = LinuxMemoryWatchSystem()
    #expect(system.openTrigger("/proc/nothing", "some 200000 2000000") == nil)
    #expect(system.openTrigger("/proc/self/status", "some 200000 2000000") == nil)
    #expect(system.openEvents("/proc/nothing") == nil)
    #expect(system.contents("/proc/nothing") == nil)
    #expect(system.wait(for: [], seconds: 0.001).isEmpty)
  }
}
