import Foundation
import Nuke

/// The peak memory of a separate process that uses one way of downloading.
enum Memory {
  /// Runs in that process, and prints the result to standard output.
  static func run(_ name: String, base: String) async throws {
    if name == Way.nothing { return print(peakKilobytes()) }
    let work = Work(name: name, base: base, length: 2_000_000, count: 200, concurrency: 64)
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("nuke-network-memory-\(getpid())", isDirectory: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    guard let way = try Way.named(name, concurrency: work.concurrency, folder: folder) else { return }
    let bytes = await way.run(work)
    guard bytes == work.length * work.count else { return print("failed") }
    print(peakKilobytes())
  }

  /// Megabytes; `nil` if the process failed.
  static func measure(_ name: String, base: String) throws -> Double? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = ["--memory", name, base]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return Double(text.trimmingCharacters(in: .whitespacesAndNewlines)).map { $0 / 1024 }
  }

  private static func peakKilobytes() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
  }
}
