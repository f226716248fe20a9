#if Server
  import Foundation
  import NIOCore
  import NIOPosix
  import NIOSSL
  import NukeBase

  /// Checks whether a running server is ready, for supervisors and containers.
  package struct HealthCheck: Sendable {
    /// The result of a check.
    package struct Outcome: Sendable, Hashable {
      package let isReady: Bool
      /// One line, such as `ready`, or the reason why the server is not.
      package let text: String
    }

    /// The reason why a server cannot be reached.
    package struct Unavailable: Error, CustomStringConvertible {
      package let description: String
    }

    private enum Address {
      case socket(String)
      case host(String, port: Int)

      var text: String {
        switch self {
        case .socket(let path): path
        case .host(let host, let port): "\(host.contains(":") ? "[\(host)]" : host):\(port)"
        }
      }
    }

    private let address: Address
    private let isTLS: Bool
    /// The advice in the error message if the server seems to expect TLS.
    private let advice: String
    /// The time limit for connecting, and for the response after that.
    var timeout = TimeAmount.seconds(5)

    /// - Parameter configuration: the configuration of the server, which contains its address.
    /// - Throws: ``ConfigurationError`` for a configuration without health checks or a known port.
    package init(_ configuration: ImageServer.Configuration) throws(ConfigurationError) {
      if let port = configuration.operationPort {
        (address, isTLS) = (.host(Self.reachable(configuration.operationHost), port: port), false)
        advice = "An operation port does not use TLS. If this is the main port, remove operation-port from the settings"
      } else {
        guard configuration.servesHealth else {
          throw ConfigurationError("health", "health checks are disabled: enable them, or set operation-port")
        }
        address =
          configuration.socket.map { .socket($0) }
          ?? .host(Self.reachable(configuration.host), port: configuration.port)
        isTLS = configuration.tlsCertificate != nil
        advice = "If the server uses TLS, specify its configuration file, or its tls-certificate and tls-key"
      }
      if case .host(_, port: 0) = address {
        throw ConfigurationError(
          configuration.operationPort == nil ? "port" : "operation-port",
          "the server selects a free port for 0: set the port that its log names")
      }
    }

    /// Returns the address to connect to: a loopback address for a server that listens on all addresses.
    package static func reachable(_ host: String) -> String {
      // A server on `::` accepts connections over IPv4, too.
      ["0.0.0.0", "::"].contains(host) ? "127.0.0.1" : host
    }

    /// Requests `/ready` from the server.
    ///
    /// - Throws: ``Unavailable`` if the server does not listen or does not send a response of HTTP in time, and other
    ///   errors of the connection.
    package func run() async throws -> Outcome {
      let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connectTimeout(timeout)
      let (isTLS, timeout) = (isTLS, timeout)
      let isLate = Lock(false)
      let setUp: @Sendable (any Channel) -> EventLoopFuture<NIOAsyncChannel<ByteBuffer, ByteBuffer>> = { channel in
        channel.eventLoop.makeCompletedFuture {
          channel.eventLoop.scheduleTask(in: timeout) {
            isLate.withLock { $0 = true }
            channel.close(promise: nil)
          }
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
        throw Unavailable(description: "\(address.text): \(Self.reason(of: error))")
      }
      do {
        let response = try await Self.response(connection)
        return try outcome(of: response, isLate: isLate.withLock { $0 })
      } catch NIOSSLError.handshakeFailed(let reason) {
        if isLate.withLock({ $0 }) { throw Unavailable(description: "\(address.text) did not respond in time") }
        throw Unavailable(
          description:
            "\(address.text): the TLS handshake failed. If the server does not use TLS, leave tls-certificate "
            + "and tls-key out of the settings. (\(reason))")
      }
    }

    /// Sends the request, and returns what the server sends until it closes the connection.
    private static func response(_ connection: NIOAsyncChannel<ByteBuffer, ByteBuffer>) async throws -> ByteBuffer {
      try await connection.executeThenClose { inbound, outbound in
        var response = ByteBuffer()
        do {
          let request = "GET /ready HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
          // If the connection is closed already, reading says why.
          try? await outbound.write(ByteBuffer(string: request))
          for try await bytes in inbound where response.readableBytes < 64 << 10 {
            response.writeImmutableBuffer(bytes)
          }
        } catch let error as IOError where error.errnoCode == ECONNRESET {
          // A server that closes the connection before it has read the request resets it.
        }
        return response
      }
    }

    /// Returns the system's description of the first failure.
    private static func reason(of error: NIOConnectionError) -> String {
      let failure = error.connectionErrors.first?.error
      let text = (failure as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? failure.map { "\($0)" }
      return text ?? "the host was not found"
    }

    /// - Parameter isLate: `true` if the connection was closed because of the time limit.
    private func outcome(of response: ByteBuffer, isLate: Bool) throws(Unavailable) -> Outcome {
      let text = String(buffer: response)
      let head = text.prefix { !$0.isNewline }.split(separator: " ")
      guard head.count > 1, head[0].hasPrefix("HTTP/1."), let status = Int(head[1]) else {
        throw Unavailable(description: "\(address.text) \(problem(with: response, isLate: isLate))")
      }
      let body = text.range(of: "\r\n\r\n").map { text[$0.upperBound...] } ?? ""
      let line = body.prefix { !$0.isNewline }
      if status == 200 || status == 503 { return Outcome(isReady: status == 200, text: String(line)) }
      return Outcome(isReady: false, text: "the answer has the status \(status)")
    }

    /// Describes the problem with a response that is not an HTTP response, and what to do about it.
    private func problem(with response: ByteBuffer, isLate: Bool) -> String {
      if isLate { return "did not respond in time" }
      let isClosed = response.readableBytes == 0
      // A TLS record begins with its type, here alert or handshake, and the version 3 (RFC 8446 §5.1).
      let start = response.readableBytesView.prefix(2)
      guard isClosed || start.elementsEqual([21, 3]) || start.elementsEqual([22, 3]) else {
        return "responded, but not with HTTP. Check that this is the port of the server"
      }
      let event = isClosed ? "closed the connection without an HTTP response" : "responded with TLS in place of HTTP"
      return isTLS ? event : "\(event). \(advice)"
    }
  }
#endif
