import Foundation
import FoundationNetworking
import NukeBase

extension RetryingTransfer {
  /// The attempts and the data so far. A value type that decides what to do next.
  ///
  /// The head is held back until a part of the body or its end arrives. Until then, the whole response can be requested
  /// again.
  struct State {
    private let request: URLRequest
    private let limit: Int?
    private let waitsForConnectivity: Bool
    /// The end of the resource timeout, in nanoseconds. No retry begins later, except the last one while waiting for
    /// connectivity, which reports the timeout.
    private let deadline: UInt64?

    private enum Phase { case running, waiting, ended }
    private var phase = Phase.waiting
    private var attempt = 0
    private var transfer: (any Transfer)?
    private var isCancelled = false
    private var isPaused = false
    private var priority = WorkPriority.normal

    private var retryCount = 0
    private var connectionCount = 0

    private var head: ResponseHead?
    private var isHeadDelivered = false
    /// The number of delivered bytes.
    private var count = 0
    /// The length of the body, if a later response stated it.
    private var total: Int?

    /// The point from which the running attempt resumes, until its response arrives.
    private var pendingPoint: ResumePoint?
    /// The number of bytes of the current response to skip, because they were delivered before.
    private var skipped = 0
    /// The error of the last attempt.
    private var interruption: (any Error)?
    private var refusal: (head: ResponseHead, delay: TimeInterval?)?
    /// The event on which the policy is deciding; `nil` if it is not deciding.
    private var pendingDecision: PendingDecision?
    /// The events of the attempt since its head, while the policy decides on the head; `nil` if no events are held
    /// back.
    private var held: HeldEvents?
    /// The delay before the next attempt, in seconds. Set while the rest of an error response is read and discarded.
    private var delayAfterDiscard: TimeInterval?
    /// The number of bytes of that response that were discarded.
    private var discardedCount = 0

    private enum PendingDecision {
      case head(ResponseHead)
      case end(any Error)
    }

    /// An event of the attempt after its head.
    enum Event {
      case bytes(Data)
      case end((any Error)?)
    }

    private struct HeldEvents {
      var events: [Event] = []
      var byteCount = 0
      /// `true` once the policy has decided.
      var isDecided = false
      /// `true` while a thread delivers the events.
      var isDelivering = false
      /// `true` if the attempt was paused because more than ``discardLimit`` bytes are held back.
      var pausesTransfer = false
    }

    struct Attempt {
      let number: Int
      let request: URLRequest
      let isPaused: Bool
    }

    enum Action {
      case nothing
      case start(Attempt)
      /// Delivers a head that was held back, and the bytes after the first `behind` ones.
      case deliver(ResponseHead?, behind: Int)
      /// Cancels the attempt.
      case stop(any Transfer)
      /// Asks the policy for the delay. The delay is passed to ``State/decide(_:now:)``.
      case ask(any Error, retryCount: Int, serverDelay: TimeInterval?)
      /// Starts another attempt after a number of seconds.
      case retry(after: TimeInterval)
      /// Ends the transfer, and cancels the attempt. Includes the head if the body is empty, and the head that was
      /// refused.
      case end(ResponseHead?, refused: ResponseHead?, (any Error)?, stopping: (any Transfer)?)
    }

    init(_ request: URLRequest, limit: Int?, waitsForConnectivity: Bool, deadline: UInt64?) {
      self.request = request
      self.limit = limit
      self.waitsForConnectivity = waitsForConnectivity
      self.deadline = deadline
    }

    // MARK: Calls from the program

    mutating func begin() -> Action {
      guard phase == .waiting else { return .nothing }
      if isCancelled { return end(DataLoader.TransferError.cancelled) }
      phase = .running
      return .start(
        Attempt(number: attempt, request: pendingPoint?.request(resuming: request) ?? request, isPaused: isPaused))
    }

    /// Stores the transfer of an attempt.
    ///
    /// - Returns: the settings for the transfer, which may have changed while it started; `nil` if it is already over.
    mutating func hold(
      _ transfer: any Transfer, of attempt: Attempt
    ) -> (isPaused: Bool, priority: WorkPriority, isCancelled: Bool)? {
      guard attempt.number == self.attempt, phase == .running else { return nil }
      self.transfer = transfer
      return (isPaused || isPausedByHeldEvents, priority, isCancelled)
    }

    mutating func cancel() -> Action {
      guard phase != .ended, !isCancelled else { return .nothing }
      isCancelled = true
      // Nothing is running that would report the end. Another thread does so, because the caller may hold a lock that
      // the observer needs.
      if phase == .waiting { return .retry(after: 0) }
      return transfer.map { .stop($0) } ?? .nothing
    }

