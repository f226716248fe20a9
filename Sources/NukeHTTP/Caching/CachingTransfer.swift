import Foundation
import FoundationNetworking
import NukeBase
import NukeHTTPCaching
import NukeStore

/// A request that goes through an ``HTTPCache``.
///
/// The steps follow each other: a look-up by ``DiskReads``, then either an exchange with the origin on the transport's
/// thread, or the delivery of the stored body on a worker. Only the current step uses the variables outside the lock. A
/// read changes none of them, because it may be abandoned. The lock guards those that `cancel()`, `pause()` and
/// `resume()` use from any thread. ``CachePolicy`` decides each step.
final class CachingTransfer: Transfer, @unchecked Sendable {
  /// The reasons to pause the transfer.
  struct PauseReasons: OptionSet {
    let rawValue: UInt8
    /// The program has paused the transfer.
    static let program = PauseReasons(rawValue: 1)
    /// The stored first bytes of the body are being delivered.
    static let storedPrefix = PauseReasons(rawValue: 2)
    /// Too many bytes of long bodies wait for the disk.
    static let spooling = PauseReasons(rawValue: 4)
    /// Too many bytes of short bodies wait for the disk.
    static let staging = PauseReasons(rawValue: 8)
  }

  private struct State {
    var pauseReasons: PauseReasons = []
    var isCancelled = false
    var hasEnded = false
    /// The observer; `nil` for a background validation, and after the end was reported.
    var observer: (any StreamObserver)?
    /// The number of the current exchange with the origin.
    var exchange = 0
    var inner: (any Transfer)?
    var priority = WorkPriority.normal
    /// The delivery of a stored body that continues when the program resumes.
    var parked: (@Sendable () -> Void)?
  }

  private let outgoing: OutgoingRequest
  let cacheRequest: CacheRequest
  let cache: HTTPCache
  let policy: CachePolicy
  /// The key of the request, from ``CacheURL/key(_:)``.
  let key: String
  private let dispatcher: RequestDispatcher
  /// `false` for a background validation.
  let isObserved: Bool
  private let state: Lock<State>
  let leaseClient: LeaseClient

  /// The reason why this transfer needed the origin before it waited for another one; `nil` if it has not waited.
  var waitedFor: Forward.Reason?
  /// The stored responses at the time of the look-up.
  var slots: [HTTPCache.Slot] = []
  private var deliveredBytes = 0

  init(
    _ outgoing: OutgoingRequest, _ cacheRequest: CacheRequest, cache: HTTPCache, dispatcher: RequestDispatcher,
    observer: (any StreamObserver)?
  ) {
    self.outgoing = outgoing
    self.cacheRequest = cacheRequest
    self.cache = cache
    self.dispatcher = dispatcher
    isObserved = observer != nil
    state = Lock(State(observer: observer))
    leaseClient = LeaseClient(waitLimit: cache.leaseTimeout)
    policy = CachePolicy(cache.policy)
    key = CacheURL.key(cacheRequest.url)
  }

  var request: URLRequest { outgoing.request }
  var url: URL { request.url! }
  var isHead: Bool { cacheRequest.method == "HEAD" }

  // MARK: From any thread

  func cancel() {
    let (inner, parked) = state.withLock { state -> ((any Transfer)?, (@Sendable () -> Void)?) in
      // After the end, the exchange continues only to be stored.
      guard !state.hasEnded else { return (nil, nil) }
      state.isCancelled = true
      return (state.inner, state.parked.take())
    }
    inner?.cancel()
    if let parked { cache.deliveryQueue.add(parked) }
    if leaseClient.stopWaiting() { cache.deliveryQueue.add { self.end(DataLoader.TransferError.cancelled) } }
  }

  func pause() { addPauseReason(.program) }

  func resume() { removePauseReason(.program) }

  func setPriority(_ priority: WorkPriority) {
    state.withLock { state in
      state.priority = priority
      state.inner?.setPriority(priority)
    }
  }

