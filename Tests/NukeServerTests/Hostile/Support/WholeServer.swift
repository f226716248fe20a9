#if Server
  import Foundation
  import Logging
  import NukeTesting
  import Testing

  @testable import NukeServer
  @testable import NukeServing

  /// The whole server on loopback, its sources, pipeline, renderer and sockets all real. It may load from loopback.
  struct WholeServer: Sendable {
    let running: RunningServer
    let service: RenditionService

    /// A PNG of 40 by 20 pixels, for origins that mean well.
    static let image = SampleImage.png(width: 40, height: 20)

    init(_ change: (inout ImageServer.Configuration) -> Void = { _ in }) async throws {
      var configuration = ImageServer.Configuration()
      configuration.allowsUnsigned = true
      configuration.allowedPrivateAddresses = ["127.0.0.1"]
      configuration.servesInfo = true
      change(&configuration)
      let dependencies = try ServerDependencies(
        configuration, metrics: PrometheusRegistry(), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
      service = try #require(dependencies.renditions as? RenditionService)
      running = try await RunningServer(configuration, dependencies: dependencies)
    }

    /// Runs `body` with a server, and stops that in any case.
    static func with(
      _ change: (inout ImageServer.Configuration) -> Void = { _ in }, _ body: (WholeServer) async throws -> Void
    ) async throws {
      let server = try await WholeServer(change)
      do {
        try await body(server)
      } catch {
        try? await server.running.stop()
        throw error
      }
      try await server.running.stop()
    }

    var port: Int { running.port }

    /// The path of a source's image, unsigned.
    static func path(_ source: URL, _ options: String = "w:10", format: String = "png") -> String {
      // What follows a question mark would be the query of the request.
      "/unsafe/\(options)/plain/\(source.absoluteString.replacing("?", with: "%3F"))@\(format)"
    }

    /// Returns the response over a separate connection, which closes after it.
    func get(_ target: String, fields: String = "") async throws -> RawResponse {
      let client = try RawClient(port: port)
      try await client.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\(fields)\r\n")
      return try #require(RawResponse(try await client.receiveBytes()))
    }

    /// Waits until no flight is running, and returns `true` if the service then holds nothing for any request.
    func becomesIdle() async -> Bool {
      _ = await service.pending.allDone().value
      let now = service.statistics
      return [
        now.requests, now.inFlight, now.loading, now.waiting, now.running, now.budgetUsed, now.heldSourceBytes,
      ].allSatisfy { $0 == 0 }
    }
  }

  /// A response as it was received over a socket.
  struct RawResponse: Sendable {
    let status: Int
    /// With the status line.
    let head: String
    let body: Data

    var text: String { String(decoding: body, as: UTF8.self) }

    /// Returns `nil` for bytes that are not a response of HTTP/1.1.
    init?(_ bytes: [UInt8]) {
      let data = Data(bytes)
      guard let end = data.range(of: Data("\r\n\r\n".utf8)) else { return nil }
      head = String(decoding: data[..<end.lowerBound], as: UTF8.self)
      guard head.hasPrefix("HTTP/1.1 "), let status = Int(head.dropFirst(9).prefix(3)) else { return nil }
      self.status = status
      body = Data(data[end.upperBound...])
    }
  }
#endif
