import Foundation
import FoundationNetworking
import NukeBase
import NukeHTTP
import NukeHTTPCaching

extension DataJob {
  /// The state of a download: a value that answers the events of a loader with the next step.
  struct Download {
    enum Phase { case waiting, loading, ended }

    /// The transfer whose events count. A range request or a conditional request may be followed by one for the whole
    /// body.
    enum Attempt { case rest, condition, whole }

    /// The step that follows an event of the loader.
    enum Step {
      case nothing
      /// `count` bytes have arrived, of `expected` if that is known.
      case progress(count: Int, expected: Int64, BodySpool?)
      /// Cancel the transfer and fail.
      case exceedsLimit(transfer: (any Cancellable)?)
      /// Cancel the transfer and request the whole body.
      case startOver(transfer: (any Cancellable)?)
      case succeeded(Loaded)
      /// The server has confirmed that the stored data is current.
      case notModified(ResponseHead?)
      case failed(any Error, PartialBodies.Part?)
    }

    private(set) var phase = Phase.waiting
    private var isGivenUp = false
    private var transfer: (any Cancellable)?
    /// The transfer to release outside of the lock. It may be the last reference to an object of the program.
    private var released: (any Cancellable)?
    private var attempt = Attempt.whole
    /// The request as the delegate has changed it.
    var sent: URLRequest?
    var spool: BodySpool?

    /// The partial body of an earlier download, until the response to the range request has arrived.
    private var part: PartialBodies.Part?
    /// The partial body after a range request that failed for a reason other than the server.
    private var spare: PartialBodies.Part?
    /// The resume point and the total size, if the server has sent the rest.
    private var joined: (point: ResumePoint, total: Int)?

    private(set) var response: LazyURLResponse?
    private(set) var body = GrowingData()

    var isLoading: Bool { phase == .loading }
    /// The bytes from an earlier download.
    var resumedCount: Int { joined?.point.count ?? 0 }

    // MARK: Phases

    /// Begins loading. Returns `false` if the job was stopped before.
    mutating func begin() -> Bool {
      guard phase == .waiting else { return false }
      phase = .loading
      return true
    }

    /// - Returns: `true` if this is the first end.
    mutating func end(from begun: Phase) -> Bool {
      guard phase == begun else { return false }
      phase = .ended
      released = takeTransfer()
      return true
    }

    mutating func takeReleased() -> (any Cancellable)? { released.take() }

    /// Ends the download in any phase.
    mutating func stop(_ original: () -> URLRequest?) -> (
      phase: Phase, transfer: (any Cancellable)?, part: PartialBodies.Part?
    ) {
      defer { phase = .ended }
      return (phase, giveUp(), phase == .loading ? takePart(original) : nil)
    }

    private mutating func giveUp() -> (any Cancellable)? {
      isGivenUp = true
      return takeTransfer()
    }

    /// Returns the transfer and removes it from the download. The closures of the transfer may retain the job.
    private mutating func takeTransfer() -> (any Cancellable)? { transfer.take() }

    // MARK: The transfer

    /// Prepares for a range request or a conditional request. Returns `false` if the load was stopped before.
    mutating func prepare(_ attempt: Attempt, resuming part: PartialBodies.Part? = nil) -> Bool {
      guard phase == .loading else { return false }
      self.part = part
      self.attempt = attempt
      return true
    }

    /// Keeps the transfer, so that it can be canceled.
    ///
    /// - Returns: `true` if the caller has to cancel it, since the download has ended.
    mutating func hold(_ cancellable: any Cancellable, of attempt: Attempt) -> Bool {
      guard !isGivenUp, attempt == self.attempt else { return true }
      if phase == .loading {
        released = transfer
        transfer = cancellable
      }
      return false
    }

    /// Keeps the preparation of a transfer, unless the transfer itself has begun: the preparation runs concurrently.
    mutating func holdUntilSent(_ preparation: any Cancellable) -> Bool {
      if !isGivenUp, transfer == nil, phase == .loading { transfer = preparation }
      return isGivenUp
    }

    var runningTransfer: (any Transfer)? { transfer as? any Transfer }

    // MARK: Events of the loader

    /// `true` until the response to a range request has arrived.
    var awaitsAnswer: Bool { part != nil }

    mutating func receive(_ head: ResponseHead, from attempt: Attempt, limit: Int?) -> Step {
      guard phase == .loading, attempt == self.attempt else { return .nothing }
      guard let part else {
        response = LazyURLResponse(head)
        return .nothing
      }
      switch part.point.kind(of: head) {
      case .refused: return startOver()
      case .whole:
        self.part = nil
        response = LazyURLResponse(head)
        return .nothing
      case .rest(let total):
        self.part = nil
        response = LazyURLResponse(head.joined(total: total))
        if let limit, total > limit { return .exceedsLimit(transfer: giveUp()) }
        joined = (part.point, total)
        body = part.body
        return progress
      }
    }

