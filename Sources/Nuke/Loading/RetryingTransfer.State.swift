import Foundation
import FoundationNetworking

extension RetryingTransfer {
  /// The attempts and the data so far. It is a value, which decides what follows.
  ///
  /// Tries are numbered, and what comes from an earlier one is not heeded. The head is held back until there is something
  /// of the body, or its end: until then all can be asked for anew.
  struct State {
    private let request: URLRequest
    private let limit: Int?
    private let policy: RetryPolicy?
    private let waitsForConnectivity: Bool
    /// No try begins after this. Nanoseconds.
    private let deadline: UInt64?

    private enum Phase { case running, waiting, ended }
    private var phase = Phase.running
    /// The number of the try.
    private(set) var attempt = 0
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
    /// Why the last try ended.
    private var interruption: (any Error)?
    private var refusal: (head: ResponseHead, delay: TimeInterval?)?
    /// Seconds to wait where the running try has an answer that is not wanted, although whoever asks would take it.
    private var dismissal: TimeInterval?
    /// Bytes of that which have come.
    private var dismissedCount = 0

    init(
      _ request: URLRequest, limit: Int?, policy: RetryPolicy?, waitsForConnectivity: Bool, deadline: UInt64?
    ) {
      self.request = request
      self.limit = limit
      self.policy = policy
      self.waitsForConnectivity = waitsForConnectivity
      self.deadline = deadline
    }

    /// Returns `true` if asking twice does no more than asking once (RFC 9110 §9.2.2).
    static func allows(_ request: URLRequest) -> Bool {
      guard request.httpBodyStream == nil else { return false }
      return ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"].contains(request.httpMethod ?? "GET")
    }

    // MARK: From outside

    /// Returns the request of the next attempt; `nil` if none is wanted any more.
    mutating func begin() -> (request: URLRequest, isPaused: Bool)? {
      guard phase != .ended else { return nil }
      phase = .running
      return (asked?.request(resuming: request) ?? request, isPaused)
    }

    /// Keeps what was begun.
    ///
    /// - Returns: how it is to go on, which may have changed while it began; `nil` if it is over already.
    mutating func hold(
      _ transfer: any Transfer, of attempt: Int
    ) -> (isPaused: Bool, priority: ImageRequest.Priority, isCancelled: Bool)? {
      guard attempt == self.attempt, phase == .running else { return nil }
      self.transfer = transfer
      return (isPaused, priority, isCancelled)
    }

    enum Cancellation {
      case nothing
      case stop(any Transfer)
      /// Nothing runs that would tell the end.
      case end
    }

