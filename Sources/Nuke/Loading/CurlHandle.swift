import CNukeCurl
import Foundation
import FoundationNetworking
import NukeCodecs

/// An easy handle of libcurl, set up for one configuration and used for one transfer after another.
///
/// What holds for every transfer is set once: setting an option copies its string.
final class CurlHandle {
  let easy: UnsafeMutableRawPointer
  private let configuration: DataLoader.Configuration
  /// The most bytes that are delivered at a time, and held back where a transfer is paused.
  let bufferSize: Int
  private let errorText: UnsafeMutablePointer<CChar>
  private var fields: UnsafeMutablePointer<curl_slist>?
  /// Names of tests.
  private var names: UnsafeMutablePointer<curl_slist>?
  /// The last request was more than a GET, and left options behind.
  private var needsReset = false
  /// This libcurl cannot sign, and is to.
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

  /// libcurl's own words about the last failure; empty where it left none.
  var failureText: String { String(cString: errorText) }

  /// Forgets the last transfer.
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

  /// Sets the handle up to send `request` to one of its destinations, and to report to `transfer`, which must outlive the
  /// transfer.
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

    guard !cannotSign else { throw .malformedRequest(reason: "this libcurl cannot sign it") }
    guard nuke_curl_set_string(easy, CURLOPT_URL, url) == CURLE_OK else { throw .malformedURL(url) }
    // To wait for a connection that may carry many requests pays only where HTTP/2 may come of it: without TLS it
    // would send the requests of a cold burst one after another.
    let isTLS = url.utf8.dropFirst(4).first.map { $0 | 0x20 } == UInt8(ascii: "s")
    let mayShare = isTLS && configuration.httpVersion != .http1
    _ = nuke_curl_set_long(easy, CURLOPT_PIPEWAIT, mayShare ? 1 : 0)
    setBody(of: request, to: destination)
    setNames()
    try setFields(of: request, to: destination)
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

  private static let accept =
    ImageFormat.readable.map(\.mediaType).joined(separator: ",") + ",*/*;q=0.5"

  /// The header fields that a request is sent with, apart from those that are about its connection and its body.
  static func fields(
    of request: URLRequest, configuration: DataLoader.Configuration
  ) -> [(name: String, value: String)] {
    let own = request.allHTTPHeaderFields ?? [:]
    var fields = own.map { (name: $0.key, value: $0.value) }
    if !configuration.additionalHeaders.isEmpty {
      let given = Set(own.keys.map { $0.lowercased() })
      for (name, value) in configuration.additionalHeaders where !given.contains(name.lowercased()) {
        fields.append((name, value))
      }
    }
    // What is signed must arrive as it was sent, and libcurl 7.88 signs all of these; it also takes `accept-encoding` to
    // come before `accept`.
    guard configuration.signing == nil else { return fields }
    var has = (accept: false, encoding: false, agent: false)
    for (name, _) in fields {
      switch name.utf8.count {
      case 6 where name.lowercased() == "accept": has.accept = true
      case 10 where name.lowercased() == "user-agent": has.agent = true
      case 15 where name.lowercased() == "accept-encoding": has.encoding = true
      default: break
      }
    }
    if !has.accept { fields.append(("Accept", accept)) }
    if !has.encoding { fields.append(("Accept-Encoding", "identity")) }
    if !has.agent, let agent = configuration.userAgent { fields.append(("User-Agent", agent)) }
    return fields
  }

  private func setFields(of request: URLRequest, to destination: Destination) throws(DataLoader.TransferError) {
    var hasExpect = false
    for (name, value) in Self.fields(of: request, configuration: configuration) where !destination.drops(name) {
      switch name.utf8.count {
      case 6 where name.lowercased() == "expect": hasExpect = true
      // libcurl counts the body itself.
      case 14 where name.lowercased() == "content-length": continue
      // libcurl would send it to servers too.
      case 19 where name.lowercased() == "proxy-authorization":
        throw .malformedRequest(reason: "credentials for a proxy belong into the proxy's URL, in the configuration")
      default: break
      }
      guard !name.isEmpty, name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x3A }) else {
        throw .malformedRequest(reason: "\"\(name)\" cannot be the name of a header field")
      }
      guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
        throw .malformedRequest(reason: "the value of the header field \(name) holds a control character")
      }
      // libcurl 7.88 signs such a field under another name.
      if value.isEmpty, configuration.signing != nil { continue }
      // The semicolon is how libcurl is told to send a field without a value.
      append(value.isEmpty ? "\(name);" : "\(name): \(value)")
    }
    // Else libcurl waits up to a second for a server's leave to send a large body.
    // libcurl 7.88 would sign the field that it is told to leave out.
    if !hasExpect, needsReset, configuration.signing == nil { append("Expect:") }
    _ = nuke_curl_set_list(easy, CURLOPT_HTTPHEADER, fields)
  }

  private func append(_ field: String) {
    if let list = curl_slist_append(fields, field) { fields = list }
  }

  private func setSigning() {
    guard let signing = configuration.signing else { return }
    let scope = "aws:amz:\(signing.region):\(signing.service)"
    cannotSign = nuke_curl_set_string(easy, CURLOPT_AWS_SIGV4, scope) != CURLE_OK
    _ = nuke_curl_set_string(easy, CURLOPT_USERNAME, signing.accessKey)
    _ = nuke_curl_set_string(easy, CURLOPT_PASSWORD, signing.secretKey)
    _ = nuke_curl_set_string(easy, CURLOPT_USERAGENT, configuration.userAgent)
    _ = nuke_curl_set_long(easy, CURLOPT_EXPECT_100_TIMEOUT_MS, 1)
  }

  private func applyConfiguration() {
    _ = nuke_curl_set_pointer(easy, CURLOPT_ERRORBUFFER, errorText)
    // Signals for time limits do not go with threads.
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
    case .url(let url): _ = nuke_curl_set_string(easy, CURLOPT_PROXY, url.absoluteString)
    }
    if configuration.caFile != nil || configuration.caPath != nil {
      // A null pointer takes the system's certificates away.
      _ = nuke_curl_set_string(easy, CURLOPT_CAINFO, configuration.caFile)
      _ = nuke_curl_set_string(easy, CURLOPT_CAPATH, configuration.caPath)
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

/// Whole milliseconds, from 1 up to what every timer takes.
func milliseconds(_ seconds: TimeInterval) -> Int64 {
  // Not a number counts as no limit.
  guard seconds < 1e9 else { return 1_000_000_000_000 }
  return seconds > 0 ? Int64((seconds * 1000).rounded(.up)) : 1
}