    /// - Parameter append: appends the bytes to the body, whose expected size it gets.
    mutating func receive(
      _ count: Int, from attempt: Attempt, limit: Int?, append: (inout GrowingData, Int) -> Void
    ) -> Step {
      guard phase == .loading, attempt == self.attempt, part == nil else { return .nothing }
      if let limit, body.count + count > limit || expectedLength ?? 0 > limit {
        return .exceedsLimit(transfer: giveUp())
      }
      append(&body, expectedLength ?? -1)
      return progress
    }

    /// Receives a part of the body with its response, from a custom loader.
    ///
    /// - Parameter url: is used if the response has no URL.
    mutating func receive(
      _ chunk: Data, _ response: URLResponse, of url: URL?, from attempt: Attempt, limit: Int?
    ) -> Step {
      if self.response == nil, part == nil, attempt == self.attempt {
        self.response = LazyURLResponse(response, url: url)
      }
      return receive(chunk.count, from: attempt, limit: limit) { body, expected in
        body.append(chunk, expected: expected)
      }
    }

    /// The size of the whole body, in bytes; `nil` if it is not known.
    private var expectedLength: Int? { response?.head.expectedLength }

    private var progress: Step {
      .progress(
        count: body.count, expected: Int64(expectedLength ?? 0),
        body.count >= BodySpool.threshold ? spool : nil)
    }

    /// - Parameter original: the request, if the delegate has not changed it.
    mutating func complete(
      _ error: (any Error)?, from attempt: Attempt, of original: () -> URLRequest?
    ) -> Step {
      guard phase == .loading, attempt == self.attempt else { return .nothing }
      if part != nil {
        // No response has arrived.
        guard let error else { return startOver() }
        if error.unacceptableStatus == 416 { return startOver() }
        if Self.mayBeRefusal(error) { return startOver(sparing: true) }
      } else if error == nil, let joined, body.count != joined.total {
        return startOver()
      } else if attempt == .condition, let step = answer(error) {
        return step
      } else if attempt == .condition, let error, Self.mayBeRefusal(error) {
        return startOver()
      }
      phase = .ended
      released = takeTransfer()
      if let error { return .failed(error, takePart(original)) }
      defer { body = GrowingData() }
      return .succeeded(Loaded(data: body.data, response: response))
    }

    /// Returns the step for a response without a body to a conditional request; `nil` for every other response.
    private mutating func answer(_ error: (any Error)?) -> Step? {
      if error?.unacceptableStatus == 304 { return .notModified(response?.head) }
      guard error == nil, body.count == 0 else { return nil }
      if let head = response?.head, head.status == 304 { return .notModified(head) }
      // A loader that reports a response only with its body does not say which response this was.
      return response == nil ? startOver() : nil
    }

    /// Returns the step after a 304 that does not match the stored data: the whole body is requested.
    mutating func restartUnconditionally() -> Step {
      guard phase == .loading, attempt == .condition else { return .nothing }
      return startOver()
    }

    /// Returns `true` if the loader may have refused a 206 or a 304, rather than failed to reach the server.
    private static func mayBeRefusal(_ error: any Error) -> Bool {
      !(error is DataLoader.Error || error is DataLoader.TransferError || error is URLError
        || error is CancellationError)
    }

    /// - Parameter sparing: `true` to keep the partial body in case this request fails too.
    private mutating func startOver(sparing: Bool = false) -> Step {
      if sparing { spare = part }
      attempt = .whole
      part = nil
      joined = nil
      response = nil
      body = GrowingData()
      return .startOver(transfer: takeTransfer())
    }

    // MARK: Partial bodies

    /// Returns the resume point of the body so far.
    private func point(of original: () -> URLRequest?) -> ResumePoint? {
      if var point = joined?.point, let total = joined?.total {
        point = ResumePoint(validator: point.validator, url: point.url, total: total, count: body.count)
        return body.count < total ? point : nil
      }
      guard body.count > 0, let request = sent ?? original(), let head = response?.head else { return nil }
      return ResumePoint(head, to: request, count: body.count)
    }

    /// Takes the partial body that the next download can resume.
    private mutating func takePart(_ original: () -> URLRequest?) -> PartialBodies.Part? {
      defer { body = GrowingData() }
      if let part { return part }
      return point(of: original).map { PartialBodies.Part(point: $0, body: body) } ?? spare
    }

    /// Returns the bytes to spool.
    func spoolSource(of original: () -> URLRequest?) -> BodySpool.Source? {
      guard phase == .loading, body.count > 0 else { return nil }
      return BodySpool.Source(
        data: body.data, total: expectedLength.flatMap { $0 >= body.count ? $0 : nil },
        attributes: point(of: original)?.attributes ?? [])
    }
  }
}

extension ResponseHead {
  /// Returns the head of a 206 with the rest of a body, as the head of the whole body (RFC 9110 §15.3.7.3).
  fileprivate func joined(total: Int) -> ResponseHead {
    var fields = fields
    for name in [FieldName.contentRange, .transferEncoding] { fields.remove(name) }
    fields.set(.contentLength, String(total))
    return ResponseHead(url: url, status: 200, expectedLength: total, fields: fields)
  }
}
