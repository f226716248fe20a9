#if Server
  import Foundation
  import Logging
  import NukeTesting

  @testable import NukeServer

  /// A server of a temporary folder with `a.png`, of 40x20 pixels.
  struct SampleServer: Sendable {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("nuke-server-\(UUID().uuidString)")

    /// Runs a server of the folder during `body`.
    func withServer(
      _ change: (inout ImageServer.Configuration) -> Void = { _ in }, _ body: (RunningServer) async throws -> Void,
      preparing prepare: () throws -> Void = {}
    ) async throws {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      try prepare()
      try SampleImage.png(width: 40, height: 20).write(to: folder.appendingPathComponent("a.png"))
      var configuration = ImageServer.Configuration.demo(samples: folder.path)
      (configuration.servesInfo, configuration.servesMetrics) = (true, true)
      change(&configuration)
      let running = try await RunningServer(
        configuration,
        dependencies: ServerDependencies(
          configuration, metrics: PrometheusRegistry(), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
      )
      do {
        try await body(running)
      } catch {
        try await running.stop()
        throw error
      }
      try await running.stop()
    }
  }
#endif
