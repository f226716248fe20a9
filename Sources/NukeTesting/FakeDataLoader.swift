public import Foundation
public import FoundationNetworking
public import Nuke

/// A scripted data loader without a network, which records requests.
///
/// ```swift
/// let loader = FakeDataLoader()
/// loader.answer(url, with: .data(SampleImage.jpeg(width: 64, height: 48)))
/// let pipeline = ImagePipeline.fake(loader: loader)
/// _ = try await pipeline.image(for: url)
/// #expect(loader.requests.count == 1)
/// ```
///
/// A ``Gate`` can hold an answer back. As with a real loader, answers are delivered one call at a time on a thread of the
/// loader, unless you choose ``Delivery/synchronous``. It may be used from any thread.
public final class FakeDataLoader: DataLoading {
  /// The thread on which the pipeline's closures are called.
  public enum Delivery: Sendable {
    /// On a serial queue of the loader, after `loadData` has returned.
    case asynchronous
    /// Before `loadData` returns, or on the thread that opens a gate.
    case synchronous
  }

  /// An error that was not scripted.
  public enum Failure: Error, Hashable, Sendable {
    /// There is no answer for the URL.
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

  /// Creates a loader without answers.
  ///
  /// - Parameters:
  ///   - delivery: the thread on which the pipeline's closures are called.
  ///   - log: receives "load", "cancel" and "complete" with the last path component of the URL.
  ///   - fallback: returns the answer for other URLs. The default is a failure.
  public init(
    delivery: Delivery = .asynchronous, log: CallLog? = nil,
    fallback: @escaping @Sendable (URLRequest) -> Answer = { .failure(Failure.noAnswer($0.url)) }
  ) {
    self.fallback = fallback
    self.log = log
    queue = delivery == .asynchronous ? DispatchQueue(label: "nuke.testing.loader") : nil
  }

  /// Creates a loader that answers with files: each URL with the file that is named as its last path component.
  ///
  /// - Parameters:
  ///   - fixtures: the folder of the files, which are read for each request. A request without a file fails.
  ///   - log: receives "load", "cancel" and "complete" with the last path component of the URL.
  public convenience init(fixtures: URL, log: CallLog? = nil) {
    self.init(log: log) { request in
      let name = request.url?.lastPathComponent ?? ""
      return (try? Answer.file(fixtures.appendingPathComponent(name))) ?? .failure(Failure.noAnswer(request.url))
    }
  }

  // MARK: Script

  /// Answers requests for `url` with `answers`, in order. The last one is repeated.
  public func answer(_ url: URL, with answers: Answer...) { state.change { $0.answers[url] = answers } }

  // MARK: Calls

  /// The requests, in order.
  public var requests: [URLRequest] { state.value.requests }
  /// The requests that were canceled, in the order of their cancellation.
  public var cancelledRequests: [URLRequest] { state.value.cancelled }
  /// The requests that were completed, in the order of their completion.
  public var completedRequests: [URLRequest] { state.value.completed }

  /// Waits until at least `count` requests were made, or the waiting task is canceled, and returns all requests.
  @discardableResult
  public func requests(count: Int) async -> [URLRequest] {
    await state.wait { $0.requests.count >= count }.requests
  }

  /// Waits until at least `count` requests were canceled, or the waiting task is canceled, and returns all canceled
  /// requests.
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
