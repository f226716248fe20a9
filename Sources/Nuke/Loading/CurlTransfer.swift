import CNukeCurl
package import Foundation
import FoundationNetworking
import Synchronization

/// One request on its way through libcurl, redirects included: each hop has a place of its own, and a handle.
///
/// `cancel()`, `pause()`, `resume()` and `setPriority()` come from any thread and touch the atomic values alone. All else is used by the
/// curl thread only, from the moment the transfer has been posted.
final class CurlTransfer: Transfer, QueuedTransfer, @unchecked Sendable {
  let request: URLRequest
  /// Whom the request is sent to now.
  private(set) var destination: Destination
  private let configuration: DataLoader.Configuration
  private let limit: Int?
  private let acceptance: ResponseAcceptance
  private let mailbox: CurlMailbox
  private let cancelled = Atomic<Bool>(false)
  private let paused: Atomic<Bool>
  private let priority = Atomic<Int>(ImageRequest.Priority.normal.rawValue)

  /// `nil` once the end has been told; whatever the observer keeps is free then.
  private var observer: (any StreamObserver)?

  /// Set while libcurl has the transfer.
  var handle: CurlHandle?
  /// The queue whose place the transfer takes or waits for.
  var host: CurlHost?
  /// The place among those that wait there: the lane, `nil` for one that does not wait, and the neighbors.
  var lane: Int?
  var next: CurlTransfer?
  unowned(unsafe) var previous: CurlTransfer?
  /// Receives the callbacks of an HTTP/2 transfer.
  var activity: CurlActivity?
  /// The place in the loop's list.
  var index = -1

  /// The start of the current idle time, and of the total time, in nanoseconds.
  private(set) var lastActivity: UInt64
  private let startTime: UInt64
  private var hasSentRequest = false
  /// Since the last request was sent: the first address that the policy refused, and whether it allowed one.
  private var refusedAddress: IPAddress?
  private var hasAllowedAddress = false
  private var uploadedBytes: curl_off_t = 0

  private var head: [UInt8] = []
  /// Bytes of heads and of fields after the body, of this hop.
  private var fieldBytes = 0
  /// Lines of these.
  private var fieldLines = 0
  private var status = 0
  private var contentLength: Int?
  /// The stated length is no length, or there are several.
  private var hasBadLength = false
  private var isChunked = false
  private var isHTTP2 = false
  private var hasRetried = false
  /// The head of the answer has come, and has been told.
  private(set) var hasHead = false
  private var receivedBytes = 0
  /// The target of the redirect that has arrived. The rest of its body is discarded.
  private var redirect: Destination?
  /// The number of discarded bytes of that body.
  private var discardedBytes = 0
  /// The end has been told, and what is left of the body is read to keep the connection.
  private var isDiscarding = false
  /// libcurl holds back a chunk.
  var isFrozen = false
  /// Why a callback made libcurl give up.
  private(set) var failure: (any Error)?

  init(
    request: URLRequest, configuration: DataLoader.Configuration, limit: Int?, acceptance: ResponseAcceptance,
    observer: any StreamObserver, mailbox: CurlMailbox, startTime: UInt64, isPaused: Bool
  ) {
    self.request = request
    self.configuration = configuration
    self.limit = limit
    self.acceptance = acceptance
    self.observer = observer
    self.mailbox = mailbox
    destination = Destination(url: request.url?.absoluteString ?? "")
    lastActivity = monotonicNanoseconds()
    self.startTime = startTime
    paused = Atomic(isPaused)
  }

  static func from(_ context: UnsafeMutableRawPointer?) -> CurlTransfer {
    Unmanaged<CurlTransfer>.fromOpaque(context!).takeUnretainedValue()
  }

  // MARK: From any thread

  var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

  var isWanted: Bool { !isCancelled }

  func cancel() {
    guard !cancelled.exchange(true, ordering: .acquiringAndReleasing) else { return }
    _ = mailbox.post(.cancel(self))
  }

  func pause() { paused.store(true, ordering: .releasing) }

  func resume() {
    guard paused.exchange(false, ordering: .acquiringAndReleasing) else { return }
    _ = mailbox.post(.resume(self))
  }

  /// The priority that was asked for last.
  var wantedPriority: ImageRequest.Priority { .init(rawValue: priority.load(ordering: .relaxed)) ?? .normal }

