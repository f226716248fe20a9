#if AsyncHTTPClient
  import AsyncHTTPClient
  import Foundation
  import FoundationNetworking
  import NIOCore
  import NIOHTTP1
  import Nuke
  import Synchronization

  /// One request that AsyncHTTPClient sends, with its redirects and a second attempt.
  ///
  /// `cancel()`, `pause()`, `resume()` and `setPriority()` are called from any thread and use the atomic values only.
  /// After the transfer has been started, everything else is used on the event loop only; debug builds check it.
  final class EventLoopTransfer: Transfer, QueuedTransfer, @unchecked Sendable {
    private let outgoing: OutgoingRequest
    private let transport: EventLoopTransport
    private let cancelled = Atomic<Bool>(false)
    private let paused: Atomic<Bool>
    private let priority = Atomic<Int>(WorkPriority.normal.rawValue)

    /// `nil` after the end was reported, so that the observer is released.
    private var observer: (any StreamObserver)?
    private var message: Message?
    /// The origin at which the transfer has a slot or waits for one.
    private var origin: Origin?
    /// The lane of the queue, one for each priority, in which the transfer waits; `nil` if it does not wait.
    var lane: Int?
    /// The transfer before it in that lane.
    var previous: EventLoopTransfer?
    var next: EventLoopTransfer?
    private var hasSlot = false
    private var clientRequest: ClientRequest?
    private var bodyHandling = BodyHandling.none
    /// `true` if the current request has been sent.
    private var isSent = false
    private var hasRetried = false
    /// Decodes the body; `nil` if it has no content coding, or the client decodes it.
    private var decoder: ContentDecoder?
    /// The number of bytes of the decoded body.
    private var receivedBytes = 0
    /// The bytes of the last redirect that were discarded.
    private var discardedBytes = 0

    private var resourceTimer: Scheduled<Void>?
    private var idleTimer: Scheduled<Void>?
    private var lastActivity = NIODeadline.now()

    /// How the response body is handled.
    private enum BodyHandling {
      /// There is no response head yet.
      case none
      case deliver
      /// The end was reported, and the rest is read to keep the connection.
      case discard
      /// The rest is read to keep the connection. Then the next request is sent.
      case follow(Message)
    }

    init(_ outgoing: OutgoingRequest, observer: any StreamObserver, transport: EventLoopTransport) {
      self.outgoing = outgoing
      self.observer = observer
      self.transport = transport
      paused = Atomic(outgoing.isPaused)
    }

    // MARK: From any thread

    func cancel() {
      guard !cancelled.exchange(true, ordering: .acquiringAndReleasing) else { return }
      transport.loop.execute { self.end(DataLoader.TransferError.cancelled) }
    }

    func pause() { paused.store(true, ordering: .releasing) }

    func resume() {
      guard paused.exchange(false, ordering: .acquiringAndReleasing) else { return }
      transport.loop.execute {
        self.lastActivity = .now()
        self.clientRequest?.resume()
      }
    }

    /// The priority that was set last.
    var wantedPriority: WorkPriority { .init(rawValue: priority.load(ordering: .relaxed)) ?? .normal }

    func setPriority(_ priority: WorkPriority) {
      guard self.priority.exchange(priority.rawValue, ordering: .relaxed) != priority.rawValue else { return }
      transport.loop.execute {
        if let origin = self.origin { self.transport.reprioritize(self, for: origin) }
      }
    }

    var isPaused: Bool { paused.load(ordering: .acquiring) && observer != nil }

    private var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

    /// A Boolean value that indicates whether the head of the response was delivered.
    private var hasHead: Bool { if case .deliver = bodyHandling { true } else { false } }

    // MARK: Starting

    /// - Parameter objection: the reason why no request can be sent.
    func start(_ objection: DataLoader.TransferError?) {
      transport.loop.assertInEventLoop()
      guard !isCancelled else { return end(DataLoader.TransferError.cancelled) }
      if let objection { return end(objection) }
      if let seconds = transport.configuration.resourceTimeout {
        let (now, end) = (MonotonicClock.now, outgoing.startTime &+ nanoseconds(seconds))
        guard now < end else { return endLate(after: seconds) }
        resourceTimer = transport.loop.scheduleTask(in: TimeAmount(TimeInterval(end - now) / 1e9)) {
          self.endLate(after: seconds)
        }
      }
      do throws(DataLoader.TransferError) {
        send(try Message(outgoing.request, transport.configuration))
      } catch {
        end(error)
      }
    }

    var isWanted: Bool { observer != nil && !isCancelled }

    /// Sends the request in the slot that has become free.
    func begin() {
      hasSlot = true
      do throws(DataLoader.TransferError) {
        guard let request = try message?.request() else { return }
        let clientRequest = ClientRequest(self)
        self.clientRequest = clientRequest
        bodyHandling = .none
        isSent = false
        clientRequest.start(request, with: transport)
      } catch {
        end(error)
      }
    }

    private func send(_ message: Message) {
      self.message = message
      let origin = Origin(message.url)
      self.origin = origin
      transport.enqueue(self, for: origin)
    }

    // MARK: Events of the request

    func didSend() {
      transport.loop.assertInEventLoop()
      isSent = true
      lastActivity = .now()
      guard idleTimer == nil else { return }
      scheduleIdleTimer(at: lastActivity + idleTime)
    }

    func didVisit(_ url: URL) { visited = url }

    /// The URL of the last response. It differs from the request's if the client follows redirects itself.
    private var visited: URL?

    func didReceive(_ head: HTTPResponseHead) {
      transport.loop.assertInEventLoop()
      lastActivity = .now()
      guard let observer, let message, let origin else { return }
      transport.didReceive(overHTTP2: head.version.major == 2, from: origin)
      guard !isCancelled else { return end(DataLoader.TransferError.cancelled) }
      do throws(DataLoader.TransferError) {
        if let next = try message.redirected(by: head, transport.configuration) { return follow(next, after: head) }
      } catch {
        return end(error)
      }
      var response = head.responseHead(url: visited ?? message.url)
      if let error = outgoing.acceptance.refusal(of: response, to: outgoing.request) {
        observer.didRefuse(response)
        return refuse(head, error)
      }
      if transport.inflates, head.isCompressed {
        response.removeCoding()
      } else {
        decoder = response.takeContentCoding(host: hostName)
      }
      if head.status == .notModified {
        response.weakenTag(confirming: message.headers.first(name: "If-None-Match"))
      }
      if !message.hasNoResponseBody, let error = outgoing.excess(response.expectedLength) { return end(error) }
      bodyHandling = .deliver
      observer.didReceive(response)
    }

    /// Returns `false` if the transfer was paused before all of the chunk was decoded. It must be delivered again.
    func didReceive(_ bytes: ByteBuffer) -> Bool {
      transport.loop.assertInEventLoop()
      if case .follow(let next) = bodyHandling {
        discardedBytes += bytes.readableBytes
        if discardedBytes > Self.discardLimit { redirect(to: next) }
        return true
      }
      guard case .deliver = bodyHandling, observer != nil else { return true }
      lastActivity = .now()
      let result = bytes.withUnsafeReadableBytes { decode($0) }
      guard !isCancelled else {
        end(DataLoader.TransferError.cancelled)
        return true
      }
      switch result {
      case .success(let isDecoded): return isDecoded
      case .failure(let error): end(error)
      }
      return true
    }

    /// Decodes and delivers a chunk of the body. Returns `false` if the transfer was paused or canceled before the end.
    private func decode(_ bytes: UnsafeRawBufferPointer) -> Result<Bool, DataLoader.TransferError> {
      .init { () throws(DataLoader.TransferError) in
        guard !isCancelled else { return false }
        guard let decoder else {
          try deliver(bytes)
          return true
        }
        return try decoder.decode(bytes) { piece throws(DataLoader.TransferError) in
          try deliver(piece)
          return !isCancelled && !isPaused
        }
      }
    }

    private func deliver(_ bytes: UnsafeRawBufferPointer) throws(DataLoader.TransferError) {
      receivedBytes += bytes.count
      if let error = outgoing.excess(receivedBytes) { throw error }
      observer?.didReceive(bytes)
    }

    func didComplete() {
      clientRequest = nil
      switch bodyHandling {
      case .none, .deliver, .discard: end(decoder?.incompleteness)
      case .follow(let next): redirect(to: next)
      }
    }

    func didFail(_ error: any Error) {
      clientRequest = nil
      switch bodyHandling {
      case .none
      where !hasRetried && isWanted && message?.isRepeatable == true && RequestFailure.isClosedConnection(error):
        hasRetried = true
        begin()
      case .none, .deliver:
        end(
          RequestFailure.error(
            error, host: hostName, isSent: isSent, hasHead: hasHead, configuration: transport.configuration))
      case .discard:
        end(nil)
      case .follow(let next):
        redirect(to: next)
      }
    }

    // MARK: Redirects and errors

    private func follow(_ next: Message, after head: HTTPResponseHead) {
      // A body of unknown length may be short. One that ends with the connection is not read.
      if isShort(head) || head.statedLength == nil && (head.isChunked || head.version.major == 2) {
        discardedBytes = 0
        bodyHandling = .follow(next)
      } else {
        redirect(to: next)
      }
    }

    private func redirect(to next: Message) {
      clientRequest?.abandon()
      clientRequest = nil
      idleTimer?.cancel()
      idleTimer = nil
      visited = nil
      releaseSlot()
      send(next)
    }

    private func refuse(_ head: HTTPResponseHead, _ error: any Error) {
      guard isShort(head) else { return end(error) }
      bodyHandling = .discard
      reportEnd(error)
    }

    /// Returns `true` if reading the rest costs less than a new connection.
    private func isShort(_ head: HTTPResponseHead) -> Bool {
      message?.hasNoResponseBody == true || head.status == .noContent || head.status == .notModified
        || head.statedLength.map { $0 <= Self.discardLimit } ?? false
    }

    /// The maximum number of bytes that are read and discarded.
    private static let discardLimit = 16 * 1024

    // MARK: Ending

    /// Detaches the transfer from the client, frees its slot, and reports the end if that was not done.
    private func end(_ error: (any Error)?) {
      transport.loop.assertInEventLoop()
      idleTimer?.cancel()
      idleTimer = nil
      clientRequest?.abandon()
      clientRequest = nil
      releaseSlot()
      reportEnd(error)
    }

    /// Removes the transfer from its slot or its queue.
    private func releaseSlot() {
      guard let origin else { return }
      guard hasSlot else { return transport.withdraw(self, from: origin) }
      hasSlot = false
      transport.release(origin, isCancelled: isCancelled)
    }

    private func reportEnd(_ error: (any Error)?) {
      resourceTimer?.cancel()
      resourceTimer = nil
      guard let observer else { return }
      self.observer = nil
      observer.didFinish(error)
    }

    // MARK: Timeouts

    private func endLate(after seconds: TimeInterval) {
      end(DataLoader.TransferError.timedOut(.resource, host: hostName, seconds: seconds))
    }

    private var idleTime: TimeAmount { TimeAmount(idleSeconds) }

    private var idleSeconds: TimeInterval { outgoing.idleTimeout(transport.configuration) }

    private func scheduleIdleTimer(at deadline: NIODeadline) {
      idleTimer = transport.loop.scheduleTask(deadline: deadline) { self.checkIdle() }
    }

    private func checkIdle() {
      guard let clientRequest else { return }
      let now = NIODeadline.now()
      // While the second attempt connects, the connection timeout of the client applies.
      if clientRequest.holdsChunk || !isSent { lastActivity = now }
      let deadline = lastActivity + idleTime
      if now < deadline {
        scheduleIdleTimer(at: deadline)
      } else if case .follow(let next) = bodyHandling {
        // The transfer does not fail only because the rest of the redirect's body is slow.
        redirect(to: next)
      } else {
        end(DataLoader.TransferError.timedOut(.idle, host: hostName, seconds: idleSeconds))
      }
    }

    /// The host of the current request, for messages.
    private var hostName: String { (message?.url ?? outgoing.request.url)?.host ?? "" }
  }
#endif
