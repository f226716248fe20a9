import Foundation
import FoundationNetworking
import Nuke
import NukeImaging

/// Keeps what a stream told, and lets a test wait for it.
final class Recorder: StreamObserver {
  struct State: Sendable {
    var heads: [ResponseHead] = []
    var refused: [ResponseHead] = []
    var body = Data()
    var chunkSizes: [Int] = []
    var ends: [(any Error)?] = []

    var isFinished: Bool { !ends.isEmpty }
    var head: ResponseHead? { heads.first }
    var error: DataLoader.Error? { ends.first.flatMap { $0 as? DataLoader.Error } }
  }

  private struct Content {
    var state = State()
    var waiters: [(isMet: @Sendable (State) -> Bool, continuation: CheckedContinuation<State, Never>)] = []
  }

  private let content = Lock(Content())
  private let onHead: @Sendable () -> Void
  private let onChunk: @Sendable () -> Void

  /// The closures run within the loader's calls.
  init(onHead: @escaping @Sendable () -> Void = {}, onChunk: @escaping @Sendable () -> Void = {}) {
    self.onHead = onHead
    self.onChunk = onChunk
  }

  var state: State { content.withLock { $0.state } }

  func didReceive(_ head: ResponseHead) {
    change { $0.heads.append(head) }
    onHead()
  }

  func didRefuse(_ head: ResponseHead) { change { $0.refused.append(head) } }

  func didReceive(_ bytes: UnsafeRawBufferPointer) {
    change {
      $0.body.append(contentsOf: bytes)
      $0.chunkSizes.append(bytes.count)
    }
    onChunk()
  }

  func didFinish(_ error: (any Error)?) { change { $0.ends.append(error) } }

  @discardableResult
  func waitUntil(_ isMet: @escaping @Sendable (State) -> Bool) async -> State {
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
  func finished() async -> State { await waitUntil(\.isFinished) }

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

/// A loader that takes no proxy from the environment of the test.
func makeLoader(_ configure: (inout DataLoader.Configuration) -> Void = { _ in }) -> DataLoader {
  DataLoader(configuration: makeConfiguration(configure))
}

/// A loader that shares its transport with no other test, whose connections could take the place of its own.
func makeOwnLoader(_ configure: (inout DataLoader.Configuration) -> Void = { _ in }) -> DataLoader {
  makeLoader {
    $0.userAgent = UUID().uuidString
    configure(&$0)
  }
}

func makeConfiguration(
  _ configure: (inout DataLoader.Configuration) -> Void = { _ in }
) -> DataLoader.Configuration {
  var configuration = DataLoader.Configuration()
  configuration.proxy = .none
  // Gates hold these transfers, on a machine that may be busy with all other tests: only a test of time limits may meet one.
  configuration.connectTimeout = 600
  configuration.idleTimeout = 600
  configure(&configuration)
  return configuration
}

extension DataLoader {
  /// Starts a stream into a new recorder.
  func record(_ request: URLRequest, limit: Int? = nil) -> (recorder: Recorder, transfer: any Transfer) {
    let recorder = Recorder()
    return (recorder, stream(request, limit: limit, observer: recorder))
  }

  /// Everything that a stream of the URL tells.
  func outcome(of url: URL, limit: Int? = nil) async -> Recorder.State {
    await record(URLRequest(url: url), limit: limit).recorder.finished()
  }

  func outcome(of request: URLRequest) async -> Recorder.State {
    await record(request).recorder.finished()
  }
}

/// Bytes in which a lost or doubled chunk cannot hide; they repeat after a number that divides no chunk's size.
func noise(_ count: Int) -> Data {
  var data = Data(capacity: count)
  while data.count < count { data.append(noiseBlock.prefix(count - data.count)) }
  return data
}

private let noiseBlock: Data = {
  var value: UInt64 = 0x9E37_79B9_7F4A_7C15
  return Data(
    (0..<100_003).map { _ in
      value = value &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: value >> 56)
    })
}()
