#if AsyncHTTPClient
  import AsyncHTTPClient
  import Foundation
  import NIOCore
  import NIOHTTP1
  import NIOHTTP2
  import NIOHTTPCompression
  import NIOPosix
  import NIOSSL
  import Nuke

  /// Converts the errors of AsyncHTTPClient and NIO to those of the loader.
  enum RequestFailure {
    /// - Parameters:
    ///   - isSent: `true` if there was a connection for the request.
    ///   - hasHead: `true` if the head of the response was received.
    static func error(
      _ error: any Error, host: String, isSent: Bool, hasHead: Bool, configuration: DataLoader.Configuration
    ) -> DataLoader.TransferError {
      switch error {
      case let error as HTTPClientError:
        return clientError(error, host, configuration)
      case let error as NIOConnectionError:
        return connectionError(error, host, configuration)
      case let error as ChannelError:
        return channelError(error, host, configuration)
      case let error as IOError where !isSent:
        return .cannotConnect(host: host, reason: words(error))
      case let error as IOError:
        return .connectionLost(host: host, reason: words(error))
      case NIOSSLError.uncleanShutdown:
        return .connectionLost(host: host, reason: "it was closed without the end of the secure connection")
      case let error where error is NIOSSLError || error is NIOSSLExtraError || error is BoringSSLError:
        return tlsFailure(error, host)
      // The server ended the stream because it could not continue, and not because of a protocol error.
      case let error as NIOHTTP2Errors.StreamClosed where hasHead || error.errorCode != .protocolError:
        return .connectionLost(host: host, reason: "the stream was reset: \(error.errorCode)")
      case HTTPParserError.invalidEOFState, HTTPParserError.closedConnection:
        return .connectionLost(host: host, reason: "it was closed before the response was complete")
      case NIOHTTPDecompression.DecompressionError.limit:
        return .protocolError(host: host, reason: "the body is compressed more than the limit allows")
      case is NIOHTTPDecompression.DecompressionError, is NIOHTTPDecompression.ExtraDecompressionError:
        return .contentNotDecodable(host: host, reason: "\(error)")
      default:
        return .protocolError(host: host, reason: "\(error)")
      }
    }

    /// `true` if a kept connection was closed while the request was sent (RFC 9112 §9.3.1), or appears to be.
    static func isClosedConnection(_ error: any Error) -> Bool {
      switch error {
      case let error as HTTPClientError: error == .remoteConnectionClosed
      case ChannelError.ioOnClosedChannel: true
      case let error as IOError: error.errnoCode == ECONNRESET || error.errnoCode == EPIPE
      default: false
      }
    }

    private static func clientError(
      _ error: HTTPClientError, _ host: String, _ configuration: DataLoader.Configuration
    ) -> DataLoader.TransferError {
      switch error {
      case .connectTimeout, .getConnectionFromPoolTimeout, .tlsHandshakeTimeout, .httpProxyHandshakeTimeout,
        .socksHandshakeTimeout:
        .timedOut(.connect, host: host, seconds: configuration.connectTimeout)
      case .readTimeout, .writeTimeout:
        .timedOut(.idle, host: host, seconds: configuration.idleTimeout)
      case .deadlineExceeded:
        .timedOut(.resource, host: host, seconds: configuration.resourceTimeout ?? 0)
      case .remoteConnectionClosed:
        .connectionLost(host: host, reason: "it was closed before the response was complete")
      case .redirectLimitReached, .redirectCycleDetected:
        .tooManyRedirects(limit: max(0, configuration.maximumRedirects))
      case .invalidProxyResponse, .proxyAuthenticationRequired, .alreadyShutdown:
        .cannotConnect(host: host, reason: error.description)
      case .cancelled:
        .cancelled
      default:
        .protocolError(host: host, reason: error.description)
      }
    }

    private static func connectionError(
      _ error: NIOConnectionError, _ host: String, _ configuration: DataLoader.Configuration
    ) -> DataLoader.TransferError {
      // Errors while a connection is set up are wrapped in the same type.
      guard let last = error.connectionErrors.last?.error else { return .cannotResolveHost(host) }
      return self.error(last, host: host, isSent: false, hasHead: false, configuration: configuration)
    }

    private static func channelError(
      _ error: ChannelError, _ host: String, _ configuration: DataLoader.Configuration
    ) -> DataLoader.TransferError {
      if case .connectTimeout = error {
        return .timedOut(.connect, host: host, seconds: configuration.connectTimeout)
      }
      return .connectionLost(host: host, reason: "\(error)")
    }

    private static func words(_ error: IOError) -> String { String(cString: strerror(error.errnoCode)) }

    private static func tlsFailure(_ error: any Error, _ host: String) -> DataLoader.TransferError {
      switch error {
      case NIOSSLError.noSuchFilesystemObject:
        return .tlsFailed(host: host, reason: "the file of trusted certificates cannot be read")
      case NIOSSLError.failedToLoadCertificate:
        return .tlsFailed(host: host, reason: "the file of trusted certificates contains no certificates")
      case let error as NIOSSLExtraError where error == .failedToValidateHostname:
        return .certificateNotTrusted(host: host, reason: "the certificate is for another host")
      default:
        let text = "\(error)"
        guard text.contains("CERTIFICATE_VERIFY_FAILED") else { return .tlsFailed(host: host, reason: text) }
        return .certificateNotTrusted(host: host, reason: "the certificate is not trusted")
      }
    }
  }
#endif
