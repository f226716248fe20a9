import Dispatch
import Foundation
import NukeSandbox

/// A worker that also tries what workers may not, see ``Attempts``; else a server with such workers, see ``Server``.
@main
enum NukeSandboxWorker {
  static func main() {
    RenderWorker.runIfAsked { Attempts(then: PipelineRequestHandler($0)) }
    guard let server = try? Server() else { exit(1) }
    Task {
      await server.run(CommandLine.arguments.dropFirst().first ?? "")
      exit(0)
    }
    dispatchMain()
  }
}
