import Foundation
import FoundationNetworking
import Testing

/// Runs of the sample programs, which stand beside this test bundle.
enum Program {
  static func path(_ name: String) -> String {
    URL(fileURLWithPath: Command.path).deletingLastPathComponent().appendingPathComponent(name).path
  }

  /// A sample program that serves HTTP on a free port. It is ended with its last owner.
  final class Server: Sendable {
    private let command: Command.Running
    private let port: String

    init(_ name: String, _ arguments: String..., environment: [String: String] = [:]) async throws {
      command = try Command.Running(["0"] + arguments, path: Program.path(name), environment: environment)
      command.write("")
      let output = await command.waitForOutput("Listening on port ")
      port = String(try #require(output.firstMatch(of: /Listening on port ([0-9]+)/), "\(output)").output.1)
    }

    deinit { command.send(SIGKILL) }

    /// Sends a request and returns the response.
    func send(
      _ method: String = "GET", _ path: String, fields: [String: String] = [:], body: Data? = nil
    ) async throws -> (status: Int, response: HTTPURLResponse, data: Data) {
      var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:\(port)\(path)")))
      request.httpMethod = method
      request.httpBody = body
      for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
      let session = URLSession(configuration: .ephemeral)
      defer { session.finishTasksAndInvalidate() }
      let (data, response) = try await session.data(for: request)
      let http = try #require(response as? HTTPURLResponse)
      return (http.statusCode, http, data)
    }
  }
}
