import Foundation
import Nuke

/// The demo's origin as its client sees it: a process that serves images, counts, and ends with this one.
final class DemoOrigin {
  private let process = Process()
  private let input = Pipe()
  private let port: Int
  private let control: ImagePipeline

  /// Starts the process and waits for its port.
  init() throws {
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: Samples.executablePath)
    process.arguments = ["demo-origin"]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    var line = Data()
    while line.last != UInt8(ascii: "\n") {
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { break }
      line += more
    }
    guard let port = Int(String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw DemoError("the demo's origin did not start")
    }
    self.port = port
    control = DemoCommand.pipeline(imageCache: nil)
  }

  /// Ends the process.
  func stop() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  func url(_ manner: DemoSite.Manner, _ image: String) -> URL {
    URL(string: "http://127.0.0.1:\(port)/\(manner.rawValue)/\(image)")!
  }

  func counts() async throws -> DemoCounts {
    try JSONDecoder().decode(DemoCounts.self, from: try await get("/_counts"))
  }

  /// How often an image was asked for.
  func requestCount(_ manner: DemoSite.Manner, _ image: String) async throws -> Int {
    try await counts().requests["/\(manner.rawValue)/\(image)"] ?? 0
  }

  /// Lets go an image that is held back.
  func open(_ manner: DemoSite.Manner, _ image: String) async throws {
    _ = try await get("\(DemoSite.opening)/\(manner.rawValue)/\(image)")
  }

  /// Returns once the counts are as `isMet` wants them, or after about five seconds.
  func wait(until isMet: (DemoCounts) -> Bool) async throws -> DemoCounts {
    var left = 250
    while true {
      let counts = try await counts()
      if left == 0 || isMet(counts) { return counts }
      left -= 1
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  private func get(_ target: String) async throws -> Data {
    try await control.data(for: ImageRequest(url: URL(string: "http://127.0.0.1:\(port)\(target)"))).0
  }
}

struct DemoError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