  func addPauseReason(_ reason: PauseReasons) {
    state.withLock { state in
      state.pauseReasons.insert(reason)
      // Called under the lock, so that pauses and resumes stay in order. `pause` only queues a command for the
      // transport.
      state.inner?.pause()
    }
  }

  func removePauseReason(_ reason: PauseReasons) {
    let parked = state.withLock { state -> (@Sendable () -> Void)? in
      state.pauseReasons.remove(reason)
      if state.pauseReasons.isEmpty { state.inner?.resume() }
      guard !state.pauseReasons.contains(.program) else { return nil }
      return state.parked.take()
    }
    if let parked { cache.deliveryQueue.add(parked) }
  }

  // MARK: The route

  /// The result of a look-up, and the step that follows.
  private struct LookUpResult {
    enum Step {
      case serve(Reuse, Data, CacheStatus?)
      case exchange(Forward)
      /// Another transfer makes the exchange. The look-up is repeated afterwards.
      case wait(any HeldDataLease, Forward.Reason)
      case refuse(Forward.Reason)
    }

    var slots: [HTTPCache.Slot]
    var lease: (any DataLease)?
    var step: Step
  }

  func lookUp() {
    cache.reads.run {
      self.isCancelled ? nil : self.find(self.cache.slots(of: self.key), mayShare: self.leaseClient.acquisition == nil)
    } completion: {
      // If the disk does not respond, nothing counts as stored.
      self.proceed($0 ?? self.find([], mayShare: false))
    }
  }

  /// Looks for a stored response, on a thread for reading.
  ///
  /// - Parameter mayShare: `true` to wait for the exchange of another transfer.
  private func find(_ slots: [HTTPCache.Slot], mayShare: Bool) -> LookUpResult {
    var (slots, mayShare, lease) = (slots, mayShare, (any DataLease)?.none)
    while true {
      switch policy.decide(cacheRequest, stored: slots.map(\.response), now: cache.now) {
      case .use(let reuse):
        (mayShare, lease) = (false, nil)
        if let body = cache.body(of: slots[reuse.index]) {
          return LookUpResult(slots: slots, step: .serve(reuse, body, statusAfterWaiting(reuse)))
        }
        slots.remove(at: reuse.index)
      case .useStale(let reuse, let forward):
        (mayShare, lease) = (false, nil)
        if let body = cache.body(of: slots[reuse.index]) {
          revalidateBehind(forward, slots)
          return LookUpResult(slots: slots, step: .serve(reuse, body, nil))
        }
        slots.remove(at: reuse.index)
      case .validate(let forward), .fetch(let forward):
        guard mayShare, isSharable(forward) else {
          return LookUpResult(slots: slots, lease: lease, step: .exchange(forward))
        }
        mayShare = false
        switch cache.lease(for: key) {
        case .unavailable: break
        case .taken(let taken):
          lease = taken
          // The former holder may have stored a response.
          slots = cache.slots(of: key)
        case .held(let held):
          if waitedFor == nil { return LookUpResult(slots: slots, step: .wait(held, forward.reason)) }
        }
      case .unavailable(let reason): return LookUpResult(slots: slots, step: .refuse(reason))
      }
    }
  }

  private func proceed(_ result: LookUpResult) {
    guard !isCancelled else { return end(DataLoader.TransferError.cancelled) }
    slots = result.slots
    if let lease = result.lease { _ = leaseClient.take(.taken(lease), lookAgain: {}) }
    switch result.step {
    case .serve(let reuse, let body, let status): serve(reuse, body, status: status)
    case .exchange(let forward): exchange(forward)
    case .wait(let held, let reason): wait(for: held, reason)
    case .refuse(let reason): refuse(reason)
    }
  }

  /// Reads the body of a stored response.
  ///
  /// - Parameter completion: receives `nil` if the body is gone, or if the disk does not respond.
  func readBody(at index: Int, completion: @escaping @Sendable (Data?) -> Void) {
    cache.reads.run({ [cache, slot = slots[index]] in cache.body(of: slot) }, completion: completion)
  }