    /// - Returns: the transfer to pause or resume.
    mutating func pause(_ isPaused: Bool) -> (any Transfer)? {
      self.isPaused = isPaused
      return isPausedByHeldEvents ? nil : transfer
    }

    /// - Returns: the transfer whose priority must be set.
    mutating func setPriority(_ priority: WorkPriority) -> (any Transfer)? {
      self.priority = priority
      return transfer
    }

    // MARK: Calls from the attempt

    /// - Parameter serverDelay: the delay in `Retry-After`, in seconds.
    mutating func receive(_ head: ResponseHead, serverDelay: TimeInterval?) -> Action {
      guard phase == .running else { return .nothing }
      // A component above, such as a cache, may accept a response that would be an error without it.
      if let status = head.status, status >= 400 {
        refusal = (head, serverDelay)
        held = HeldEvents()
        return ask(DataLoader.Error.statusCodeUnacceptable(status), .head(head))
      }
      return accept(head)
    }

    /// Holds back a part of the body while the policy decides on the response.
    ///
    /// - Returns: `false` if the part is due now. `pausing` is the transfer to pause, if too many bytes are held back.
    mutating func holdBack(_ bytes: UnsafeRawBufferPointer) -> (isHeld: Bool, pausing: (any Transfer)?) {
      guard held != nil else { return (false, nil) }
      guard phase == .running else { return (true, nil) }
      held!.events.append(.bytes(Data(bytes)))
      held!.byteCount += bytes.count
      guard held!.byteCount > Self.discardLimit, !held!.pausesTransfer else { return (true, nil) }
      held!.pausesTransfer = true
      return (true, transfer)
    }

    /// Holds back the end of the attempt while the policy decides on the response. Returns `false` if it is due now.
    mutating func holdBack(_ end: (any Error)?) -> Bool {
      held?.events.append(.end(end))
      return held != nil
    }

    /// Returns `true` if the caller has to deliver the events that are held back.
    mutating func beginHeldDelivery() -> Bool {
      guard let held, held.isDecided, !held.isDelivering, !isPaused || isCancelled else { return false }
      self.held!.isDelivering = true
      return true
    }

    /// Returns the next event that was held back, for the thread that delivers them.
    ///
    /// - Returns: `nil` if there are none, or if the program has paused the transfer. `resuming` is the transfer to
    ///   resume, since nothing is held back anymore.
    mutating func takeHeldEvent() -> (event: Event?, resuming: (any Transfer)?) {
      guard held != nil else { return (nil, nil) }
      if isPaused, !isCancelled {
        held!.isDelivering = false
        return (nil, nil)
      }
      guard let event = held!.events.first else { return (nil, endHolding()) }
      held!.events.removeFirst()
      // The next attempt may begin, on another thread, before this event has been handled.
      if case .end = event { _ = endHolding() }
      return (event, nil)
    }

    private var isPausedByHeldEvents: Bool { held?.pausesTransfer ?? false }

    private mutating func endHolding() -> (any Transfer)? {
      let resumes = isPausedByHeldEvents && !isPaused
      held = nil
      return resumes ? transfer : nil
    }

    private mutating func accept(_ head: ResponseHead) -> Action {
      guard let point = pendingPoint else {
        self.head = head
        return .nothing
      }
      switch point.kind(of: head) {
      case .rest(let total):
        pendingPoint = nil
        self.total = total
        if let limit, total > limit { return end(DataLoader.TransferError.bodyTooLarge(limit: limit)) }
        return .nothing
      // The response is the same whole body: the server does not support ranges.
      case .whole
      where head.status == 200 && ResumePoint.Validator(head) == point.validator && head.url.absoluteString == point.url:
        pendingPoint = nil
        skipped = count
        return .nothing
      case .whole, .refused: return end(interruption ?? DataLoader.TransferError.cancelled)
      }
    }

    mutating func refuse(_ head: ResponseHead, serverDelay: TimeInterval?) {
      if phase == .running { refusal = (head, serverDelay) }
    }

    mutating func receive(_ byteCount: Int) -> Action {
      guard phase == .running else { return .nothing }
      if delayAfterDiscard != nil {
        discardedCount += byteCount
        return discardedCount > Self.discardLimit ? transfer.map { .stop($0) } ?? .nothing : .nothing
      }
      let known = min(skipped, byteCount)
      skipped -= known
      guard byteCount > known else { return .nothing }
      if let limit, byteCount - known > limit - count {
        return end(DataLoader.TransferError.bodyTooLarge(limit: limit))
      }
      count += byteCount - known
      return .deliver(takeHead(), behind: known)
    }

    /// The maximum size of a body that is read and discarded to reuse the connection, in bytes. Also the number of
    /// bytes that may be held back before the attempt is paused.
    private static let discardLimit = 16 * 1024

    private mutating func takeHead() -> ResponseHead? {
      guard !isHeadDelivered else { return nil }
      isHeadDelivered = true
      return head
    }

