import Foundation
import FoundationNetworking

extension RetryingTransfer {
  /// The attempts and the data so far. It is a value, which decides what follows.
  ///
  /// The head is held back until there is something of the body, or its end: until then all can be requested anew.
  struct State {
    private let request: URLRequest
    private let limit: Int?
    private let waitsForConnectivity: Bool
    /// No attempt begins after this. Nanoseconds.
    private let deadline: UInt64?

    private enum Phase { case running, waiting, ended }
    private var phase = Phase.waiting
    private var attempt = 0
    private var transfer: (any Transfer)?
    private var isCancelled = false
    private var isPaused = false
    private var priority = ImageRequest.Priority.normal

    private var retryCount = 0
    private var connectionCount = 0

    private var head: ResponseHead?
    private var isHeadTold = false
    /// Bytes that were handed on.
    private var count = 0
    /// The length of the body, where a later answer told it.
    private var total: Int?

    /// The point from which the running attempt resumes, until its answer arrives.
    private var asked: ResumePoint?
    /// Bytes of the answer that were handed on before.
    private var skipped = 0
    /// Why the last attempt ended.
    private var interruption: (any Error)?
    private var refusal: (head: ResponseHead, delay: TimeInterval?)?
    /// What the policy is being asked about.
    private var question: Question?
    /// Seconds to wait after an answer that nobody is told of, although the observer would take it.
    private var dismissal: TimeInterval?
    /// Bytes of that answer.
    private var dismissedCount = 0

    private enum Question {
      case head(ResponseHead)
      case end(any Error)
    }

    struct Attempt {
      let number: Int
      let request: URLRequest
      let isPaused: Bool
    }

    enum Action {
      case nothing
      case start(Attempt)
      /// Hands on a head that was held back, and the bytes behind the first few.
      case deliver(ResponseHead?, behind: Int)
      /// Cancels the attempt.
      case stop(any Transfer)
      /// Asks the policy how long to wait, for ``State/decide(_:now:)``.
      case ask(any Error, retryCount: Int, serverDelay: TimeInterval?)
      /// Begins another attempt after so many seconds.
      case retry(after: TimeInterval)
      /// Ends the transfer, with a head if the body is empty or the head that was refused, and cancels the attempt.
      case end(ResponseHead?, refused: ResponseHead?, (any Error)?, stopping: (any Transfer)?)
    }

    init(_ request: URLRequest, limit: Int?, waitsForConnectivity: Bool, deadline: UInt64?) {
      self.request = request
      self.limit = limit
      self.waitsForConnectivity = waitsForConnectivity
      self.deadline = deadline
    }

    // MARK: From outside

    mutating func begin() -> Action {
      guard phase == .waiting else { return .nothing }
      if isCancelled { return end(DataLoader.TransferError.cancelled) }
      phase = .running
      return .start(
        Attempt(number: attempt, request: asked?.request(resuming: request) ?? request, isPaused: isPaused))
    }

    /// Keeps the transfer of an attempt.
    ///
    /// - Returns: how it is to continue, which may have changed while it began; `nil` if it is over already.
    mutating func hold(
      _ transfer: any Transfer, of attempt: Attempt
    ) -> (isPaused: Bool, priority: ImageRequest.Priority, isCancelled: Bool)? {
      guard attempt.number == self.attempt, phase == .running else { return nil }
      self.transfer = transfer
      return (isPaused, priority, isCancelled)
    }

    mutating func cancel() -> Action {
      guard phase != .ended, !isCancelled else { return .nothing }
      isCancelled = true
      // Nothing runs that would tell the end. Another thread does so, since the caller may hold a lock that the observer
      // takes.
      if phase == .waiting { return .retry(after: 0) }
      return transfer.map { .stop($0) } ?? .nothing
    }

    /// - Returns: what is to be paused or resumed.
    mutating func pause(_ isPaused: Bool) -> (any Transfer)? {
      self.isPaused = isPaused
      return transfer
    }

    /// - Returns: what is to be told of the priority.
    mutating func setPriority(_ priority: ImageRequest.Priority) -> (any Transfer)? {
      self.priority = priority
      return transfer
    }

    // MARK: From the attempt

    /// - Parameter serverDelay: seconds that the response said in `Retry-After`.
    mutating func receive(_ head: ResponseHead, serverDelay: TimeInterval?) -> Action {
      guard phase == .running else { return .nothing }
      // What stands between here and the program, such as a cache, may let through what would be an error without it.
      if let status = head.status, status >= 400 {
        refusal = (head, serverDelay)
        return ask(DataLoader.Error.statusCodeUnacceptable(status), .head(head))
      }
      return accept(head)
    }

