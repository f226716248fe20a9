import Foundation
import Measuring
import Nuke

/// The resident memory of the process, in kilobytes.
private func residentKilobytes() -> Double {
  let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
  let pages = text.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0
  return pages * Double(sysconf(Int32(_SC_PAGESIZE))) / 1024
}

/// 100,000 loads by eight tasks. A third of them is canceled, and the priority of a third is raised while they run. The
/// memory cache is emptied from time to time, so that all stages of a load run.
///
/// - Returns: the growth of the memory after the first tenth of the loads, in kilobytes.
func measureResidentMemory(_ requests: [ImageRequest], with pipeline: ImagePipeline) async -> Sample {
  var tenths: [Double] = []
  for _ in 0..<10 {
    await withTaskGroup(of: Void.self) { group in
      for user in 0..<8 {
        group.addTask {
          for index in 0..<1250 {
            let task = pipeline.imageTask(with: requests[(index &* 7 &+ user &* 31) % requests.count])
            switch index % 3 {
            case 0: task.cancel()
            case 1: task.priority = .high
            default: break
            }
            _ = try? await task.response
            if index % 50 == 0 { pipeline.cache.removeAll(caches: .memory) }
          }
        }
      }
    }
    tenths.append(residentKilobytes())
  }
  return Sample(
    name: "100k loads: KB of memory after the first tenth", median: (tenths.last ?? 0) - (tenths.first ?? 0),
    least: (tenths.max() ?? 0) - (tenths.first ?? 0), goal: nil)
}
