import CNukeCurl
import Dispatch
import Foundation
import FoundationNetworking
import NukeBase

/// libcurl's multi interface on a dedicated thread, shared by all loaders with the same configuration.
///
/// The loaders retain it. When the last one is released, the thread ends after its remaining transfers.
final class CurlTransport: HTTPTransport {
  private let mailbox: CurlMailbox
  private let configuration: DataLoader.Configuration

  // Not a struct: Swift 6.3 reads an `Optional` of a struct with a weak reference and an identifier wrongly in debug builds.
  private final class Entry {
    weak var transport: CurlTransport?
    let identifier: ObjectIdentifier

    init(_ transport: CurlTransport) {
      self.transport = transport
      identifier = ObjectIdentifier(transport)
    }
  }

  private static let transports = Lock<[DataLoader.Configuration: Entry]>([:])

  /// Returns the transport of all loaders with this configuration.
  static func shared(for configuration: DataLoader.Configuration) -> CurlTransport {
    var configuration = configuration
    // The cache does not affect connections.
    configuration.urlCache = nil
    configuration.requestCachePolicy = .useProtocolCachePolicy
    return transports.withLock { transports in
      if let transport = transports[configuration]?.transport { return transport }
      let transport = CurlTransport(configuration: configuration)
      transports[configuration] = Entry(transport)
      return transport
    }
  }

  private init(configuration: DataLoader.Configuration) {
    self.configuration = configuration
    mailbox = CurlMailbox()
  }

  deinit {
    mailbox.close()
    let identifier = ObjectIdentifier(self)
    Self.transports.withLock { transports in
      // A new transport may have been stored since the last strong reference was released. It is not referred to here,
      // because this could become its last reference, and its `deinit` would acquire the lock again.
      if transports[configuration]?.identifier == identifier { transports[configuration] = nil }
    }
  }

  var canConnect: Bool { !configuration.policyRefusesProxy }

  func schedule(after seconds: TimeInterval, _ body: @escaping @Sendable () -> Void) {
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: body)
  }

  func start(_ request: OutgoingRequest, observer: any StreamObserver) -> any Transfer {
    let transfer = CurlTransfer(request, configuration: configuration, mailbox: mailbox, observer: observer)
    switch mailbox.post(.start(transfer)) {
    case .posted: break
    case .needsThread: startThread()
    case .closed: transfer.finish(Self.unavailable)
    }
    return transfer
  }

  private static let unavailable = DataLoader.TransferError.cannotConnect(
    host: "any host", reason: "no thread could be created")

  private static let globalInitialisation: CURLcode = curl_global_init(Int(CURL_GLOBAL_DEFAULT))

  private func startThread() {
    guard Self.globalInitialisation == CURLE_OK, let multi = CurlMulti(configuration: configuration) else {
      return failAll()
    }
    let loop = CurlLoop(configuration: configuration, multi: multi, mailbox: mailbox)
    mailbox.attach(multi)
    // TLS libraries may write to closed connections. The resulting signal, which would end the process, is blocked there.
    let isStarted = BackgroundThread.start(name: "nuke.curl") { loop.run() }
    if !isStarted { failAll() }
  }

  private func failAll() {
    for case .start(let transfer) in mailbox.end() { transfer.finish(Self.unavailable) }
  }
}

/// A multi handle of libcurl. Except for `wake()`, it is used by one thread.
final class CurlMulti: @unchecked Sendable {
  let multi: UnsafeMutableRawPointer

  init?(configuration: DataLoader.Configuration) {
    guard let multi = curl_multi_init() else { return nil }
    self.multi = multi
    _ = nuke_curl_multi_set_long(
      multi, CURLMOPT_MAX_HOST_CONNECTIONS, max(1, configuration.maximumConnectionsPerHost))
    // The number of idle connections to keep for all hosts. The default, four times the running transfers, would keep
    // only a few after a burst of six.
    _ = nuke_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, 64)
    _ = nuke_curl_multi_set_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
  }

  deinit { curl_multi_cleanup(multi) }

  /// Ends the current poll, or the next one. May be called from any thread.
  func wake() { curl_multi_wakeup(multi) }
}

enum CurlCommand {
  case start(CurlTransfer)
  case cancel(CurlTransfer)
  case resume(CurlTransfer)
  case reprioritize(CurlTransfer)
}

/// The commands from other threads to the curl thread.
final class CurlMailbox: Sendable {
  private struct State {
    var commands: [CurlCommand] = []
    /// `true` if the thread polls or is about to, so that a new command must wake it.
    var isSleeping = false
    var hasThread = false
    /// `true` if there are no loaders anymore, and the thread ends after the running transfers.
    var isClosing = false
    /// `true` if the thread has ended or could not be started.
    var hasEnded = false
    var multi: CurlMulti?

    /// Wakes the thread if it polls. Called under the lock, because the thread frees the multi handle when it ends.
    mutating func wake() {
      guard isSleeping else { return }
      isSleeping = false
      multi?.wake()
    }
  }

  private let state = Lock(State())

  enum Posted { case posted, needsThread, closed }

  func post(_ command: CurlCommand) -> Posted {
    state.withLock { state in
      guard !state.hasEnded else { return .closed }
      state.commands.append(command)
      state.wake()
      if state.hasThread { return .posted }
      state.hasThread = true
      return .needsThread
    }
  }

  func attach(_ multi: CurlMulti) {
    state.withLock { $0.multi = multi }
  }

  /// Ends the thread after the running transfers. Called when there are no loaders anymore.
  func close() {
    state.withLock { state in
      state.isClosing = true
      state.wake()
      if !state.hasThread { state.hasEnded = true }
    }
  }

  /// Takes the pending commands. Returns `false` if there are none.
  func take(into batch: inout [CurlCommand]) -> Bool {
    state.withLock { state in
      state.isSleeping = false
      guard !state.commands.isEmpty else { return false }
      swap(&batch, &state.commands)
      return true
    }
  }

  enum NextStep { case sleep, perform, end }

  /// Returns what the thread does next. Decided under the lock, so that no command is missed.
  func nextStep(isIdle: Bool) -> NextStep {
    state.withLock { state in
      guard state.commands.isEmpty else { return .perform }
      if isIdle && state.isClosing {
        state.hasEnded = true
        state.multi = nil
        return .end
      }
      state.isSleeping = true
      return .sleep
    }
  }

  /// Rejects further commands, and returns those that will not be executed.
  func end() -> [CurlCommand] {
    state.withLock { state in
      state.hasEnded = true
      state.multi = nil
      return exchange(&state.commands, with: [])
    }
  }
}
