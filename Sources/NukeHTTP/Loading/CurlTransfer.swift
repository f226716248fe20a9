import CNukeCurl
package import Foundation
import FoundationNetworking
import NukeBase
import NukeHTTPCaching
import Synchronization

/// A request that libcurl sends, with its redirects. Each redirect has its own slot and handle.
///
/// `cancel()`, `pause()`, `resume()` and `setPriority()` are called from any thread and use only the atomic values.
/// Everything else is used only by the curl thread after the transfer has been posted; debug builds check it.
final class CurlTransfer: Transfer, QueuedTransfer, @unchecked Sendable {
  private let outgoing: OutgoingRequest
  /// The current target of the request.
  private(set) var destination: Destination
  private let configuration: DataLoader.Configuration
  private let mailbox: CurlMailbox
  private let cancelled = Atomic<Bool>(false)
  private let paused: Atomic<Bool>
  private let priority = Atomic<Int>(WorkPriority.normal.rawValue)

  /// The observer; `nil` after the end was reported, so that everything it retains is released.
  private var observer: (any StreamObserver)?

  /// The handle while libcurl runs the transfer.
  var handle: CurlHandle?
  /// The queue in which the transfer has a slot or waits for one.
  var host: CurlHost?
  /// The position in that queue: the lane, which is `nil` if the transfer does not wait, and the neighbors.
  var lane: Int?
  var next: CurlTransfer?
  unowned(unsafe) var previous: CurlTransfer?
  /// Records the callbacks of an HTTP/2 transfer.
  var activity: CurlActivity?
  /// The curl thread, once it has the transfer.
  private var thread: pthread_t?
  /// The index in the loop's list; -1 if the transfer is not in it.
  var index = -1

  /// The start of the current idle time, and of the total time, in nanoseconds.
  private(set) var lastActivity: UInt64
  private var hasSentRequest = false
  /// The first address that the policy refused since the request was last sent, and whether an address was allowed.
  private var refusedAddress: IPAddress?
  private var hasAllowedAddress = false
  private var uploadedBytes: curl_off_t = 0

  private var head = CurlHead()
  private var hasRetried = false
  /// `true` if the head of the response was delivered.
  private(set) var hasHead = false
  /// Decodes the body; `nil` if it has no content coding.
  private var decoder: ContentDecoder?
  /// The number of bytes of the decoded body.
  private var receivedBytes = 0
  /// The target of the redirect that arrived. The rest of its body is discarded.
  private var redirect: Destination?
  /// The number of discarded bytes of that body.
  private var discardedBytes = 0
  /// `true` if the end was reported, and the rest of the body is read only to keep the connection.
  private var isDiscarding = false
  /// `true` if libcurl holds a chunk that was not accepted.
  var isCurlPaused = false
  /// The error with which a callback aborted the transfer.
  private(set) var failure: (any Error)?

  init(
    _ outgoing: OutgoingRequest, configuration: DataLoader.Configuration, mailbox: CurlMailbox,
    observer: any StreamObserver
  ) {
    self.outgoing = outgoing
    self.configuration = configuration
    self.observer = observer
    self.mailbox = mailbox
    destination = Destination(
      url: outgoing.request.url?.absoluteString ?? "", privateFields: configuration.privateFields)
    lastActivity = MonotonicClock.now
    paused = Atomic(outgoing.isPaused)
  }

  var request: URLRequest { outgoing.request }

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

  /// The most recently set priority.
  var wantedPriority: WorkPriority { .init(rawValue: priority.load(ordering: .relaxed)) ?? .normal }

  func setPriority(_ priority: WorkPriority) {
    guard self.priority.exchange(priority.rawValue, ordering: .relaxed) != priority.rawValue else { return }
    _ = mailbox.post(.reprioritize(self))
  }

  // MARK: On the curl thread

  var url: String { destination.url }

  var isRecorded: Bool { observer?.isRecording ?? false }

  /// Called by the curl thread before it uses the transfer.
  func adopt() { thread = pthread_self() }

  private func assertIsOnThread() {
    assert(thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false, "only the curl thread uses a transfer")
  }

  /// Reports the end, once.
  func finish(_ error: (any Error)?) {
    assertIsOnThread()
    isDiscarding = false
    guard let observer else { return }
    self.observer = nil
    observer.didFinish(error)
  }