  func setPriority(_ priority: ImageRequest.Priority) {
    guard self.priority.exchange(priority.rawValue, ordering: .relaxed) != priority.rawValue else { return }
    _ = mailbox.post(.reprioritize(self))
  }

  // MARK: On the curl thread

  var url: String { destination.url }

  var isRecorded: Bool { observer?.isRecording ?? false }

  var isFinished: Bool { observer == nil && !isDiscarding }

  /// Reports the end, once.
  func finish(_ error: (any Error)?) {
    isDiscarding = false
    guard let observer else { return }
    self.observer = nil
    observer.didFinish(error)
  }

  /// Lets a frozen transfer go on; `false` if it ended in the attempt.
  func thaw() -> Bool {
    guard isFrozen, let handle else { return true }
    isFrozen = false
    lastActivity = monotonicNanoseconds()
    // It delivers what was held back at once, through the write callback.
    return curl_easy_pause(handle.easy, CURLPAUSE_CONT) == CURLE_OK
  }

  var dialing: Dialing? { configuration.dialing }

  /// Returns `true` if a connection may be made to an address of the host.
  func mayConnect(to address: IPAddress) -> Bool {
    guard configuration.addressPolicy.allows(address) else {
      if refusedAddress == nil { refusedAddress = address }
      return false
    }
    hasAllowedAddress = true
    return true
  }

  /// The first refused address, if all addresses of the host were refused.
  var forbiddenAddress: IPAddress? { hasAllowedAddress ? nil : refusedAddress }

  func willSendRequest() {
    refusedAddress = nil
    hasAllowedAddress = false
    hasSentRequest = true
    lastActivity = monotonicNanoseconds()
  }

  /// Takes one line of a head, its line break included. Returns how much was taken; less makes libcurl give up.
  func didReceiveHeader(_ line: UnsafeRawBufferPointer) -> Int {
    fieldBytes += line.count
    fieldLines += 1
    guard fieldBytes <= Self.fieldLimit else {
      return fail(
        DataLoader.TransferError.protocolError(
          host: hostName, reason: "its header fields are more than \(Self.fieldLimit) bytes"))
    }
    // Some of what is done with fields looks at each for each.
    guard fieldLines <= Self.lineLimit else {
      return fail(
        DataLoader.TransferError.protocolError(
          host: hostName, reason: "it has more than \(Self.lineLimit) header fields"))
    }
    lastActivity = monotonicNanoseconds()
    // Fields after a body (RFC 9110 §6.5) are of no use here.
    guard !hasHead, redirect == nil else { return line.count }
    if line.count > 5, line.starts(with: "HTTP/".utf8) {
      // Each head replaces the one before, such as of "100 Continue".
      forgetHead()
      status = Self.status(in: line)
      isHTTP2 = line[5] == UInt8(ascii: "2")
    } else if head.isEmpty {
      // The lines of an ftp server.
      return line.count
    } else if line.count <= 2, line.last == UInt8(ascii: "\n"), line.first == line.last || line[0] == UInt8(ascii: "\r")
    {
      return didReceiveHead() ? line.count : 0
    } else {
      note(line)
    }
    if isHTTP2 { activity?.note() }
    if head.isEmpty { head.reserveCapacity(512) }
    head.append(contentsOf: line)
    return line.count
  }

  /// Takes a part of the body. Returns how much was taken; less makes libcurl give up.
  func didReceiveBody(_ bytes: UnsafeRawBufferPointer) -> Int {
    if isHTTP2 { activity?.note() }
    if isDiscarding { return bytes.count }
    guard !isCancelled else { return fail(DataLoader.TransferError.cancelled) }
    if redirect != nil {
      discardedBytes += bytes.count
      return discardedBytes > Self.discardLimit ? 0 : bytes.count
    }
    if paused.load(ordering: .acquiring) {
      isFrozen = true
      return Int(CURL_WRITEFUNC_PAUSE)
    }
    lastActivity = monotonicNanoseconds()
    if !hasHead, !deliverHead() { return 0 }
    if let limit, bytes.count > limit - receivedBytes {
      return fail(DataLoader.TransferError.bodyTooLarge(limit: limit))
    }
    receivedBytes += bytes.count
    observer?.didReceive(bytes)
    return bytes.count
  }

