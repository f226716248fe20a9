import Foundation
import NukeBase
import NukeHTTPCaching
import NukeStore

/// A request to the origin for a ``CachingTransfer``, and its response.
///
/// The transport makes the calls, one at a time. A worker participates only while the stored first bytes of a body are
/// delivered.
final class OriginExchange: StreamObserver, @unchecked Sendable {
  private enum Phase {
    case awaitingHead
    /// The body is delivered to the observer, and recorded if there is a recorder.
    case forwarding(BodyRecorder?)
    /// The end was reported to the observer. The rest is recorded, up to a number of bytes.
    case keeping(BodyRecorder, left: Int)
    /// The rest is not needed.
    case ignoring
  }

  private let transfer: CachingTransfer
  private let forward: Forward
  private let requestTime: Timestamp
  private var phase = Phase.awaitingHead

  private struct PrefixDelivery {
    /// `true` until the stored first bytes of the body were delivered.
    var isAwaited = false
    /// The bytes that arrived before the transport was paused.
    var bytes = Data()
    var hasEnded = false
    var error: (any Error)?
  }
  private let prefixDelivery = Lock(PrefixDelivery())

  init(_ transfer: CachingTransfer, _ forward: Forward, requestTime: Timestamp) {
    self.transfer = transfer
    self.forward = forward
    self.requestTime = requestTime
  }

  private var cache: HTTPCache { transfer.cache }

  var isRecording: Bool { true }

  // MARK: The head

  func didReceive(_ head: ResponseHead) {
    let response = ReceivedResponse(
      status: head.status ?? 0, fields: head.fields, requestTime: requestTime, responseTime: cache.now)
    let stored = transfer.slots.map(\.response)
    var reception = transfer.policy.receive(response, to: transfer.cacheRequest, sending: forward, stored: stored)
    if head.url != transfer.url { reception = reception.redirected(forward, status: response.status) }
    if let entry = reception.entry, !transfer.policy.isWorthKeeping(entry) { reception.entry = nil }
    let status = CacheStatus(forward, status: response.status, reception: reception)
    apply(reception)

    switch reception.delivery {
    case .again:
      phase = .ignoring
      transfer.cancelExchange()
      transfer.exchange(forward.unconditional)
    case .stored(let reuse):
      phase = .ignoring
      if response.status != 304 { abandon(head) }
      guard transfer.isObserved else { return transfer.end(nil) }
      let renewed = reception.renewals.first { $0.index == reuse.index }?.response
      let isKept = !reception.removals.contains(reuse.index)
      transfer.readBody(at: reuse.index) { self.serve(reuse, $0, as: renewed, status, isKept: isKept) }
    case .joined(let index, let offset):
      guard let entry = reception.entry else { return }
      transfer.addPauseReason(.storedPrefix)
      prefixDelivery.withLock { $0.isAwaited = true }
      phase = .forwarding(recorder(reception, length: entry.content.storedLength))
      transfer.readBody(at: index) { self.join($0, offset, entry, status) }
    case .response:
      deliver(head, reception, status)
    }
  }

  /// Applies what the response implies for stored responses. Replaced responses are removed when it is complete.
  private func apply(_ reception: Reception) {
    let slots = transfer.slots
    for renewal in reception.renewals {
      cache.stage(.renew(slots[renewal.index], renewal.response), of: transfer.key, lease: transfer.leaseClient.lease)
    }
    // No response will be stored that others could wait for.
    if reception.entry == nil, reception.delivery != .again { transfer.leaseClient.end() }
    if reception.entry == nil, !reception.removals.isEmpty {
      cache.stage(.remove(reception.removals.map { slots[$0].key }), of: transfer.key)
    }
    for url in reception.invalidations { cache.stage(.removeURL, of: url) }
  }

  private func recorder(_ reception: Reception, length: Int?) -> BodyRecorder? {
    reception.entry.map { entry in
      BodyRecorder(
        entry, replacing: reception.removals.map { transfer.slots[$0].key }, expected: length,
        storedPrefix: reception.storedPrefix.map { .init(slot: transfer.slots[$0.index], count: $0.count) },
        of: transfer)
    }
  }

  private func deliver(_ head: ResponseHead, _ reception: Reception, _ status: CacheStatus) {
    var head = head
    head.caching = ResponseHead.Caching(
      status: status, response: reception.entry, isFromCache: false, isStale: false)
    let stated = head.expectedLength.map { min($0, ByteRanges.limit) }
    let length = reception.storedPrefix == nil ? stated : reception.entry?.content.storedLength
    let recorder = recorder(reception, length: length)
    if transfer.deliver(head) {
      phase = .forwarding(recorder)
    } else if let recorder, head.expectedLength ?? 0 <= Self.keptLimit {
      phase = .keeping(recorder, left: Self.keptLimit)
    } else {
      recorder?.drop()
      phase = .ignoring
      transfer.leaseClient.end()
      abandon(head)
    }
  }

  /// The maximum size of an error response that is read only to be stored, in bytes.
  private static let keptLimit = 256 << 10

  /// Cancels the rest of a response, unless it is short. Reading a short rest costs less than a new connection.
  private func abandon(_ head: ResponseHead) {
    if !head.isShort { transfer.cancelExchange() }
  }

  private func serve(
    _ reuse: Reuse, _ body: Data?, as renewed: StoredResponse?, _ status: CacheStatus, isKept: Bool
  ) {
    if let body { return transfer.serve(reuse, body, as: renewed, status: status, isKept: isKept) }
    // The stored response has been removed in the meantime, or the disk does not respond.
    transfer.slots.remove(at: reuse.index)
    transfer.exchange(forward.unconditional)
  }

