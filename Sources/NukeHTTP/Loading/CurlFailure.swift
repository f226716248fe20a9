import CNukeCurl
import Foundation

/// Translates libcurl's results to transfer errors.
enum CurlFailure {
  static func error(
    _ code: CURLcode, of transfer: CurlTransfer, configuration: DataLoader.Configuration
  ) -> DataLoader.TransferError {
    let host = transfer.hostName
    if let address = transfer.forbiddenAddress {
      return .addressNotAllowed(host: host, address: address.description)
    }
    let reason = reason(code, of: transfer, configuration)
    if let status = refusalOfProxy(transfer) {
      return .cannotConnect(host: host, reason: "the proxy answered with status \(status)")
    }
    switch code {
    case CURLE_URL_MALFORMAT:
      // The request's own URL is valid if its server has answered.
      guard transfer.destination.location == nil else {
        return .protocolError(host: host, reason: "it redirects to an invalid URL")
      }
      return .malformedURL(transfer.url)
    case CURLE_COULDNT_RESOLVE_HOST:
      return .cannotResolveHost(host)
    case CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED, CURLE_PROXY:
      return .cannotConnect(host: host, reason: reason)
    case CURLE_OPERATION_TIMEDOUT:
      // The only time limit that libcurl enforces.
      return .timedOut(.connect, host: host, seconds: configuration.connectTimeout)
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS,
      CURLE_SSL_PINNEDPUBKEYNOTMATCH:
      return .certificateNotTrusted(host: host, reason: reason)
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
      CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED,
      CURLE_SSL_CRL_BADFILE, CURLE_SSL_CLIENTCERT, CURLE_USE_SSL_FAILED:
      return .tlsFailed(host: host, reason: reason)
    case CURLE_RECV_ERROR where reason.contains("chunk"):
      // Broken chunked coding shares its code with a broken connection.
      return .protocolError(host: host, reason: reason)
    case CURLE_HTTP2 where transfer.hasHead,
      // A stream that was reset, either by a peer that cannot continue or by one that does not speak HTTP.
      CURLE_HTTP2_STREAM where transfer.hasHead || !reason.contains("PROTOCOL_ERROR"):
      return .connectionLost(host: host, reason: reason)
    case CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_SEND_FAIL_REWIND,
      CURLE_SSL_SHUTDOWN_FAILED:
      return .connectionLost(host: host, reason: reason)
    case CURLE_REMOTE_FILE_NOT_FOUND:
      return .fileNotFound(path: path(of: transfer))
    case CURLE_REMOTE_ACCESS_DENIED, CURLE_FTP_COULDNT_RETR_FILE, CURLE_LOGIN_DENIED, CURLE_WEIRD_SERVER_REPLY:
      return refusal(code, of: transfer, host: host, reason: reason)
    default:
      return .protocolError(host: host, reason: reason)
    }
  }

  /// Returns the error for an FTP reply (RFC 959 §4.2): 4yz is temporary, and 550 means that the file or a folder on
  /// its path does not exist.
  private static func refusal(
    _ code: CURLcode, of transfer: CurlTransfer, host: String, reason: String
  ) -> DataLoader.TransferError {
    let reply = transfer.handle.map { nuke_curl_get_long($0.easy, CURLINFO_RESPONSE_CODE) } ?? 0
    switch reply {
    case 400..<500: return .cannotConnect(host: host, reason: "the server is temporarily unavailable: reply \(reply)")
    case 550: return .fileNotFound(path: path(of: transfer))
    case 500..<600:
      return .fileNotReadable(path: path(of: transfer), reason: "the server answered with reply \(reply)")
    default: return .protocolError(host: host, reason: reason)
    }
  }

  private static func path(of transfer: CurlTransfer) -> String { URL(string: transfer.url)?.path ?? transfer.url }

  /// Returns the status of a proxy that refuses a tunnel. Depending on its version, libcurl reports it as a broken
  /// connection or as a failed one.
  private static func refusalOfProxy(_ transfer: CurlTransfer) -> Int? {
    guard let handle = transfer.handle else { return nil }
    let status = nuke_curl_get_long(handle.easy, CURLINFO_HTTP_CONNECTCODE)
    return status == 0 || (200..<300).contains(status) ? nil : status
  }

  private static func reason(
    _ code: CURLcode, of transfer: CurlTransfer, _ configuration: DataLoader.Configuration
  ) -> String {
    if code == CURLE_COULDNT_CONNECT, let handle = transfer.handle {
      let number = nuke_curl_get_long(handle.easy, CURLINFO_OS_ERRNO)
      if number != 0 { return String(cString: strerror(CInt(number))) }
    }
    let text = transfer.handle?.failureText ?? ""
    // The URL of a proxy may contain a password.
    let isSecret = if case .url(let proxy) = configuration.proxy { text.contains(proxy.absoluteString) } else { false }
    return text.isEmpty || isSecret ? String(cString: curl_easy_strerror(code)) : text
  }
}