  /// Resumes a paused transfer. Returns `false` if that fails.
  func resumeCurl() -> Bool {
    assertIsOnThread()
    guard isCurlPaused, let handle else { return true }
    isCurlPaused = false
    lastActivity = MonotonicClock.now
    // libcurl calls the write callback with the chunk that was not accepted.
    return curl_easy_pause(handle.easy, CURLPAUSE_CONT) == CURLE_OK
  }

  var dialing: Dialing? { configuration.dialing }

  /// Returns `true` if a connection may be made to an address of the host, or of the proxy.
  func mayConnect(to address: IPAddress) -> Bool {
    guard configuration.leavesAddressesToProxy || configuration.addressPolicy.allows(address) else {
      if refusedAddress == nil { refusedAddress = address }
      return false
    }
    hasAllowedAddress = true
    return true
  }

  /// The first refused address, if all addresses of the host were refused.
  var forbiddenAddress: IPAddress? { hasAllowedAddress ? nil : refusedAddress }

  func willSendRequest() {
    assertIsOnThread()
    refusedAddress = nil
    hasAllowedAddress = false
    hasSentRequest = true
    lastActivity = MonotonicClock.now
  }

  /// Receives a line of a head, with its line break. Returns the number of accepted bytes; fewer abort the transfer.
  func didReceiveHeader(_ line: UnsafeRawBufferPointer) -> Int {
    assertIsOnThread()
    lastActivity = MonotonicClock.now
    switch head.append(line, isComplete: hasHead || redirect != nil) {
    case .ignored: break
    case .taken: if head.isHTTP2 { activity?.record() }
    case .end: if !didReceiveHead() { return 0 }
    case .tooLong(let reason):
      return fail(DataLoader.TransferError.protocolError(host: hostName, reason: reason))
    }
    return line.count
  }

  /// Receives a part of the body. Returns the number of accepted bytes; fewer abort the transfer.
  func didReceiveBody(_ bytes: UnsafeRawBufferPointer) -> Int {
    assertIsOnThread()
    if head.isHTTP2 { activity?.record() }
    if isDiscarding { return bytes.count }
    guard !isCancelled else { return fail(DataLoader.TransferError.cancelled) }
    if redirect != nil {
      discardedBytes += bytes.count
      return discardedBytes > Self.discardLimit ? 0 : bytes.count
    }
    if paused.load(ordering: .acquiring) {
      isCurlPaused = true
      return Int(CURL_WRITEFUNC_PAUSE)
    }
    lastActivity = MonotonicClock.now
    if !hasHead, !deliverHead() { return 0 }
    do throws(DataLoader.TransferError) {
      guard let decoder else {
        try deliver(bytes)
        return bytes.count
      }
      let isDecoded = try decoder.decode(bytes) { piece throws(DataLoader.TransferError) in
        try deliver(piece)
        return !isCancelled && !paused.load(ordering: .acquiring)
      }
      if isDecoded { return bytes.count }
    } catch {
      return fail(error)
    }
    guard !isCancelled else { return fail(DataLoader.TransferError.cancelled) }
    // The rest of the chunk is decoded when libcurl delivers the chunk again.
    isCurlPaused = true
    return Int(CURL_WRITEFUNC_PAUSE)
  }

  private func deliver(_ bytes: UnsafeRawBufferPointer) throws(DataLoader.TransferError) {
    receivedBytes += bytes.count
    if let error = outgoing.excess(receivedBytes) { throw error }
    observer?.didReceive(bytes)
  }

  /// Reports a head without a body, as for an empty FTP file. Returns `false` if the transfer has failed, also because
  /// the encoded body is incomplete.
  func didReceiveEnd() -> Bool {
    if let error = decoder?.incompleteness { return fail(error) > 0 }
    if hasHead { return true }
    // libcurl treats a connection that closes within a head as a normal end.
    guard head.isEmpty else {
      return fail(
        DataLoader.TransferError.connectionLost(
          host: hostName, reason: "it was closed before the response head was complete")) > 0
    }
    return deliverHead()
  }

