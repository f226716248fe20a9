import Foundation
import NukeCodecs
import NukeSandbox
import NukeServing

/// A process with a sandbox, which says what there is to know from outside.
struct Server: Sendable {
  private let renderer: SandboxedRenderer

  init() throws {
    var configuration = SandboxConfiguration()
    configuration.workerCount = 2
    configuration.imagesPerWorker = 50
    renderer = SandboxedRenderer(try RenderSandbox(renderer: Renderer(), configuration: configuration))
  }

  /// - Parameter word: `wait`: says a worker's process, and goes on until it is killed. `count`: makes 1,000 images,
  ///   and says how many descriptors there were after the first hundred and after the last.
  func run(_ word: String) async {
    if word == "wait" {
      say(await made("attempt:id"))
      while true { sleep(1000) }
    }
    for _ in 0..<100 { _ = await made("attempt:id") }
    let before = descriptors
    for _ in 0..<900 { _ = await made("attempt:id") }
    say("\(before) \(descriptors) \(await made("attempt:descriptors"))")
  }

  private func made(_ source: String) async -> String {
    let request = RenditionRequest(source: URL(fileURLWithPath: "/"), format: .png)
    do throws(ServingError) {
      let file = try await renderer.plan(request, source: Data(source.utf8)).render()
      return String(decoding: file.data, as: UTF8.self)
    } catch {
      return error.description
    }
  }

  private var descriptors: Int { (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0 }

  private func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }
}
