import Foundation
import NukeCodecs
import NukeServing
import NukeTesting

@testable import NukeSandbox

/// A sandbox whose workers are the `NukeSandboxWorker` beside the tests.
struct SandboxFixture {
  static let program: String = {
    let tests =
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
    return URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent("NukeSandboxWorker").path
  }()

  let sandbox: RenderSandbox
  let renderer: SandboxedRenderer
  /// What whoever runs the server is told.
  let reports = CallLog()

  init(
    _ renderer: Renderer = Renderer(), change: (inout SandboxConfiguration) -> Void = { _ in }
  ) throws {
    var configuration = SandboxConfiguration()
    configuration.program = Self.program
    configuration.workerCount = 1
    configuration.memoryLimit = 1 << 30
    change(&configuration)
    sandbox = try RenderSandbox(renderer: renderer, configuration: configuration) { [reports] in reports.append($0) }
    self.renderer = SandboxedRenderer(sandbox)
  }

  static let source = URL(string: "local:///image")!

  /// What a worker has in the end that tries what the words say.
  func attempt(_ words: String) async throws(ServingError) -> String {
    let request = RenditionRequest(source: Self.source, format: .png)
    let file = try await renderer.plan(request, source: Data("attempt:\(words)".utf8)).render()
    return String(decoding: file.data, as: UTF8.self)
  }

  func file(
    _ source: Data, as format: ImageFormat? = nil, _ ask: (inout ImageOptions) -> Void = { _ in }
  ) async throws(ServingError) -> RenderedFile {
    var options = ImageOptions()
    ask(&options)
    let request = RenditionRequest(source: Self.source, options: options, format: format)
    return try await renderer.plan(request, source: source).render()
  }

  /// The process of the one worker.
  func worker() async throws -> pid_t {
    guard let id = pid_t(try await attempt("id")) else { throw ServingError.failed("a worker has no number") }
    return id
  }

  /// Returns when a worker is at work.
  func untilBusy() async throws { try await waitUntil { sandbox.statistics.busy > 0 } }

  /// Returns when a worker has begun to spin, which takes more processor time than all that it did before. It counts as
  /// busy earlier: before it has the request, which goes to another worker if this one ends.
  static func untilSpinning(_ worker: pid_t) async throws {
    let before = processorTime(worker)
    try await waitUntil { processorTime(worker) >= before + 10 }
  }

  /// The time that a process has used in its own code, in hundredths of a second; see proc(5).
  private static func processorTime(_ id: pid_t) -> Int {
    let text = (try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)) ?? ""
    let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
    return fields.count > 11 ? Int(fields[11]) ?? 0 : 0
  }

  /// Returns `true` if a process is there and has not ended, with all its threads.
  static func isAlive(_ id: pid_t) -> Bool {
    // The first thread is a zombie before the others have let go of what they share.
    if let threads = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/task"), threads.count > 1 {
      return true
    }
    guard let text = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8) else { return false }
    return !text.contains(") Z ") && !text.contains(") X ")
  }

  static func untilDead(_ id: pid_t) async throws { try await waitUntil { !isAlive(id) } }
}