  /// Sends the request to the origin, with the fields that the decision adds or replaces.
  func exchange(_ forward: Forward) {
    guard !isCancelled else {
      leaseClient.end()
      return end(DataLoader.TransferError.cancelled)
    }
    let forward = forward.isSendable ? forward : forward.unconditional
    var sent = request
    for field in forward.fields {
      sent.setValue(
        String(decoding: field.value, as: UTF8.self), forHTTPHeaderField: String(decoding: field.name, as: UTF8.self))
    }
    let number = state.withLock { state in
      state.exchange += 1
      return state.exchange
    }
    let exchange = OriginExchange(self, forward, requestTime: cache.now)
    let inner = dispatcher.send(OutgoingRequest(request: sent, limit: nil, acceptance: .all), observer: exchange)
    // The request may already have led to another exchange, which is then the current one.
    let isWanted = state.withLock { state in
      guard number == state.exchange else { return false }
      state.inner = inner
      if !state.pauseReasons.isEmpty { inner.pause() }
      inner.setPriority(state.priority)
      return !state.isCancelled
    }
    if !isWanted { inner.cancel() }
  }

  /// Cancels the current exchange with the origin.
  func cancelExchange() {
    let inner = state.withLock { state in
      // An exchange that is just starting finds a different number here, and is then canceled.
      state.exchange += 1
      return state.inner.take()
    }
    inner?.cancel()
  }

  private func revalidateBehind(_ forward: Forward, _ slots: [HTTPCache.Slot]) {
    guard cache.state.withLock({ $0.revalidating.insert(key).inserted }) else { return }
    let validation = OutgoingRequest(request: request, limit: outgoing.limit, acceptance: .all)
    let transfer = CachingTransfer(validation, cacheRequest, cache: cache, dispatcher: dispatcher, observer: nil)
    transfer.slots = slots
    // If another transfer is validating the response, there is nothing to do.
    if transfer.leadsBehind() { transfer.exchange(forward) } else { transfer.end(nil) }
  }

  // MARK: Delivery

  private var observer: (any StreamObserver)? { state.withLock { $0.observer } }

  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// - Returns: `false` if the transfer has ended.
  func deliver(_ head: ResponseHead) -> Bool {
    if let error = outgoing.acceptance.refusal(of: head, to: request) {
      observer?.didRefuse(head)
      end(error)
      return false
    }
    if !isHead, let error = outgoing.excess(head.expectedLength) {
      end(error)
      return false
    }
    observer?.didReceive(head)
    return true
  }

  /// - Returns: the error with which the caller must end the transfer; `nil` if the bytes were delivered.
  func deliver(_ bytes: UnsafeRawBufferPointer) -> DataLoader.TransferError? {
    deliveredBytes += bytes.count
    if let error = outgoing.excess(deliveredBytes) { return error }
    observer?.didReceive(bytes)
    return nil
  }

  func end(_ error: (any Error)?) {
    let (isFirst, observer) = state.withLock { state in
      defer {
        state.hasEnded = true
        state.observer = nil
      }
      return (!state.hasEnded, state.observer)
    }
    guard isFirst else { return }
    observer?.didFinish(error)
    if !isObserved { cache.state.withLock { _ = $0.revalidating.remove(key) } }
  }

  /// Stores `body` until the program resumes the transfer.
  ///
  /// - Returns: `true` if the transfer is paused.
  func park(_ body: @escaping @Sendable () -> Void) -> Bool {
    state.withLock { state in
      guard state.pauseReasons.contains(.program), !state.isCancelled else { return false }
      state.parked = body
      return true
    }
  }
}

extension Forward {
  /// `true` if the validators can be sent. Some servers send invalid ones.
  fileprivate var isSendable: Bool {
    fields.allSatisfy { field in field.value.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 } }
  }
}