  /// Returns `true`, once, if a reused connection broke before the first byte of a response: the server closed it while
  /// the request was being sent (RFC 9112 §9.3.1). libcurl retries by itself in most of these cases.
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
    if !hasSentRequest || isCurlPaused || hasUploaded(handle) { lastActivity = now }
    let end = lastActivity &+ nanoseconds(idle)
    if now >= end { return .failure(.timedOut(.idle, host: hostName, seconds: idle)) }
    return .success(min(next, end))
  }

  /// The time at which the total time limit ends, in nanoseconds.
  var timeLimit: UInt64? { configuration.resourceTimeout.map { outgoing.startTime &+ nanoseconds($0) } }

  var idleTimeout: TimeInterval { outgoing.idleTimeout(configuration) }

  /// The host of the current request, for error messages.
  var hostName: String { (destination.location ?? request.url)?.host ?? url }

  /// `true` if the response is a redirect that is followed.
  var isRedirected: Bool { redirect != nil && failure == nil }

  /// Sets the target of the redirect as the new destination, and resets the state. libcurl must have released the
  /// transfer.
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
    head = CurlHead()
  }

  private var method: String { destination.method(request.httpMethod ?? "GET") }

  private func hasUploaded(_ handle: CurlHandle) -> Bool {
    let bytes = nuke_curl_get_offset(handle.easy, CURLINFO_SIZE_UPLOAD_T)
    return bytes > exchange(&uploadedBytes, with: bytes)
  }

  /// Handles a complete head. Returns `false` if the transfer must end.
  private func didReceiveHead() -> Bool {
    if (100..<200).contains(head.status) { return true }
    do throws(DataLoader.TransferError) {
      redirect = try destination.redirected(
        status: head.status, location: HTTPFields(head: head.block).first(.location).map { Array($0) }, method: method,
        configuration: configuration)
    } catch {
      return fail(error) > 0
    }
    // Otherwise, abort the transfer, which closes the connection. A body of unknown length may be short, but one that
    // ends with the connection is not worth reading.
    if redirect != nil {
      return !head.hasBadLength
        && (isShort(head.length) || head.length == nil && (head.isChunked || head.isHTTP2))
    }
    // libcurl would accept conflicting lengths, and the leading digits of a malformed one (RFC 9112 §6.3).
    guard !head.hasBadLength || head.isChunked else {
      return fail(DataLoader.TransferError.protocolError(host: hostName, reason: "the length of its body is ambiguous"))
        > 0
    }
    return deliverHead()
  }

  private func deliverHead() -> Bool {
    hasHead = true
    guard let observer, let handle else { return true }
    guard !isCancelled else { return fail(DataLoader.TransferError.cancelled) > 0 }
    var response = makeHead(handle)
    if let error = outgoing.acceptance.refusal(of: response, to: request) {
      observer.didRefuse(response)
      guard isShort(response.expectedLength) else { return fail(error) > 0 }
      finish(error)
      isDiscarding = true
      return true
    }
    if head.isEncoded { decoder = response.takeContentCoding(host: hostName) }
    if head.status == 304 { response.weakenTag(confirming: request.value(forHTTPHeaderField: "If-None-Match")) }
    if method != "HEAD", let error = outgoing.excess(response.expectedLength) { return fail(error) > 0 }
    observer.didReceive(response)
    return true
  }

  /// Returns `true` if reading the rest of a response, such as an error page, costs less than a new connection.
  private func isShort(_ length: Int?) -> Bool {
    method == "HEAD" || head.status == 204 || head.status == 304 || length.map { $0 <= Self.discardLimit } ?? false
  }

  /// The maximum size of a refused response or a redirect that is read to keep the connection, in bytes.
  private static let discardLimit = 16 * 1024

  private func makeHead(_ handle: CurlHandle) -> ResponseHead {
    let final = destination.location ?? request.url ?? URL(fileURLWithPath: "/")
    if !head.isEmpty {
      return ResponseHead(url: final, status: head.status, expectedLength: head.length, block: head.block)
    }
    let length = nuke_curl_get_offset(handle.easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T)
    return ResponseHead(LocalResource.response(for: final, mediaType: nil, length: Int(length)), url: final)
  }

  /// Stores the error with which libcurl aborts the transfer.
  private func fail(_ error: any Error) -> Int {
    failure = error
    return 0
  }
}

/// Records callbacks of HTTP/2 transfers, on the curl thread.
final class CurlActivity {
  /// `true` if there was a callback since the last ``takeRecent()``.
  private var isRecent = false
  /// `true` if there ever was a callback.
  private(set) var hasOccurred = false

  func record() {
    isRecent = true
    hasOccurred = true
  }

  func takeRecent() -> Bool { exchange(&isRecent, with: false) }
}

package func nanoseconds(_ seconds: TimeInterval) -> UInt64 {
  UInt64(milliseconds(seconds)) * 1_000_000
}
