#if Server
  import Foundation
  import FoundationNetworking
  import Nuke
  import Testing

  /// `nuke serve` on a port that was free. A test ends it; one that fails before leaves nothing running.
  final class RunningServe: Sendable {
    let command: Command.Running
    let address: URL
    private let hasEnded = Lock(false)

    init(_ arguments: String..., environment: [String: String] = [:]) async throws {
      command = try Command.Running(["serve", "--port", "0"] + arguments, environment: environment)
      command.write("")
      let errors = await command.waitForErrors("listening on ")
      let line = try #require(errors.firstMatch(of: /listening on (http:\S+)/), "\(errors)")
      address = try #require(URL(string: String(line.output.1)))
    }

    deinit {
      if !hasEnded.withLock({ $0 }) { command.send(SIGKILL) }
    }

    func get(_ path: String) async throws -> (status: Int?, data: Data) {
      let url = try #require(URL(string: address.absoluteString + path))
      let session = URLSession(configuration: .ephemeral)
      defer { session.finishTasksAndInvalidate() }
      let (data, response) = try await session.data(from: url)
      return ((response as? HTTPURLResponse)?.statusCode, data)
    }

    /// What came of it, once it has ended.
    func outcome() async -> Command.Outcome {
      let outcome = await command.outcome()
      hasEnded.withLock { $0 = true }
      return outcome
    }

    /// Tells it to end, and returns what came of it.
    func stop() async -> Command.Outcome {
      command.send(SIGTERM)
      return await outcome()
    }
  }
#endif
