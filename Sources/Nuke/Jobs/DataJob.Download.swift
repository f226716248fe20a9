import Foundation
import FoundationNetworking
import NukeHTTPCaching

extension DataJob {
  /// The state of a download. It is a value, which decides what follows from the events of a loader.
  struct Download {
    enum Phase { case waiting, loading, ended }

    /// The transfer whose events count. There are at most two: one for the rest of a body or a conditional one, and one
    /// for the whole body if that led to nothing.
    enum Attempt { case rest, condition, whole }

    /// The step that follows an event of the loader.
    enum Step {
      case nothing
      /// So much of the body is there, of `expected` where that is known.
      case progress(count: Int, expected: Int64, BodySpool?)
      /// The transfer is to be canceled, as is the load.
      case exceedsLimit(transfer: (any Cancellable)?)
      /// The transfer is to be canceled, and one for the whole to begin.
      case startOver(transfer: (any Cancellable)?)
      case succeeded(Loaded)
      /// The server says that the stored data is current.
      case notModified(ResponseHead?)
      case failed(any Error, PartialBodies.Part?)
    }

    private(set) var phase = Phase.waiting
    private var isGivenUp = false
    private var transfer: (any Cancellable)?
    /// The transfer to release outside of the lock. It may be the last reference to an object of the program's.
    private var released: (any Cancellable)?
    private var attempt = Attempt.whole
    /// Set where the delegate has changed what is sent.
    var sent: URLRequest?
    var spool: BodySpool?

    /// The partial body of an earlier download, until the answer to the request for the rest has arrived.
    private var part: PartialBodies.Part?
    /// The same, where the server may not be to blame that it led to nothing.
    private var spare: PartialBodies.Part?
    /// Set where the answer was the rest.
    private var joined: (point: ResumePoint, total: Int)?

    private(set) var response: LazyURLResponse?
    private(set) var body = GrowingData()

    var isLoading: Bool { phase == .loading }
    /// Bytes that had come before.
    var resumedCount: Int { joined?.point.count ?? 0 }

    // MARK: From one phase to the next

    /// Leaves the waiting; `false` if the job was stopped before.
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

    mutating func takeReleased() -> (any Cancellable)? {
      if released == nil { return nil }
      defer { released = nil }
      return released
    }

    /// Ends whatever goes on.
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

    /// Lets go of the transfer, which may hold closures that hold the job.
    private mutating func takeTransfer() -> (any Cancellable)? {
      defer { transfer = nil }
      return transfer
    }

    // MARK: The transfer

    /// Asks for the rest of a body alone; `false` if the load was stopped before.
    mutating func resume(_ part: PartialBodies.Part) -> Bool {
      guard phase == .loading else { return false }
      self.part = part
      attempt = .rest
      return true
    }

    /// Asks about what is stored; `false` if the load was stopped before.
    mutating func ask() -> Bool {
      guard phase == .loading else { return false }
      attempt = .condition
      return true
    }

    /// Keeps what can be canceled.
    ///
    /// - Returns: `true` if it is to be canceled at once, since it came too late for that.
    mutating func hold(_ cancellable: any Cancellable, of attempt: Attempt) -> Bool {
      guard !isGivenUp, attempt == self.attempt else { return true }
      if phase == .loading {
        released = transfer
        transfer = cancellable
      }
      return false
    }

    /// Keeps what comes before a transfer. It runs on a thread of its own, so the transfer may be there already, which
    /// it must not take the place of.
    mutating func holdUntilSent(_ preparation: any Cancellable) -> Bool {
      if !isGivenUp, transfer == nil, phase == .loading { transfer = preparation }
      return isGivenUp
    }

    var runningTransfer: (any Transfer)? { transfer as? any Transfer }

    // MARK: What the loader says

    /// `true` if the head of the answer to a request for the rest has yet to be looked at.
    var awaitsAnswer: Bool { part != nil }

    mutating func receive(_ head: ResponseHead, from attempt: Attempt, limit: Int?) -> Step {
      guard phase == .loading, attempt == self.attempt else { return .nothing }
      guard let part else {
        response = LazyURLResponse(head)
        return .nothing
      }
      switch part.point.answer(head) {
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

    /// - Parameter append: adds the part to the body, of which a length is expected.
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

    /// The same with the response that a user's loader gives along with each part.
    ///
    /// - Parameter url: stands in where the response has none.
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

    /// Bytes of the whole body, where that is known.
    private var expectedLength: Int? { response?.head.expectedLength }

    private var progress: Step {
      .progress(
        count: body.count, expected: Int64(expectedLength ?? 0),
        body.count >= BodySpool.threshold ? spool : nil)
    }

    /// - Parameter original: what was sent, unless the delegate has changed it.
    mutating func complete(
      _ error: (any Error)?, from attempt: Attempt, of original: () -> URLRequest?
    ) -> Step {
      guard phase == .loading, attempt == self.attempt else { return .nothing }
      if part != nil {
        // Nothing of an answer has come.
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

    /// Returns the step for an answer without a body, which is about stored data; `nil` for every other answer.
    private mutating func answer(_ error: (any Error)?) -> Step? {
      if error?.unacceptableStatus == 304 { return .notModified(response?.head) }
      guard error == nil, body.count == 0 else { return nil }
      if let head = response?.head, head.status == 304 { return .notModified(head) }
      // A loader that tells of a response with its body alone says nothing of what this was.
      return response == nil ? startOver() : nil
    }

    /// Returns the step after an answer that does not fit the stored data: the whole body is requested.
    mutating func restartUnconditionally() -> Step {
      guard phase == .loading, attempt == .condition else { return .nothing }
      return startOver()
    }

    /// Returns `true` if the error may mean that a range, or an answer without a body, is not what the loader lets
    /// through, rather than that nothing comes through at all.
    private static func mayBeRefusal(_ error: any Error) -> Bool {
      !(error is DataLoader.Error || error is DataLoader.TransferError || error is URLError
        || error is CancellationError)
    }

    /// - Parameter sparing: whether the part is kept for the case that nothing comes now either.
    private mutating func startOver(sparing: Bool = false) -> Step {
      if sparing { spare = part }
      attempt = .whole
      part = nil
      joined = nil
      response = nil
      body = GrowingData()
      return .startOver(transfer: takeTransfer())
    }

    // MARK: What is left

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

    /// Returns the data that should be on disk by now.
    func spoolSource(of original: () -> URLRequest?) -> BodySpool.Source? {
      guard phase == .loading, body.count > 0 else { return nil }
      return BodySpool.Source(
        data: body.data, total: expectedLength.flatMap { $0 >= body.count ? $0 : nil },
        attributes: point(of: original)?.attributes ?? [])
    }
  }
}

extension ResponseHead {
  /// The head of a 206 that gave the rest of a body, as that of the whole (RFC 9110 §15.3.7.3).
  fileprivate func joined(total: Int) -> ResponseHead {
    var fields = fields
    for name in [FieldName.contentRange, .transferEncoding] { fields.remove(name) }
    fields.set(.contentLength, String(total))
    return ResponseHead(url: url, status: 200, expectedLength: total, fields: fields)
  }
}
