import CNukeCurl
import Foundation
import FoundationNetworking

/// An easy handle of libcurl, set up for one configuration and used for one transfer after another.
///
/// The options of all transfers are set once: setting an option copies its string.
final class CurlHandle {
  let easy: UnsafeMutableRawPointer
  private let configuration: DataLoader.Configuration
  /// The maximum number of bytes that are delivered at a time, and that are buffered while a transfer is paused.
  let bufferSize: Int
  private let errorText: UnsafeMutablePointer<CChar>
  private var fields: UnsafeMutablePointer<curl_slist>?
  /// The addresses of host names that tests replace (`CURLOPT_RESOLVE`).
  private var names: UnsafeMutablePointer<curl_slist>?
  /// `true` if the last request was not a simple GET, so that its options must be reset.
  private var needsReset = false
  /// `true` if requests must be signed and this libcurl does not support that.
  private var cannotSign = false

  init?(configuration: DataLoader.Configuration, bufferSize: Int) {
    guard let easy = curl_easy_init() else { return nil }
    self.easy = easy
    self.bufferSize = bufferSize
    self.configuration = configuration
    errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    applyConfiguration()
  }

  deinit {
    curl_easy_cleanup(easy)
    curl_slist_free_all(fields)
    curl_slist_free_all(names)
    errorText.deallocate()
  }

  /// libcurl's description of the last failure; empty if there is none.
  var failureText: String { String(cString: errorText) }

  /// Resets the handle after a transfer.
  func recycle() {
    if needsReset {
      curl_easy_reset(easy)
      applyConfiguration()
      needsReset = false
    } else {
      _ = nuke_curl_set_list(easy, CURLOPT_HTTPHEADER, nil)
      _ = nuke_curl_set_list(easy, CURLOPT_RESOLVE, nil)
    }
    curl_slist_free_all(fields)
    fields = nil
    curl_slist_free_all(names)
    names = nil
  }

  /// Prepares the handle to send `request` to one of its destinations, and to report to `transfer`. `transfer` must
  /// outlive the libcurl transfer.
  func prepare(
    _ request: URLRequest, to destination: Destination, for transfer: CurlTransfer
  ) throws(DataLoader.TransferError) {
    let url = destination.url
    errorText[0] = 0
    let context = Unmanaged.passUnretained(transfer).toOpaque()
    _ = nuke_curl_set_pointer(easy, CURLOPT_PRIVATE, context)
    _ = nuke_curl_set_pointer(easy, CURLOPT_WRITEDATA, context)
    _ = nuke_curl_set_pointer(easy, CURLOPT_HEADERDATA, context)
    _ = nuke_curl_set_pointer(easy, CURLOPT_PREREQDATA, context)
    _ = nuke_curl_set_pointer(easy, CURLOPT_OPENSOCKETDATA, context)

    guard !cannotSign else { throw .malformedRequest(reason: "this version of libcurl cannot sign requests") }
    try checkHost(of: url)
    guard nuke_curl_set_string(easy, CURLOPT_URL, url) == CURLE_OK else { throw .malformedURL(url) }
    // Waiting for a connection that can be shared is useful only if it may be HTTP/2. Without TLS, the first requests
    // would be sent one after another.
    let isTLS = url.utf8.dropFirst(4).first.map { $0 | 0x20 } == UInt8(ascii: "s")
    let mayShare = isTLS && configuration.httpVersion != .http1
    _ = nuke_curl_set_long(easy, CURLOPT_PIPEWAIT, mayShare ? 1 : 0)
    setBody(of: request, to: destination)
    setNames()
    try setFields(of: request, to: destination)
  }

  /// Checks a host before it is sent to a proxy that resolves it.
  private func checkHost(of url: String) throws(DataLoader.TransferError) {
    guard configuration.leavesAddressesToProxy else { return }
    // As libcurl parses it: numbers in all notations of IPv4 are addresses.
    guard let host = CurlURL(url)?[CURLUPART_HOST] else { throw .malformedURL(url) }
    guard configuration.addressPolicy.allows(host: host) else { throw .hostNotAllowed(host) }
  }

  private func setNames() {
    guard let dialing = configuration.dialing else { return }
    for name in dialing.names() { names = curl_slist_append(names, name) ?? names }
    _ = nuke_curl_set_list(easy, CURLOPT_RESOLVE, names)
  }