  /// Reports a head without a body, as that of an empty FTP file. Returns `false` if the transfer has failed.
  func didReceiveEnd() -> Bool {
    if hasHead { return true }
    // libcurl takes a connection that is closed within a head for an end.
    guard head.isEmpty else {
      return fail(
        DataLoader.TransferError.connectionLost(host: hostName, reason: "it was closed before the end of the head")) > 0
    }
    return deliverHead()
  }

  /// True once, where a kept connection broke before the first byte of an answer: the server closed it as the request
  /// was on its way (RFC 9112 §9.3.1). libcurl tries again by itself in most of these cases, not in all.
  func takeRetry(after code: CURLcode) -> Bool {
    guard !hasRetried, !isCancelled, head.isEmpty, let handle else { return false }
    switch code {
    case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING: break
    default: return false
    }
    guard nuke_curl_get_long(handle.easy, CURLINFO_NUM_CONNECTS) == 0 else { return false }
    switch method {
    case "GET", "HEAD": break
    default: return false
    }
    hasRetried = true
    hasSentRequest = false
    return true
  }

  /// Returns the time of the next check of the time limits, or the error of the limit that was exceeded.
  func deadline(now: UInt64) -> Result<UInt64, DataLoader.TransferError> {
    let next = timeLimit ?? .max
    if now >= next, let seconds = configuration.resourceTimeout {
      return .failure(.timedOut(.resource, host: hostName, seconds: seconds))
    }
    guard let handle else { return .success(next) }
    let idle = idleTimeout
    if !hasSentRequest || isFrozen || hasUploaded(handle) { lastActivity = now }
    let end = lastActivity &+ nanoseconds(idle)
    if now >= end { return .failure(.timedOut(.idle, host: hostName, seconds: idle)) }
    return .success(min(next, end))
  }

  /// The time at which the total time limit is exceeded.
  var timeLimit: UInt64? { configuration.resourceTimeout.map { startTime &+ nanoseconds($0) } }

  var idleTimeout: TimeInterval {
    // 60 is URLRequest's default: it cannot be told whether somebody wrote it.
    request.timeoutInterval == 60 ? configuration.idleTimeout : request.timeoutInterval
  }

  /// The host that is being talked to, for messages.
  var hostName: String { (destination.location ?? request.url)?.host ?? url }

  /// The answer leads elsewhere, and nothing keeps the transfer from going there.
  var isRedirected: Bool { redirect != nil && failure == nil }

  /// Turns to where the answer leads, with nothing of what this hop has left. libcurl must have let go of it.
  func followRedirect() {
    guard let next = redirect else { return }
    redirect = nil
    destination = next
    hasSentRequest = false
    hasRetried = false
    refusedAddress = nil
    hasAllowedAddress = false
    uploadedBytes = 0
    discardedBytes = 0
    fieldBytes = 0
    fieldLines = 0
    forgetHead()
  }

  private var method: String { destination.method(request.httpMethod ?? "GET") }

  private func hasUploaded(_ handle: CurlHandle) -> Bool {
    let bytes = nuke_curl_get_offset(handle.easy, CURLINFO_SIZE_UPLOAD_T)
    defer { uploadedBytes = bytes }
    return bytes > uploadedBytes
  }

  /// The whole head has come. False where the transfer is to end.
  private func didReceiveHead() -> Bool {
    if (100..<200).contains(status) { return true }
    do throws(DataLoader.TransferError) {
      redirect = try destination.redirected(
        status: status, location: HeaderBlock(head).firstValue(for: "location"), method: method,
        configuration: configuration)
    } catch {
      return fail(error) > 0
    }
    // Else libcurl gives up, and with it the connection. A length that is not stated may be short, and what has no end but
    // the connection's is no use.
    if redirect != nil {
      let length = isChunked ? nil : contentLength
      return !hasBadLength && (isShort(length) || length == nil && (isChunked || isHTTP2))
    }
    // libcurl takes the last of several, and of each what looks like a number (RFC 9112 §6.3).
    guard !hasBadLength || isChunked else {
      return fail(DataLoader.TransferError.protocolError(host: hostName, reason: "the length of its body is not clear"))
        > 0
    }
    return deliverHead()
  }

