package import Foundation
package import FoundationNetworking
package import Nuke

/// Keeps what a stream told, and lets a test wait for it.
package final class Recorder: StreamObserver {
  package struct State: Sendable {
    package var heads: [ResponseHead] = []
    package var refused: [ResponseHead] = []
    package var body = Data()
    package var chunkSizes: [Int] = []
    package var ends: [(any Error)?] = []

    package var isFinished: Bool { !ends.isEmpty }
    package var head: ResponseHead? { heads.first }
    package var error: DataLoader.TransferError? { ends.first.flatMap { $0?.transferError } }
    package var hasError: Bool { ends.first.flatMap { $0 } != nil }
    package var unacceptableStatus: Int? { ends.first.flatMap { $0?.unacceptableStatus } }
  }

  private struct Content {
    var state = State()
    var waiters: [(isMet: @Sendable (State) -> Bool, continuation: CheckedContinuation<State, Never>)] = []
  }

  private let content = Lock(Content())
  private let onHead: @Sendable () -> Void
  private let onChunk: @Sendable () -> Void

  /// The closures run within the loader's calls, before what is told is seen in ``state``.
  package init(onHead: @escaping @Sendable () -> Void = {}, onChunk: @escaping @Sendable () -> Void = {}) {
    self.onHead = onHead
    self.onChunk = onChunk
  }

  package var state: State { content.withLock { $0.state } }

  package func didReceive(_ head: ResponseHead) {
    onHead()
    change { $0.heads.append(head) }
  }

  package func didRefuse(_ head: ResponseHead) { change { $0.refused.append(head) } }

  package func didReceive(_ bytes: UnsafeRawBufferPointer) {
    onChunk()
    change {
      $0.body.append(contentsOf: bytes)
      $0.chunkSizes.append(bytes.count)
    }
  }

  package func didFinish(_ error: (any Error)?) { change { $0.ends.append(error) } }

  @discardableResult
  package func waitUntil(_ isMet: @escaping @Sendable (State) -> Bool) async -> State {
    await withCheckedContinuation { continuation in
      let state = content.withLock { content -> State? in
        if isMet(content.state) { return content.state }
        content.waiters.append((isMet, continuation))
        return nil
      }
      if let state { continuation.resume(returning: state) }
    }
  }

  /// Everything, once the end has been told.
  @discardableResult
  package func finished() async -> State { await waitUntil(\.isFinished) }

  private func change(_ body: (inout State) -> Void) {
    let met = content.withLock { content in
      body(&content.state)
      var met: [(CheckedContinuation<State, Never>, State)] = []
      // A copy of the state is made for those alone who get it: the next chunk would copy the body.
      content.waiters.removeAll { waiter in
        guard waiter.isMet(content.state) else { return false }
        met.append((waiter.continuation, content.state))
        return true
      }
      return met
    }
    for (continuation, state) in met { continuation.resume(returning: state) }
  }
}

/// What a loader under test is made with: no proxy from the environment of the test, and no time limit that a gate meets.
package func makeConfiguration(
  _ configure: (inout DataLoader.Configuration) -> Void = { _ in }
) -> DataLoader.Configuration {
  var configuration = DataLoader.Configuration()
  configuration.proxy = .none
  // Gates hold these transfers, on a machine that may be busy with all other tests.
  configuration.connectTimeout = 600
  configuration.idleTimeout = 600
  configure(&configuration)
  return configuration
}

extension StreamingDataLoading {
  /// Starts a stream into a new recorder.
  package func record(_ request: URLRequest, limit: Int? = nil) -> (recorder: Recorder, transfer: any Transfer) {
    let recorder = Recorder()
    return (recorder, stream(request, limit: limit, observer: recorder))
  }

  /// Everything that a stream of the URL tells.
  package func outcome(of url: URL, limit: Int? = nil) async -> Recorder.State {
    await record(URLRequest(url: url), limit: limit).recorder.finished()
  }

  package func outcome(of request: URLRequest) async -> Recorder.State {
    await record(request).recorder.finished()
  }
}