  // MARK: The stored first bytes of a body

  private func join(_ stored: Data?, _ offset: Int, _ entry: StoredResponse, _ status: CacheStatus) {
    guard case .forwarding(let recorder?) = phase, let stored, stored.count >= offset else {
      return startOver()
    }
    let length = entry.content.storedLength
    var head = ResponseHead(url: transfer.url, status: entry.status, expectedLength: length, fields: entry.fields)
    head.caching = ResponseHead.Caching(status: status, response: entry, isFromCache: true, isStale: false)
    guard !transfer.isCancelled, transfer.deliver(head) else {
      transfer.end(DataLoader.TransferError.cancelled)
      return giveUp()
    }
    let start = stored.prefix(offset)
    transfer.deliver(start) { isWanted in
      if isWanted { self.goOn(recorder) } else { self.giveUp() }
    }
  }

  /// Delivers the bytes that arrived while the stored first bytes were delivered, then resumes the transport.
  private func goOn(_ recorder: BodyRecorder) {
    let bytes = prefixDelivery.withLock { delivery in
      if delivery.bytes.isEmpty { delivery.isAwaited = false }
      return exchange(&delivery.bytes, with: Data())
    }
    if !bytes.isEmpty {
      bytes.withUnsafeBytes { recorder.append($0) }
      return transfer.deliver(bytes) { isWanted in
        if isWanted { self.goOn(recorder) } else { self.giveUp() }
      }
    }
    let end = prefixDelivery.withLock { $0 }
    if end.hasEnded { return finish(end.error) }
    transfer.removePauseReason(.storedPrefix)
  }

  private func giveUp() {
    transfer.leaseClient.end()
    switch phase {
    case .forwarding(let recorder): recorder?.drop()
    case .keeping(let recorder, _): recorder.drop()
    case .awaitingHead, .ignoring: break
    }
    phase = .ignoring
    transfer.cancelExchange()
  }

  private func startOver() {
    giveUp()
    transfer.removePauseReason(.storedPrefix)
    transfer.exchange(forward.unconditional)
  }

  // MARK: The body

  func didReceive(_ bytes: UnsafeRawBufferPointer) {
    let isHeld = prefixDelivery.withLock { delivery in
      if delivery.isAwaited { delivery.bytes.append(contentsOf: bytes) }
      return delivery.isAwaited
    }
    if isHeld { return }
    switch phase {
    case .awaitingHead, .ignoring: break
    case .keeping(let recorder, let left):
      guard bytes.count <= left else { return giveUp() }
      phase = .keeping(recorder, left: left - bytes.count)
      recorder.append(bytes)
    case .forwarding(let recorder):
      if let error = transfer.deliver(bytes) {
        // The observer is notified last, because it may send another request at once.
        giveUp()
        return transfer.end(error)
      }
      recorder?.append(bytes)
    }
  }

  // MARK: The end

  func didFinish(_ error: (any Error)?) {
    let isHeld = prefixDelivery.withLock { delivery in
      guard delivery.isAwaited else { return false }
      delivery.hasEnded = true
      delivery.error = error
      return true
    }
    if !isHeld { finish(error) }
  }

  private func finish(_ error: (any Error)?) {
    let ended = phase
    phase = .ignoring
    switch ended {
    case .awaitingHead: break
    case .forwarding(let recorder): recorder?.end(isWhole: error == nil)
    case .keeping(let recorder, _): recorder.end(isWhole: error == nil)
    case .ignoring: return
    }
    // The response has been staged. The observer is notified last, because it may send another request at once.
    transfer.leaseClient.end()
    switch ended {
    case .awaitingHead: fail(error)
    case .forwarding: transfer.end(error)
    case .keeping, .ignoring: break
    }
  }

  /// Ends the transfer without a response, or serves a stored response instead.
  private func fail(_ error: (any Error)?) {
    guard let error, error.isDisconnection, !transfer.isCancelled,
      let reuse = transfer.policy.fallback(
        for: transfer.cacheRequest, stored: transfer.slots.map(\.response), after: .disconnected, now: cache.now)
    else { return transfer.end(error) }
    guard transfer.isObserved else { return transfer.end(error) }
    transfer.readBody(at: reuse.index) { [transfer] body in
      if let body { transfer.serve(reuse, body) } else { transfer.end(error) }
    }
  }
}

extension Reception {
  /// The reception of a response for another URL, after redirects. It only invalidates the stored responses of this
  /// URL. It is not stored, because the redirect may change.
  fileprivate func redirected(_ forward: Forward, status: Int) -> Reception {
    var reception = self
    reception.entry = nil
    reception.renewals = []
    if !forward.fields.isEmpty, status == 304 || status == 206 || status == 416 {
      reception.removals = []
      reception.delivery = .again
    }
    return reception
  }
}

extension CachePolicy {
  /// Returns `true` if a request could be served from the entry. An error that is never fresh is not worth storing.
  fileprivate func isWorthKeeping(_ entry: StoredResponse) -> Bool {
    entry.status < 400 || freshness(of: entry, now: entry.responseTime).lifetime > 0
  }
}

extension ResponseHead {
  /// `true` if the rest of the body is so short that it is read although it is not needed.
  fileprivate var isShort: Bool {
    status == 204 || status == 304 || expectedLength.map { $0 <= 16 << 10 } ?? false
  }
}
