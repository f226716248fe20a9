public import Foundation
import NukeBase

extension DataLoader {
  /// The error for a response that a loader does not accept. All other transfer failures are a `URLError`, with a
  /// ``TransferError`` as its underlying error.
  public enum Error: LocalizedError, Equatable, CustomStringConvertible {
    /// The server responded with a status outside 200…299.
    case statusCodeUnacceptable(Int)

    /// A sentence with the status.
    public var description: String {
      switch self {
      case .statusCodeUnacceptable(let status): "The server answered with status \(status)."
      }
    }

    /// The ``description``.
    public var errorDescription: String? { description }
  }

  /// The detail of a failed transfer, as the underlying error of a `URLError`. Its description is one sentence that
  /// names the host, path or limit.
  ///
  /// ```swift
  /// if let error = error as? URLError, let detail = error.userInfo[NSUnderlyingErrorKey] as? DataLoader.TransferError
  /// { print(detail) }
  /// ```
  public enum TransferError: Swift.Error, Equatable, CustomStringConvertible {
    case cannotResolveHost(String)
    case cannotConnect(host: String, reason: String)
    /// ``DataLoader/Configuration/addressPolicy`` refuses all addresses of the host; contains the first of them.
    case addressNotAllowed(host: String, address: String)
    /// ``DataLoader/Configuration/addressPolicy`` refuses the host, which is not sent to the proxy.
    case hostNotAllowed(String)
    /// The connection ended before the response was complete.
    case connectionLost(host: String, reason: String)
    case timedOut(Phase, host: String, seconds: TimeInterval)
    case tooManyRedirects(limit: Int)
    /// The server redirected from https to http.
    case insecureRedirect(host: String)
    /// A secure connection could not be established.
    case tlsFailed(host: String, reason: String)
    /// The server's certificate is not trusted: it has expired, is for another host, or was issued by an unknown
    /// authority.
    case certificateNotTrusted(host: String, reason: String)
    case unsupportedScheme(String)
    case malformedURL(String)
    /// The request cannot be sent, for example because a header field contains a line break.
    case malformedRequest(reason: String)
    case malformedDataURL(reason: String)
    /// The file does not exist, on this machine or on an FTP server.
    case fileNotFound(path: String)
    /// The file cannot be read, access to it is denied, or an FTP server has rejected the login.
    case fileNotReadable(path: String, reason: String)
    case isDirectory(path: String)
    /// The body is larger than the limit, in bytes.
    case bodyTooLarge(limit: Int)
    /// The server's response violates its protocol.
    case protocolError(host: String, reason: String)
    /// The body cannot be decoded according to its `Content-Encoding`: the coding is neither gzip nor deflate, or the
    /// encoded data is truncated or damaged.
    case contentNotDecodable(host: String, reason: String)
    case cancelled

    /// The time limit that was exceeded.
    public enum Phase: String, Sendable {
      /// The time from resolving the host name to an established connection.
      case connect
      /// The time without a byte of the response.
      case idle
      /// The time of the whole transfer, from the start to the last byte.
      case resource
    }

    /// A sentence that names the host, the path or the limit.
    public var description: String {
      switch self {
      case .cannotResolveHost(let host):
        "The host \(host) was not found."
      case .cannotConnect(let host, let reason):
        "Could not connect to \(host): \(reason)."
      case .addressNotAllowed(let host, let address):
        "Connections to \(address), the address of \(host), are not allowed."
      case .hostNotAllowed(let host):
        "Connections to \(host) are not allowed."
      case .connectionLost(let host, let reason):
        "The connection to \(host) was lost: \(reason)."
      case .timedOut(.connect, let host, let seconds):
        "Could not connect to \(host) within \(Self.text(seconds)) s."
      case .timedOut(.idle, let host, let seconds):
        "\(host) sent nothing for \(Self.text(seconds)) s."
      case .timedOut(.resource, let host, let seconds):
        "\(host) did not send the whole response within \(Self.text(seconds)) s."
      case .tooManyRedirects(let limit):
        "The server redirected more than \(limit) times."
      case .insecureRedirect(let host):
        "The server redirected from https to http at \(host). To allow this, set followsInsecureRedirects."
      case .tlsFailed(let host, let reason), .certificateNotTrusted(let host, let reason):
        "Could not establish a secure connection to \(host): \(reason)."
      case .unsupportedScheme(let scheme):
        scheme.isEmpty ? "The URL has no scheme." : "URLs with the scheme \(scheme) are not supported by this loader."
      case .malformedURL(let url):
        "The URL \(Self.shortened(url.withoutSecrets)) is malformed."
      case .malformedRequest(let reason):
        "The request cannot be sent: \(reason)."
      case .malformedDataURL(let reason):
        "The data: URL is malformed: \(reason)."
      case .fileNotFound(let path):
        "There is no file at \(path)."
      case .fileNotReadable(let path, let reason):
        "The file at \(path) cannot be read: \(reason)."
      case .isDirectory(let path):
        "\(path) is a folder, not a file."
      case .bodyTooLarge(let limit):
        "The body is larger than the limit of \(limit) bytes."
      case .protocolError(let host, let reason):
        "The response from \(host) is invalid: \(reason)."
      case .contentNotDecodable(let host, let reason):
        "The body from \(host) cannot be decoded: \(reason)."
      case .cancelled:
        "The transfer was canceled."
      }
    }

    private static func text(_ seconds: TimeInterval) -> String {
      seconds == seconds.rounded() && abs(seconds) < 1e15 ? String(Int64(seconds)) : String(seconds)
    }

    private static func shortened(_ text: String) -> String {
      text.count > 120 ? text.prefix(120) + "…" : text
    }
  }
}
