#if Server
  import Foundation
  import NIOCore
  import NIOPosix
  import NIOSSL

  /// Checks whether a running server is ready, for supervisors and containers.
  package struct HealthCheck: Sendable {
    /// The result of a check.
    package struct Answer: Sendable, Hashable {
      package let isReady: Bool
      /// One line, such as `ready`, or the reason why the server is not.
      package let text: String
    }

    /// The reason why a server with this configuration cannot be checked or reached.
    package struct Unavailable: Error, CustomStringConvertible {
      package let description: String
    }

    private enum Address {
      case socket(String)
      case host(String, port: Int)
    }

    private let address: Address
    private let isTLS: Bool
    /// The time limit for each step, in seconds.
    private let timeout: Int64 = 5

    /// - Parameter configuration: the configuration of the server, which contains its address.
    package init(_ configuration: ImageServer.Configuration) throws(Unavailable) {
      if let port = configuration.operationPort {
        (address, isTLS) = (.host(Self.reachable(configuration.operationHost), port: port), false)
      } else {
        guard configuration.servesHealth else { throw Unavailable(description: "health checks are disabled") }
        address =
          configuration.socket.map { .socket($0) }
          ?? .host(Self.reachable(configuration.host), port: configuration.port)
        isTLS = configuration.tlsCertificate != nil
      }
      if case .host(_, port: 0) = address {
        throw Unavailable(description: "the server selects a free port (port 0), so it is not known")
      }
    }

    /// Returns the address to connect to: a loopback address for a server that listens on all addresses.
    package static func reachable(_ host: String) -> String {
      switch host {
      case "0.0.0.0": "127.0.0.1"
      case "::": "::1"
      default: host
      }
    }

    /// Requests `/ready` from the server.
    ///
    /// - Throws: the error of the connection, if the server does not listen or does not answer in time.
    package func run() async throws -> Answer {
      let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connectTimeout(.seconds(timeout))
      let (isTLS, timeout) = (isTLS, timeout)
      let setUp: @Sendable (any Channel) -> EventLoopFuture<NIOAsyncChannel<ByteBuffer, ByteBuffer>> = { channel in
        channel.eventLoop.makeCompletedFuture {
          channel.eventLoop.scheduleTask(in: .seconds(timeout)) { channel.close(promise: nil) }
          if isTLS {
            // The certificate is for the server's name, and this is a connection to the own machine.
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.certificateVerification = .none
            try channel.pipeline.syncOperations.addHandler(
              NIOSSLClientHandler(context: NIOSSLContext(configuration: tls), serverHostname: nil))
          }
          return try NIOAsyncChannel(wrappingChannelSynchronously: channel)
        }
      }
      let connection: NIOAsyncChannel<ByteBuffer, ByteBuffer>
      do {
        switch address {
        case .socket(let path):
          connection = try await bootstrap.connect(unixDomainSocketPath: path, channelInitializer: setUp)
        case .host(let host, let port):
          connection = try await bootstrap.connect(host: host, port: port, channelInitializer: setUp)
        }
      } catch let error as NIOConnectionError {
        throw Unavailable(description: Self.reason(of: error))
      }
      return Self.answer(
        try await connection.executeThenClose { inbound, outbound in
          let request = "GET /ready HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
          try await outbound.write(ByteBuffer(string: request))
          var response = ""
          for try await bytes in inbound where response.utf8.count < 64 << 10 { response += String(buffer: bytes) }
          return response
        })
    }

    /// Returns the address and the system's description of the first failure.
    private static func reason(of error: NIOConnectionError) -> String {
      let failure = error.connectionErrors.first?.error
      let text = (failure as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? failure.map { "\($0)" }
      let host = error.host.contains(":") ? "[\(error.host)]" : error.host
      return "\(host):\(error.port): \(text ?? "the host was not found")"
    }

    private static func answer(_ response: String) -> Answer {
      let head = response.prefix { !$0.isNewline }.split(separator: " ")
      guard head.count > 1, head[0].hasPrefix("HTTP/1."), let status = Int(head[1]) else {
        return Answer(isReady: false, text: "no answer")
      }
      let body = response.range(of: "\r\n\r\n").map { response[$0.upperBound...] } ?? ""
      let line = body.prefix { !$0.isNewline }
      if status == 200 || status == 503 { return Answer(isReady: status == 200, text: String(line)) }
      return Answer(isReady: false, text: "the answer has the status \(status)")
    }
  }
#endif