  private func deliverHead() -> Bool {
    hasHead = true
    guard let observer, let handle else { return true }
    guard !isCancelled else { return fail(DataLoader.TransferError.cancelled) > 0 }
    let head = makeHead(handle)
    if let error = acceptance.refusal(of: head, to: request) {
      observer.didRefuse(head)
      guard isShort(head.expectedLength) else { return fail(error) > 0 }
      finish(error)
      isDiscarding = true
      return true
    }
    if let limit, method != "HEAD", let length = head.expectedLength, length > limit {
      return fail(DataLoader.TransferError.bodyTooLarge(limit: limit)) > 0
    }
    observer.didReceive(head)
    return true
  }

  /// Returns `true` if reading the rest of an answer costs less than a new connection, as of a page of apology.
  private func isShort(_ length: Int?) -> Bool {
    method == "HEAD" || status == 204 || status == 304 || length.map { $0 <= Self.discardLimit } ?? false
  }

  /// More than any server has reason to send before a body; some send hundreds of "103 Early Hints" fields.
  private static let fieldLimit = 256 * 1024
  private static let lineLimit = 2000

  /// The largest body of a refused response, or of a redirect, that is read, in bytes.
  private static let discardLimit = 16 * 1024

  private func makeHead(_ handle: CurlHandle) -> ResponseHead {
    let final = destination.location ?? request.url ?? URL(fileURLWithPath: "/")
    if !head.isEmpty {
      return ResponseHead(url: final, status: status, expectedLength: isChunked ? nil : contentLength, block: head)
    }
    let length = nuke_curl_get_offset(handle.easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T)
    return ResponseHead(LocalResource.response(for: final, mediaType: nil, length: Int(length)), url: final)
  }

  private func forgetHead() {
    head.removeAll(keepingCapacity: true)
    status = 0
    contentLength = nil
    hasBadLength = false
    isChunked = false
    isHTTP2 = false
  }

  /// Remembers why libcurl is made to give up.
  private func fail(_ error: any Error) -> Int {
    failure = error
    return 0
  }

  private func note(_ line: UnsafeRawBufferPointer) {
    switch line[0] | 0x20 {
    case UInt8(ascii: "c") where Self.line(line, isField: "content-length:"):
      let length = Self.length(in: line.dropFirst(15))
      if length == nil || contentLength ?? length != length { hasBadLength = true }
      contentLength = length
    case UInt8(ascii: "t") where Self.line(line, isField: "transfer-encoding:"):
      isChunked = true
    default:
      break
    }
  }

  /// The number that a `Content-Length` states, once or several times over (RFC 9110 §8.6); `nil` for anything else.
  private static func length(in value: Slice<UnsafeRawBufferPointer>) -> Int? {
    var common: Int?
    var number: Int?
    var hasEnded = false
    for byte in value {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        let (product, overflow) = (number ?? 0).multipliedReportingOverflow(by: 10)
        let (sum, isTooMuch) = product.addingReportingOverflow(Int(byte &- 0x30))
        guard !hasEnded, !overflow, !isTooMuch else { return nil }
        number = sum
      case UInt8(ascii: ","):
        guard let number, common ?? number == number else { return nil }
        common = number
        hasEnded = false
      case ...0x20: hasEnded = number != nil
      default: return nil
      }
      if byte == UInt8(ascii: ",") { number = nil }
    }
    return common ?? number == number ? number : nil
  }

  private static func line(_ line: UnsafeRawBufferPointer, isField name: StaticString) -> Bool {
    guard line.count >= name.utf8CodeUnitCount else { return false }
    return name.withUTF8Buffer { name in zip(line, name).allSatisfy { $0 == $1 || $0 | 0x20 == $1 } }
  }

  private static func status(in line: UnsafeRawBufferPointer) -> Int {
    line.drop { $0 != 0x20 }.dropFirst().prefix(3).reduce(0) { $0 * 10 + Int($1 &- 0x30) }
  }
}

/// `true` if HTTP/2 transfers were heard of, on the curl thread.
final class CurlActivity {
  /// Since it was last asked.
  private var isNew = false
  /// Ever.
  private(set) var isKnown = false

  func note() {
    isNew = true
    isKnown = true
  }

  func takeNews() -> Bool {
    defer { isNew = false }
    return isNew
  }
}

/// The time since some moment, that the loaders' clocks begin and end by.
package func monotonicNanoseconds() -> UInt64 {
  DispatchTime.now().uptimeNanoseconds
}

package func nanoseconds(_ seconds: TimeInterval) -> UInt64 {
  UInt64(milliseconds(seconds)) * 1_000_000
}