    mutating func cancel() -> Cancellation {
      guard phase != .ended, !isCancelled else { return .nothing }
      isCancelled = true
      switch phase {
      case .running: return transfer.map { .stop($0) } ?? .nothing
      default:
        phase = .ended
        return .end
      }
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

    // MARK: What a try tells

    enum Answer {
      case goOn
      /// The transfer ends with the error, and the try is to be canceled.
      case giveUp(any Error, (any Transfer)?)
    }

    /// - Parameters:
    ///   - serverDelay: seconds that the response said in `Retry-After`.
    ///   - now: nanoseconds.
    ///   - random: from 0 to 1.
    mutating func receive(
      _ head: ResponseHead, serverDelay: TimeInterval?, from attempt: Int, now: UInt64, random: Double
    ) -> Answer {
      guard attempt == self.attempt, phase == .running else { return .goOn }
      if let status = head.status, status >= 400 {
        // What stands between here and the program, such as a cache, may let through what would be an error without it.
        let error = DataLoader.Error.statusCodeUnacceptable(status)
        refusal = (head, serverDelay)
        dismissal = delay(after: error, now: now, random: random)
        if dismissal != nil { return .goOn }
        refusal = nil
      }
      guard let point = asked else {
        self.head = head
        return .goOn
      }
      switch point.answer(head) {
      case .rest(let total):
        asked = nil
        self.total = total
        if let limit, total > limit { return giveUp(DataLoader.TransferError.bodyTooLarge(limit: limit)) }
        return .goOn
      // All of the very same body: ranges are not served.
      case .whole
      where head.status == 200 && ResumePoint.Validator(head) == point.validator && head.url.absoluteString == point.url:
        asked = nil
        skipped = count
        return .goOn
      case .whole, .refused:
        return giveUp(interruption ?? DataLoader.TransferError.cancelled)
      }
    }

    mutating func refuse(_ head: ResponseHead, delay: TimeInterval?, from attempt: Int) {
      if attempt == self.attempt, phase == .running { refusal = (head, delay) }
    }

    /// The parts of some bytes to deliver: a head before them, and the bytes after the first few.
    enum Part {
      case nothing
      case bytes(ResponseHead?, behind: Int)
      /// The try is to be canceled.
      case stop((any Transfer)?)
      case giveUp(any Error, (any Transfer)?)
    }

    mutating func receive(_ byteCount: Int, from attempt: Int) -> Part {
      guard attempt == self.attempt, phase == .running else { return .nothing }
      if dismissal != nil {
        dismissedCount += byteCount
        return dismissedCount > Self.discardLimit ? .stop(transfer) : .nothing
      }
      let known = min(skipped, byteCount)
      skipped -= known
      guard byteCount > known else { return .nothing }
      if let limit, byteCount - known > limit - count {
        guard case .giveUp(let error, let transfer) = giveUp(DataLoader.TransferError.bodyTooLarge(limit: limit)) else {
          return .nothing
        }
        return .giveUp(error, transfer)
      }
      count += byteCount - known
      return .bytes(takeHead(), behind: known)
    }

    /// The largest body that is read to keep the connection, in bytes.
    private static let discardLimit = 16 * 1024

    private mutating func takeHead() -> ResponseHead? {
      guard !isHeadTold else { return nil }
      isHeadTold = true
      return head
    }

    private mutating func giveUp(_ error: any Error) -> Answer {
      phase = .ended
      defer { transfer = nil }
      return .giveUp(error, transfer)
    }

    // MARK: The end of a try

    enum End {
      case nothing
      /// The end of the transfer: a head where it had no body, the head that was refused, the error.
      case end(ResponseHead?, refused: ResponseHead?, (any Error)?)
      /// Another try begins after so many seconds.
      case wait(TimeInterval)
    }

    /// - Parameters:
    ///   - now: nanoseconds.
    ///   - random: from 0 to 1.
    mutating func finish(_ error: (any Error)?, from attempt: Int, now: UInt64, random: Double) -> End {
      guard attempt == self.attempt, phase == .running else { return .nothing }
      transfer = nil
      if let dismissal {
        if !isCancelled, prepareNext() { return .wait(dismissal) }
        // The end of an answer that nobody was told of is not the end of what was asked for.
        if isCancelled {
          phase = .ended
          return .end(nil, refused: nil, DataLoader.TransferError.cancelled)
        }
      }
      guard let error = error ?? shortfall else {
        phase = .ended
        return .end(takeHead(), refused: nil, nil)
      }
      if isCancelled {
        // The try may have failed by itself just before it was to be stopped.
        phase = .ended
        return .end(nil, refused: nil, DataLoader.TransferError.cancelled)
      }
      if let delay = delay(after: error, now: now, random: random), prepareNext() {
        interruption = error
        return .wait(delay)
      }
      phase = .ended
      // That the rest of it was asked for is no reason that a person could make something of.
      if asked != nil, error.unacceptableStatus == 416, let interruption {
        return .end(nil, refused: nil, interruption)
      }
      return .end(nil, refused: refusal?.head, error)
    }

    /// The body ended well by itself, and yet is not all that was to come.
    private var shortfall: (any Error)? {
      guard asked == nil, skipped == 0, count == total ?? count else {
        let host = request.url?.host ?? ""
        return DataLoader.TransferError.connectionLost(host: host, reason: "the rest of the body has not come")
      }
      return nil
    }

    private mutating func delay(after error: any Error, now: UInt64, random: Double) -> TimeInterval? {
      guard !isCancelled else { return nil }
      if case .timedOut(.resource, _, _)? = error.transferError { return nil }
      let left = deadline.map { $0 > now ? TimeInterval($0 - now) / 1e9 : 0 } ?? .infinity
      if waitsForConnectivity, Self.isConnectivity(error) {
        let delay = Self.connecting.delay(
          after: .dataLoadingFailed(error: error.forPrograms(url: request.url)), retryCount: connectionCount,
          random: random)
        connectionCount = min(connectionCount + 1, Self.connecting.maxRetryCount - 1)
        // The last try begins at the limit or, where one failed past it, behind it, and tells that it was passed.
        return delay.map { min($0, left) }
      }
      guard
        let delay = policy?.delay(
          after: .dataLoadingFailed(error: error.forPrograms(url: request.url)), retryCount: retryCount,
          serverDelay: refusal?.delay,
          random: random),
        delay < left
      else { return nil }
      retryCount += 1
      connectionCount = 0
      return delay
    }

    /// The delays while waiting for a connection. Their number is not limited.
    private static let connecting = RetryPolicy(maxRetryCount: 16, initialDelay: 0.5, maximumDelay: 15)

    /// Returns `true` if no connection could be made, so that no server has heard of the request.
    private static func isConnectivity(_ error: any Error) -> Bool {
      switch error.transferError {
      case .cannotResolveHost, .cannotConnect, .timedOut(.connect, _, _): true
      default: false
      }
    }

    /// Makes ready for another try; `false` if what was handed on cannot be continued.
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
