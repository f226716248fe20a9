import Foundation
import FoundationNetworking
import Nuke

/// The tries of a ``RetryingTransfer``, answered by a test; its waits end when the test says so, at the time it says.
final class Tries: Sendable {
  final class Try: Transfer {
    let request: URLRequest
    let wasPaused: Bool
    let observer: any StreamObserver
    private let calls = Lock<[String]>([])
    var log: [String] { calls.withLock { $0 } }

    init(_ request: URLRequest, _ isPaused: Bool, _ observer: any StreamObserver) {
      self.request = request
      wasPaused = isPaused
      self.observer = observer
    }

    func cancel() { calls.withLock { $0.append("cancel") } }
    func pause() { calls.withLock { $0.append("pause") } }
    func resume() { calls.withLock { $0.append("resume") } }
    func setPriority(_ priority: WorkPriority) {
      if priority != .normal { calls.withLock { $0.append("\(priority)") } }
    }

    /// - Parameter isAccepted: whether a status is no error for whoever asks; by default that of 200…299 is none.
    func head(_ status: Int = 200, _ fields: String..., length: Int? = nil, isAccepted: Bool = false) {
      let block = Array((["HTTP/1.1 \(status) Status"] + fields + ["", ""]).joined(separator: "\r\n").utf8)
      let head = ResponseHead(url: request.url!, status: status, expectedLength: length, block: block)
      if isAccepted || (200..<300).contains(status) { observer.didReceive(head) } else { observer.didRefuse(head) }
    }
    func body(_ text: String) { Data(text.utf8).withUnsafeBytes { observer.didReceive($0) } }
    func end(_ error: DataLoader.TransferError? = nil) { observer.didFinish(error) }
    func end(status: Int) { observer.didFinish(DataLoader.Error.statusCodeUnacceptable(status)) }
  }

  private struct State {
    var tries: [Try] = []
    var waits: [(seconds: TimeInterval, body: @Sendable () -> Void)] = []
    var allWaits: [TimeInterval] = []
    var now: UInt64 = 1_000_000_000
    var onStart: @Sendable (Try) -> Void = { _ in }
    /// The questions to the policy, if the test answers them later.
    var questions: [@Sendable () -> Void]?
  }

  private let state = Lock(State())
  let random: Double

  init(random: Double = 1) { self.random = random }

  var count: Int { state.withLock { $0.tries.count } }
  var last: Try { state.withLock { $0.tries.last! } }
  /// Seconds of all waits there were.
  var waits: [TimeInterval] { state.withLock { $0.allWaits } }

  /// Lets the time of the waits that are on pass, one after the other.
  func endWaits() {
    let waits = state.withLock { state in
      defer { state.waits = [] }
      for wait in state.waits { state.now += UInt64(wait.seconds * 1e9) }
      return state.waits
    }
    for wait in waits { wait.body() }
  }

  /// Has the tries that follow call `body` while they begin: nobody knows them yet.
  func whileBeginning(_ body: @escaping @Sendable (Try) -> Void) { state.withLock { $0.onStart = body } }

  /// Has the policy answer only when ``answer()`` is called.
  func holdAnswers() { state.withLock { $0.questions = [] } }

  /// Lets the policy answer the questions so far.
  func answer() {
    for question in state.withLock({ exchange(&$0.questions, with: []) }) ?? [] { question() }
  }

  func pass(seconds: TimeInterval) { state.withLock { $0.now += UInt64(seconds * 1e9) } }

  /// - Parameter seconds: the limit of the whole transfer.
  func start(
    _ request: URLRequest = URLRequest(url: URL(string: "http://a.test/a.jpg")!), limit: Int? = nil,
    policy: RetryPolicy? = RetryPolicy(initialDelay: 1, maximumDelay: 20), waits: Bool = false,
    seconds: TimeInterval? = nil, observer: any StreamObserver
  ) -> RetryingTransfer {
    let dependencies = RetryingTransfer.Dependencies(
      start: { request, isPaused, observer in
        let new = Try(request, isPaused, observer)
        let onStart = self.state.withLock { state in
          state.tries.append(new)
          return state.onStart
        }
        onStart(new)
        return new
      },
      schedule: { seconds, body in
        self.state.withLock { state in
          state.waits.append((seconds, body))
          state.allWaits.append(seconds)
        }
      },
      ask: { question in
        let isHeld = self.state.withLock { state in
          state.questions?.append(question)
          return state.questions != nil
        }
        if !isHeld { question() }
      },
      now: { self.state.withLock { $0.now } }, date: { 0 }, random: { self.random })
    return RetryingTransfer.start(
      request, limit: limit, policy: policy, waitsForConnectivity: waits,
      deadline: seconds.map { state.withLock { $0.now } + UInt64($0 * 1e9) }, dependencies: dependencies,
      observer: observer)
  }
}