  private func setBody(of request: URLRequest, to destination: Destination) {
    let method = destination.method(request.httpMethod ?? "GET")
    let body = destination.body(request.httpBody)
    guard method != "GET" || body != nil else { return }
    needsReset = true
    if let body {
      _ = nuke_curl_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
      body.withUnsafeBytes { bytes in
        _ = nuke_curl_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: bytes.baseAddress))
      }
      if body.isEmpty { _ = nuke_curl_set_string(easy, CURLOPT_COPYPOSTFIELDS, "") }
    }
    switch method {
    case "HEAD":
      _ = nuke_curl_set_long(easy, CURLOPT_NOBODY, 1)
    case "POST":
      if body == nil { _ = nuke_curl_set_string(easy, CURLOPT_COPYPOSTFIELDS, "") }
    default:
      _ = nuke_curl_set_string(easy, CURLOPT_CUSTOMREQUEST, method)
    }
  }

  private func setFields(of request: URLRequest, to destination: Destination) throws(DataLoader.TransferError) {
    var hasExpect = false
    var fields = RequestFields.all(of: request, configuration)
    if let signing = configuration.signing {
      // libcurl 7.88 signs such a field under another name.
      fields.removeAll { $0.value.isEmpty }
      if case .fields(let authorizer) = signing {
        // Redirects are not followed, so all of the fields are sent.
        fields += authorizer.fields(request.httpMethod ?? "GET", destination.url, fields)
      }
    }
    for (name, value) in fields where !destination.drops(name) {
      switch name.utf8.count {
      case 6 where name.lowercased() == "expect": hasExpect = true
      // libcurl states the length of the body itself.
      case 14 where name.lowercased() == "content-length": continue
      default: break
      }
      try RequestFields.check(name, value)
      // libcurl sends a field without a value if it is written with a semicolon.
      append(value.isEmpty ? "\(name);" : "\(name): \(value)")
    }
    // Otherwise, libcurl waits up to a second for the server's permission to send a large body. libcurl 7.88 would sign
    // the field even if it is configured not to.
    if !hasExpect, needsReset, configuration.signing == nil { append("Expect:") }
    _ = nuke_curl_set_list(easy, CURLOPT_HTTPHEADER, self.fields)
  }

  private func append(_ field: String) {
    if let list = curl_slist_append(fields, field) { fields = list }
  }

  private func setSigning() {
    guard case .signatureV4(let signing)? = configuration.signing else { return }
    let scope = "aws:amz:\(signing.region):\(signing.service)"
    cannotSign = nuke_curl_set_string(easy, CURLOPT_AWS_SIGV4, scope) != CURLE_OK
    _ = nuke_curl_set_string(easy, CURLOPT_USERNAME, signing.accessKey)
    _ = nuke_curl_set_string(easy, CURLOPT_PASSWORD, signing.secretKey)
    _ = nuke_curl_set_string(easy, CURLOPT_USERAGENT, configuration.userAgent)
    _ = nuke_curl_set_long(easy, CURLOPT_EXPECT_100_TIMEOUT_MS, 1)
  }

  private func applyConfiguration() {
    _ = nuke_curl_set_pointer(easy, CURLOPT_ERRORBUFFER, errorText)
    // libcurl must not use signals for timeouts in a program with threads.
    _ = nuke_curl_set_long(easy, CURLOPT_NOSIGNAL, 1)
    _ = nuke_curl_set_long(easy, CURLOPT_BUFFERSIZE, bufferSize)
    nuke_curl_restrict_schemes(easy)
    nuke_curl_leave_resolver_behind(easy)

    _ = nuke_curl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, Int(milliseconds(configuration.connectTimeout)))
    _ = nuke_curl_set_long(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)

    let version =
      switch configuration.httpVersion {
      case .automatic: CURL_HTTP_VERSION_2TLS
      case .http1: CURL_HTTP_VERSION_1_1
      case .http2: CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE
      }
    _ = nuke_curl_set_long(easy, CURLOPT_HTTP_VERSION, Int(version))

    switch configuration.proxy {
    case .environment where configuration.addressPolicy.allowsAll: break
    case .environment: _ = nuke_curl_set_string(easy, CURLOPT_PROXY, "")
    case .none: _ = nuke_curl_set_string(easy, CURLOPT_PROXY, "")
    case .url(let url):
      _ = nuke_curl_set_string(easy, CURLOPT_PROXY, url.absoluteString)
      // Otherwise, libcurl would connect to the hosts in the environment's `no_proxy` by itself.
      _ = nuke_curl_set_string(easy, CURLOPT_NOPROXY, "")
    }
    if configuration.caFile != nil || configuration.caPath != nil {
      // A null pointer would remove the system's certificates.
      _ = nuke_curl_set_string(easy, CURLOPT_CAINFO, configuration.caFile)
      _ = nuke_curl_set_string(easy, CURLOPT_CAPATH, configuration.caPath)
      _ = nuke_curl_set_string(easy, CURLOPT_PROXY_CAINFO, configuration.caFile)
      _ = nuke_curl_set_string(easy, CURLOPT_PROXY_CAPATH, configuration.caPath)
    }

    setSigning()

    _ = nuke_curl_set_bytes_callback(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
      CurlTransfer.from(context).didReceiveBody(UnsafeRawBufferPointer(start: bytes, count: size * count))
    }
    _ = nuke_curl_set_bytes_callback(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
      CurlTransfer.from(context).didReceiveHeader(UnsafeRawBufferPointer(start: bytes, count: size * count))
    }
    _ = nuke_curl_set_request_callback(easy) { context, _, _, _, _ in
      CurlTransfer.from(context).willSendRequest()
      return CURL_PREREQFUNC_OK
    }
    guard !configuration.addressPolicy.allowsAll || configuration.dialing != nil else { return }
    _ = nuke_curl_set_socket_callback(easy) { context, _, address in
      guard let address else { return CURL_SOCKET_BAD }
      return CurlSocket.open(address, for: CurlTransfer.from(context))
    }
  }
}

/// Converts to whole milliseconds, from 1 up to a value that every timer accepts.
func milliseconds(_ seconds: TimeInterval) -> Int64 {
  // NaN counts as no limit.
  guard seconds < 1e9 else { return 1_000_000_000_000 }
  return seconds > 0 ? Int64((seconds * 1000).rounded(.up)) : 1
}