    private mutating func end(
      _ error: (any Error)?, head: ResponseHead? = nil, refused: ResponseHead? = nil
    ) -> Action {
      phase = .ended
      return .end(head, refused: refused, error, stopping: transfer.take())
    }

    // MARK: The end of an attempt

    /// - Parameters:
    ///   - now: the current time in nanoseconds.
    ///   - random: a random number from 0 to 1.
    mutating func finish(_ error: (any Error)?, now: UInt64, random: Double) -> Action {
      guard phase == .running else { return .nothing }
      transfer = nil
      let error = error ?? shortfall
      // The attempt may have failed just before it was canceled. The end of a response that was not delivered does not
      // end the transfer.
      if isCancelled, error != nil || delayAfterDiscard != nil { return end(DataLoader.TransferError.cancelled) }
      if let delayAfterDiscard, prepareNext() { return .retry(after: delayAfterDiscard) }
      guard let error else { return end(nil, head: takeHead()) }
      switch error.transferError {
      case .timedOut(.resource, _, _): return retry(after: error, nil)
      // No request has reached a server.
      case .cannotResolveHost where waitsForConnectivity, .cannotConnect where waitsForConnectivity,
        .timedOut(.connect, _, _) where waitsForConnectivity:
        let delay = Self.connecting.delay(retryCount: connectionCount, random: random)
        connectionCount = min(connectionCount + 1, Self.maximumConnectionCount - 1)
        // The last attempt begins at the deadline at the latest. If an attempt fails after it, one more begins, and
        // reports the timeout.
        return retry(after: error, delay.map { min($0, remaining(now)) })
      default: return ask(error, .end(error))
      }
    }

    private static let maximumConnectionCount = 16
    /// The delays while waiting for a connection. Their number is not limited.
    private static let connecting = Backoff(maxRetryCount: maximumConnectionCount, initialDelay: 0.5, maximumDelay: 15)

    private mutating func ask(_ error: any Error, _ decision: PendingDecision) -> Action {
      self.pendingDecision = decision
      return .ask(error.forPrograms(url: request.url), retryCount: retryCount, serverDelay: refusal?.delay)
    }

    /// Continues with the decision of the policy, which may arrive late and on any thread.
    ///
    /// - Parameters:
    ///   - delay: the delay in seconds; `nil` to end the transfer.
    ///   - now: the current time in nanoseconds.
    mutating func decide(_ delay: TimeInterval?, now: UInt64) -> Action {
      guard phase == .running, let decision = pendingDecision else { return .nothing }
      pendingDecision = nil
      held?.isDecided = true
      let delay = delay.flatMap { $0 < remaining(now) && !isCancelled ? $0 : nil }
      if delay != nil {
        retryCount += 1
        connectionCount = 0
      }
      switch decision {
      case .head(let head):
        delayAfterDiscard = delay
        if delay != nil { return .nothing }
        refusal = nil
        return accept(head)
      case .end(let error): return isCancelled ? end(DataLoader.TransferError.cancelled) : retry(after: error, delay)
      }
    }

    private mutating func retry(after error: any Error, _ delay: TimeInterval?) -> Action {
      if let delay, prepareNext() {
        interruption = error
        return .retry(after: delay)
      }
      // The user did not request a range, so the original error is more useful than status 416.
      if pendingPoint != nil, error.unacceptableStatus == 416, let interruption { return end(interruption) }
      return end(error, refused: refusal?.head)
    }

    /// Seconds until the deadline.
    private func remaining(_ now: UInt64) -> TimeInterval {
      deadline.map { $0 > now ? TimeInterval($0 - now) / 1e9 : 0 } ?? .infinity
    }

    /// The error for a body that ended without an error before it was complete; otherwise `nil`.
    private var shortfall: (any Error)? {
      guard pendingPoint == nil, skipped == 0, count == total ?? count else {
        let host = request.url?.host ?? ""
        return DataLoader.TransferError.connectionLost(host: host, reason: "the rest of the body is missing")
      }
      return nil
    }

    /// Prepares another attempt. Returns `false` if the delivered part cannot be continued.
    private mutating func prepareNext() -> Bool {
      if count > 0 {
        guard let point else { return false }
        pendingPoint = point
      } else {
        head = nil
      }
      skipped = 0
      refusal = nil
      delayAfterDiscard = nil
      discardedCount = 0
      attempt += 1
      phase = .waiting
      return true
    }

    /// The resume point of the body so far.
    private var point: ResumePoint? {
      guard let head, var point = ResumePoint(head, to: request, count: count) else { return nil }
      if let total {
        guard count < total else { return nil }
        point = ResumePoint(validator: point.validator, url: point.url, total: total, count: count)
      }
      return point
    }
  }
}
