import Nuke
import Testing

@Suite("The memory limit of the process")
struct MemoryLimitTests {
  private func memory(_ files: [String: String]) -> Int {
    MemoryLimit.read(physicalMemory: 8_000_000) { files[$0] }
  }

  private func processors(_ files: [String: String]) -> Int {
    ProcessorCount.read(online: 8) { files[$0] }
  }

  @Test("Without control groups, it is the memory of the machine")
  func none() {
    #expect(memory([:]) == 8_000_000)
    #expect(processors([:]) == 8)
    #expect(ProcessorCount.read(online: 0) { _ in nil } == 1)
  }

  @Test("In version 2, it is the lowest limit of the group and its parents")
  func version2() {
    let cgroup = ["/proc/self/cgroup": "0::/user/app\n"]
    func with(_ files: [String: String]) -> [String: String] { cgroup.merging(files) { $1 } }
    #expect(memory(with(["/sys/fs/cgroup/user/app/memory.max": "3000000\n"])) == 3_000_000)
    #expect(memory(with(["/sys/fs/cgroup/user/app/memory.max": "max\n"])) == 8_000_000)
    #expect(
      memory(
        with([
          "/sys/fs/cgroup/user/app/memory.max": "max\n", "/sys/fs/cgroup/user/memory.max": "2000000\n",
        ])) == 2_000_000)
    #expect(memory(with(["/sys/fs/cgroup/memory.max": "1000000\n"])) == 1_000_000, "as inside of a container")
    #expect(memory(with(["/sys/fs/cgroup/user/app/memory.max": "9000000000\n"])) == 8_000_000)
    #expect(processors(with(["/sys/fs/cgroup/user/app/cpu.max": "150000 100000\n"])) == 2)
    #expect(processors(with(["/sys/fs/cgroup/user/app/cpu.max": "50000 100000\n"])) == 1)
    #expect(processors(with(["/sys/fs/cgroup/user/app/cpu.max": "max 100000\n"])) == 8)
    #expect(processors(with(["/sys/fs/cgroup/user/cpu.max": "400000 100000\n"])) == 4)
    #expect(processors(with(["/sys/fs/cgroup/cpu.max": "9900000 100000\n"])) == 8)
  }

  @Test("In version 1, it is read by controller")
  func version1() {
    let cgroup = ["/proc/self/cgroup": "5:memory:/docker/x\n3:cpu,cpuacct:/docker/x\n0::/\n"]
    func with(_ files: [String: String]) -> [String: String] { cgroup.merging(files) { $1 } }
    #expect(memory(with(["/sys/fs/cgroup/memory/docker/x/memory.limit_in_bytes": "3000000\n"])) == 3_000_000)
    #expect(memory(with(["/sys/fs/cgroup/memory/memory.limit_in_bytes": "2000000\n"])) == 2_000_000)
    #expect(memory(with(["/sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n"])) == 8_000_000)
    func quota(_ folder: String, _ quota: String, _ period: String) -> [String: String] {
      [
        "/sys/fs/cgroup/cpu\(folder)/cpu.cfs_quota_us": quota + "\n",
        "/sys/fs/cgroup/cpu\(folder)/cpu.cfs_period_us": period + "\n",
      ]
    }
    #expect(processors(with(quota("/docker/x", "300000", "100000"))) == 3)
    #expect(processors(with(quota("", "250000", "100000"))) == 3)
    #expect(processors(with(quota("/docker/x", "-1", "100000"))) == 8)
    let nested = quota("/docker/x", "-1", "100000").merging(quota("/docker", "100000", "50000")) { $1 }
    #expect(processors(with(nested)) == 2, "the group above has a quota")
  }

  @Test(
    "Invalid values are ignored",
    arguments: ["", "\n", "nonsense", "-5", "0", "12 34 56", "1e400"])
  func nonsense(text: String) {
    let cgroup = ["/proc/self/cgroup": "0::/a\n:::\nnonsense\n"]
    #expect(memory(cgroup.merging(["/sys/fs/cgroup/a/memory.max": text]) { $1 }) == 8_000_000)
    #expect(processors(cgroup.merging(["/sys/fs/cgroup/a/cpu.max": text]) { $1 }) == 8)
  }
}
