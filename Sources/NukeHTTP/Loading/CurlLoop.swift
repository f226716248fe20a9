import CNukeCurl
import Foundation
import FoundationNetworking
import NukeBase

/// The curl thread: performs commands, runs libcurl, and reports the ends of transfers.
///
/// Only its initializer runs on another thread.
final class CurlLoop: @unchecked Sendable {
  private let configuration: DataLoader.Configuration
  private let connections: Int
  private let multi: CurlMulti
  private let mailbox: CurlMailbox

  /// The transfers that have not ended, or whose connection is not free yet.
  private var transfers: [CurlTransfer] = []
  private var hosts: [Substring: CurlHost] = [:]
  /// The hosts that may have both a free slot and a waiting transfer.
  private var readyHosts: [CurlHost] = []
  private var handles: [CurlHandle] = []
  private var batch: [CurlCommand] = []
  private let http2 = CurlActivity()
  private var now: UInt64 = 0
  private var alarm = CurlAlarm()

  init(configuration: DataLoader.Configuration, multi: CurlMulti, mailbox: CurlMailbox) {
    self.configuration = configuration
    connections = max(1, configuration.maximumConnectionsPerHost)
    self.multi = multi
    self.mailbox = mailbox
  }

  func run() {
    while true {
      now = MonotonicClock.now
      // Before the commands, which may defer filling again.
      if alarm.endsDeferral(now: now) { fillSlots() }
      // Slots are filled after all commands, so that changed priorities and cancellations count.
      while mailbox.take(into: &batch) {
        for command in batch { perform(command) }
        batch.removeAll(keepingCapacity: batch.count <= 1024)
      }
      fillSlots()
      var running: CInt = 0
      curl_multi_perform(multi.multi, &running)
      collectFinished()
      enforceDeadlines()
      if !readyHosts.isEmpty, alarm.mayFill(now: now) { continue }

      switch mailbox.nextStep(isIdle: transfers.isEmpty) {
      case .perform: continue
      case .end: return
      case .sleep: curl_multi_poll(multi.multi, nil, 0, pollMilliseconds(), nil)
      }
    }
  }

  private func perform(_ command: CurlCommand) {
    switch command {
    case .start(let transfer):
      accept(transfer)
    case .cancel(let transfer):
      guard transfer.index >= 0 else { return }
      alarm.deferFilling(now: now)
      end(transfer, DataLoader.TransferError.cancelled)
    case .resume(let transfer):
      if !transfer.resumeCurl() { end(transfer, transfer.failure ?? DataLoader.TransferError.cancelled) }
    case .reprioritize(let transfer):
      transfer.host?.reprioritize(transfer)
    }
  }

  // MARK: Starting

  private func accept(_ transfer: CurlTransfer) {
    transfer.adopt()
    guard !transfer.isCancelled else { return transfer.finish(DataLoader.TransferError.cancelled) }
    if let error = objection(to: transfer) { return transfer.finish(error) }
    if case .failure(let error) = transfer.deadline(now: now) { return transfer.finish(error) }
    transfer.index = transfers.count
    transfers.append(transfer)
    if let limit = transfer.timeLimit { alarm.expect(limit) }
    enqueue(transfer, for: host(for: transfer.url))
  }

  private func enqueue(_ transfer: CurlTransfer, for host: CurlHost) {
    transfer.host = host
    host.append(transfer)
    markReady(host)
  }

  private func objection(to transfer: CurlTransfer) -> DataLoader.TransferError? {
    let url = transfer.url
    guard let colon = url.utf8.firstIndex(of: UInt8(ascii: ":")) else { return .malformedURL(url) }
    let scheme = url[..<colon]
    switch scheme {
    case "http", "https", "ftp", "ftps": break
    default:
      guard ["http", "https", "ftp", "ftps"].contains(scheme.lowercased()) else {
        return .unsupportedScheme(String(scheme))
      }
    }
    // libcurl interprets http:///a as http://a.
    let rest = url.utf8[colon...]
    guard rest.starts(with: "://".utf8), let first = rest.dropFirst(3).first, first != UInt8(ascii: "/") else {
      return .malformedURL(url)
    }
    if configuration.policyRefusesProxy {
      return .cannotConnect(
        host: transfer.hostName, reason: "the address policy cannot be applied through a proxy")
    }
    if transfer.request.httpBodyStream != nil {
      return .malformedRequest(reason: "its body is a stream; only httpBody is sent")
    }
    return nil
  }

  /// Returns the queue for the scheme, host and port of a URL.
  private func host(for url: String) -> CurlHost {
    let key = url.originOfURL
    if let host = hosts[key] { return host }
    if hosts.count >= 256 { hosts = hosts.filter { !$0.value.isIdle } }
    let host = CurlHost()
    // A copy, because the substring would retain the whole URL.
    hosts[Substring(String(key))] = host
    return host
  }

  private func markReady(_ host: CurlHost) {
    guard !host.isReady else { return }
    host.isReady = true
    readyHosts.append(host)
  }

  private func fillSlots() {
    guard !readyHosts.isEmpty, alarm.mayFill(now: now) else { return }
    let hosts = readyHosts
    readyHosts.removeAll(keepingCapacity: true)
    for host in hosts {
      host.isReady = false
      while let transfer = host.takeNext(connections: connections) { attach(transfer, to: host) }
    }
  }