    private mutating func accept(_ head: ResponseHead) -> Action {
      guard let point = asked else {
        self.head = head
        return .nothing
      }
      switch point.answer(head) {
      case .rest(let total):
        asked = nil
        self.total = total
        if let limit, total > limit { return end(DataLoader.TransferError.bodyTooLarge(limit: limit)) }
        return .nothing
      // All of the very same body: ranges are not served.
      case .whole
      where head.status == 200 && ResumePoint.Validator(head) == point.validator && head.url.absoluteString == point.url:
        asked = nil
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
      if dismissal != nil {
        dismissedCount += byteCount
        return dismissedCount > Self.discardLimit ? transfer.map { .stop($0) } ?? .nothing : .nothing
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

    /// The largest body that is read to keep the connection, in bytes.
    private static let discardLimit = 16 * 1024

    private mutating func takeHead() -> ResponseHead? {
      guard !isHeadTold else { return nil }
      isHeadTold = true
      return head
    }

    private mutating func end(
      _ error: (any Error)?, head: ResponseHead? = nil, refused: ResponseHead? = nil
    ) -> Action {
      phase = .ended
      defer { transfer = nil }
      return .end(head, refused: refused, error, stopping: transfer)
    }

    // MARK: The end of an attempt

    /// - Parameters:
    ///   - now: nanoseconds.
    ///   - random: from 0 to 1.
    mutating func finish(_ error: (any Error)?, now: UInt64, random: Double) -> Action {
      guard phase == .running else { return .nothing }
      transfer = nil
      let error = error ?? shortfall
      // The attempt may have failed by itself just before it was to be stopped, and the end of an answer that nobody was
      // told of is not the end of the transfer.
      if isCancelled, error != nil || dismissal != nil { return end(DataLoader.TransferError.cancelled) }
      if let dismissal, prepareNext() { return .retry(after: dismissal) }
      guard let error else { return end(nil, head: takeHead()) }
      switch error.transferError {
      case .timedOut(.resource, _, _): return retry(after: error, nil)
      // No server has heard of the request.
      case .cannotResolveHost where waitsForConnectivity, .cannotConnect where waitsForConnectivity,
        .timedOut(.connect, _, _) where waitsForConnectivity:
        let delay = Self.connecting.delay(
          after: .dataLoadingFailed(error: error.forPrograms(url: request.url)), retryCount: connectionCount,
          random: random)
        connectionCount = min(connectionCount + 1, Self.connecting.maxRetryCount - 1)
        // The last attempt begins at the limit or, where one failed past it, behind it, and tells that it was passed.
        return retry(after: error, delay.map { min($0, remaining(now)) })
      default: return ask(error, .end(error))
      }
    }

    /// The delays while waiting for a connection. Their number is not limited.
    private static let connecting = RetryPolicy(maxRetryCount: 16, initialDelay: 0.5, maximumDelay: 15)

    private mutating func ask(_ error: any Error, _ question: Question) -> Action {
      self.question = question
      return .ask(error.forPrograms(url: request.url), retryCount: retryCount, serverDelay: refusal?.delay)
    }

    /// Continues with the answer of the policy.
    ///
    /// - Parameters:
    ///   - delay: seconds; `nil` for no further attempt.
    ///   - now: nanoseconds.
    mutating func decide(_ delay: TimeInterval?, now: UInt64) -> Action {
      guard phase == .running, let question else { return .nothing }
      self.question = nil
      let delay = delay.flatMap { $0 < remaining(now) && !isCancelled ? $0 : nil }
      if delay != nil {
        retryCount += 1
        connectionCount = 0
      }
      switch question {
      case .head(let head):
        dismissal = delay
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
      // A person can do nothing about the fact that the rest was requested.
      if asked != nil, error.unacceptableStatus == 416, let interruption { return end(interruption) }
      return end(error, refused: refusal?.head)
    }

    /// Seconds until the deadline.
    private func remaining(_ now: UInt64) -> TimeInterval {
      deadline.map { $0 > now ? TimeInterval($0 - now) / 1e9 : 0 } ?? .infinity
    }

    /// The body ended well by itself, and yet is not all that was to come.
    private var shortfall: (any Error)? {
      guard asked == nil, skipped == 0, count == total ?? count else {
        let host = request.url?.host ?? ""
        return DataLoader.TransferError.connectionLost(host: host, reason: "the rest of the body has not come")
      }
      return nil
    }

    /// Makes ready for another attempt; `false` if what was handed on cannot be continued.
    private mutating func prepareNext() -> Bool {
      if count > 0 {
        guard let point else { return false }
        asked = point
      } else {
        head = nil
      }
      skipped = 0
      refusal = nil
      dismissal = nil
      dismissedCount = 0
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
