public import Foundation
public import FoundationNetworking
public import Nuke

/// A data loader that answers by a script, counts what it was asked for, and has no network.
///
/// ```swift
/// let loader = FakeDataLoader()
/// loader.answer(url, with: .data(SampleImage.jpeg(width: 64, height: 48)))
/// let pipeline = ImagePipeline.fake(loader: loader)
/// _ = try await pipeline.image(for: url)
/// #expect(loader.requests.count == 1)
/// ```
///
/// An answer may be held back by a ``Gate``. Answers are delivered one call at a time on a thread of the loader's own, as
/// real ones are, unless ``Delivery/synchronous`` was chosen. It may be used from any thread.
public final class FakeDataLoader: DataLoading {
  /// The thread on which the pipeline's closures are called.
  public enum Delivery: Sendable {
    /// On a serial queue of the loader's, after `loadData` has returned.
    case asynchronous
    /// Before `loadData` returns; what a gate held back, on the thread that opens the gate.
    case synchronous
  }

  /// Why a transfer failed that was not scripted to.
  public enum Failure: Error, Hashable, Sendable {
    /// No answer is known for the URL.
    case noAnswer(URL?)
    /// The transfer was canceled.
    case cancelled
  }

  private struct State: Sendable {
    var requests: [URLRequest] = []
    var cancelled: [URLRequest] = []
    var completed: [URLRequest] = []
    /// The remaining answers for each URL; the last one is repeated.
    var answers: [URL: [Answer]] = [:]
  }

  private let state = Watched(State())
  private let fallback: @Sendable (URLRequest) -> Answer
  private let queue: DispatchQueue?
  private let log: CallLog?

  /// A loader without answers.
  ///
  /// - Parameters:
  ///   - delivery: where the pipeline's closures are called.
  ///   - log: gets "load", "cancel" and "complete" with the last part of the URL, as they happen.
  ///   - fallback: gives the answer for URLs without one of their own; a failure unless it is set.
  public init(
    delivery: Delivery = .asynchronous, log: CallLog? = nil,
    fallback: @escaping @Sendable (URLRequest) -> Answer = { .failure(Failure.noAnswer($0.url)) }
  ) {
    self.fallback = fallback
    self.log = log
    queue = delivery == .asynchronous ? DispatchQueue(label: "nuke.testing.loader") : nil
  }

  // MARK: The script

  /// Answers requests for `url` with `answers`, one after the other; the last one is used again.
  public func answer(_ url: URL, with answers: Answer...) { state.change { $0.answers[url] = answers } }

  // MARK: What happened

  /// Requests in the order in which they came.
  public var requests: [URLRequest] { state.value.requests }
  /// Requests whose transfer was canceled, in that order.
  public var cancelledRequests: [URLRequest] { state.value.cancelled }
  /// Requests that were answered to the end, in that order.
  public var completedRequests: [URLRequest] { state.value.completed }

  /// Returns the requests once there have been `count` or more.
  @discardableResult
  public func requests(count: Int) async -> [URLRequest] {
    await state.wait { $0.requests.count >= count }.requests
  }

  /// Returns the canceled requests once there have been `count` or more.
  @discardableResult
  public func cancelledRequests(count: Int) async -> [URLRequest] {
    await state.wait { $0.cancelled.count >= count }.cancelled
  }

  // MARK: DataLoading

  public func loadData(
    with request: URLRequest,
    didReceiveData: @escaping @Sendable (Data, URLResponse) -> Void,
    completion: @escaping @Sendable ((any Error)?) -> Void
  ) -> any Cancellable {
    let fallback = fallback
    let scripted: Answer? = state.change { state in
      state.requests.append(request)
      guard let url = request.url, let answers = state.answers[url] else { return nil }
      if answers.count > 1 { state.answers[url]?.removeFirst() }
      return answers.first
    }
    note("load", request)
    let answer = scripted ?? fallback(request)
    let transfer = FakeTransfer(
      request: request, answer: answer, queue: queue, didReceiveData: didReceiveData,
      completion: { [self] error in
        state.change { $0.completed.append(request) }
        note("complete", request)
        completion(error)
      },
      onCancel: { [self] in
        state.change { $0.cancelled.append(request) }
        note("cancel", request)
      })
    transfer.goOn()
    return transfer
  }

  private func note(_ what: String, _ request: URLRequest) {
    log?.append("\(what) \(request.url?.lastPathComponent ?? "")")
  }
}