  private func attach(_ transfer: CurlTransfer, to host: CurlHost) {
    guard let handle = takeHandle(bufferSize: transfer.isRecorded ? recordingBufferSize : Self.bufferSize) else {
      return end(
        transfer, DataLoader.TransferError.cannotConnect(host: transfer.hostName, reason: "out of memory"))
    }
    do throws(DataLoader.TransferError) {
      try handle.prepare(transfer.request, to: transfer.destination, for: transfer)
    } catch {
      handle.recycle()
      return end(transfer, error)
    }
    guard curl_multi_add_handle(multi.multi, handle.easy) == CURLM_OK else {
      return end(
        transfer,
        DataLoader.TransferError.cannotConnect(host: transfer.hostName, reason: "libcurl rejected the request"))
    }
    transfer.handle = handle
    transfer.activity = http2
    host.active += 1
    alarm.expect(now &+ nanoseconds(transfer.idleTimeout))
  }

  private func takeHandle(bufferSize: Int) -> CurlHandle? {
    guard let index = handles.lastIndex(where: { $0.bufferSize == bufferSize }) else {
      return CurlHandle(configuration: configuration, bufferSize: bufferSize)
    }
    return handles.remove(at: index)
  }

  private static let bufferSize = 64 << 10

  /// The buffer is smaller if there can be many connections: each transfer that waits for the disk holds a full buffer.
  private var recordingBufferSize: Int { max(16 << 10, min(Self.bufferSize, (1 << 20) / connections)) }

  // MARK: Ending

  private func collectFinished() {
    var easy: UnsafeMutableRawPointer?
    var code = CURLE_OK
    while nuke_curl_multi_next_finished(multi.multi, &easy, &code) != 0 {
      guard let easy, let context = nuke_curl_get_private(easy) else { continue }
      let transfer = CurlTransfer.from(context)
      transfer.host?.isMultiplexed =
        nuke_curl_get_long(easy, CURLINFO_HTTP_VERSION) == Int(CURL_HTTP_VERSION_2_0)
      if follow(transfer) { continue }
      if code == CURLE_OK, transfer.didReceiveEnd() {
        end(transfer, nil)
      } else if let host = transfer.host, transfer.takeRetry(after: code) {
        release(transfer)
        attach(transfer, to: host)
      } else {
        end(transfer, transfer.failure ?? CurlFailure.error(code, of: transfer, configuration: configuration))
      }
    }
  }

  /// Follows a redirect. Within the same origin, the transfer keeps its slot and continues at once. Otherwise, it waits
  /// for a slot of the other origin. Returns `false` if there is no redirect.
  ///
  /// An error in the rest of the response's body does not matter.
  private func follow(_ transfer: CurlTransfer) -> Bool {
    guard transfer.isRedirected else { return false }
    let origin = transfer.host
    release(transfer)
    transfer.followRedirect()
    // The alarm may have dropped this time limit, and the transfer may wait for a slot for a long time.
    if let limit = transfer.timeLimit { alarm.expect(limit) }
    let host = host(for: transfer.url)
    if host === origin, transfer.isWanted {
      attach(transfer, to: host)
    } else {
      enqueue(transfer, for: host)
    }
    return true
  }

  /// Removes the transfer from libcurl, frees its slot, and reports the end.
  private func end(_ transfer: CurlTransfer, _ error: (any Error)?) {
    if transfer.index >= 0 {
      let last = transfers.removeLast()
      if last !== transfer {
        transfers[transfer.index] = last
        last.index = transfer.index
      }
      transfer.index = -1
    }
    release(transfer)
    transfer.host?.remove(transfer)
    transfer.host = nil
    transfer.finish(error)
  }

  /// Removes the transfer from libcurl and frees its slot.
  private func release(_ transfer: CurlTransfer) {
    guard let handle = transfer.handle else { return }
    transfer.handle = nil
    // Closes the connection if the response is not complete.
    curl_multi_remove_handle(multi.multi, handle.easy)
    handle.recycle()
    if handles.count < Self.spareHandles { handles.append(handle) }
    if let host = transfer.host {
      host.active -= 1
      if host.hasWaiting { markReady(host) }
    }
  }

  private static let spareHandles = 16

  // MARK: Time

  private func enforceDeadlines() {
    guard !transfers.isEmpty else { return alarm.forgetDeadlines() }
    now = MonotonicClock.now
    guard now >= alarm.deadline else { return }
    alarm.forgetDeadlines()
    var late: [(CurlTransfer, DataLoader.TransferError)] = []
    for transfer in transfers {
      switch transfer.deadline(now: now) {
      case .success(let deadline): alarm.expect(deadline)
      case .failure(let error): late.append((transfer, error))
      }
    }
    for (transfer, error) in late {
      if case .timedOut(.idle, _, _) = error, follow(transfer) { continue }
      end(transfer, error)
    }
  }

  private func pollMilliseconds() -> CInt {
    // Each stream of an HTTP/2 connection can read bytes of the others. libcurl 7.88 sometimes keeps such bytes, or the
    // end of a stream, in its buffer and waits for the socket. The next round delivers them. Therefore, another round
    // follows each round that delivered something, and one runs periodically while there are transfers.
    if http2.takeRecent() { return 0 }
    return alarm.milliseconds(
      now: now, hasFreeSlots: !readyHosts.isEmpty, mayHideBytes: http2.hasOccurred && !transfers.isEmpty)
  }
}

/// The transfers to one host and port: those that libcurl runs, and those that wait for a slot.
final class CurlHost: TransferQueue<CurlTransfer> {
  /// `true` if the host is already in the loop's list of hosts with slots to fill.
  var isReady = false
}
