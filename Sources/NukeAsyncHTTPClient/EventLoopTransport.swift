#if AsyncHTTPClient
  import AsyncHTTPClient
  import Foundation
  import FoundationNetworking
  import NIOCore
  import Nuke

  /// A client, the event loop of its transfers, and the queues of requests that wait for it.
  ///
  /// The loader and the transfers own it. When the last of them is released, a client that the transport owns is shut
  /// down.
  final class EventLoopTransport: HTTPTransport, @unchecked Sendable {
    let client: HTTPClient
    let loop: any EventLoop
    let inflates: Bool
    let configuration: DataLoader.Configuration
    private let isOwned: Bool
    private let connections: Int
    private let objection: DataLoader.TransferError?

    /// Used on the event loop only.
    private var queues: [Origin: TransferQueue<EventLoopTransfer>] = [:]

    init(client: HTTPClient, isOwned: Bool, inflates: Bool, configuration: DataLoader.Configuration) {
      self.client = client
      self.isOwned = isOwned
      self.inflates = inflates
      self.configuration = configuration
      loop = client.eventLoopGroup.any()
      connections = max(1, configuration.maximumConnectionsPerHost)
      objection = ClientConfiguration.objection(to: configuration, isOwned: isOwned)
    }

    deinit {
      // Only idle connections remain.
      if isOwned { client.shutdown { _ in } }
    }

    // MARK: From any thread

    var canConnect: Bool { objection == nil }

    func start(_ request: OutgoingRequest, observer: any StreamObserver) -> any Transfer {
      let transfer = EventLoopTransfer(request, observer: observer, transport: self)
      loop.execute { transfer.start(self.objection) }
      return transfer
    }

    func schedule(after seconds: TimeInterval, _ body: @escaping @Sendable () -> Void) {
      loop.scheduleTask(in: TimeAmount(seconds), body)
    }

    // MARK: On the event loop

    /// Starts the transfer as soon as its origin has a free slot.
    func enqueue(_ transfer: EventLoopTransfer, for origin: Origin) {
      queue(of: origin).append(transfer)
      fill(origin)
    }

    /// Moves a waiting transfer to those of its priority.
    func reprioritize(_ transfer: EventLoopTransfer, for origin: Origin) {
      queues[origin]?.reprioritize(transfer)
    }

    /// Removes a transfer from the queue, if it waits there.
    func withdraw(_ transfer: EventLoopTransfer, from origin: Origin) {
      queues[origin]?.remove(transfer)
    }

    /// Frees a slot. It counts as taken until it is filled: a transfer that is enqueued before that would find it free, and
    /// start before more urgent ones.
    ///
    /// - Parameter isCancelled: `true` if the transfer was canceled. Callers cancel many transfers one by one. If the
    ///   slot were filled at once, each cancellation would start a transfer that is canceled next.
    func release(_ origin: Origin, isCancelled: Bool) {
      if isCancelled {
        loop.scheduleTask(in: .milliseconds(1)) { self.refill(origin) }
      } else {
        // Runs after the requests and priority changes that are already scheduled.
        loop.execute { self.refill(origin) }
      }
    }

    private func refill(_ origin: Origin) {
      queues[origin]?.active -= 1
      fill(origin)
    }

    func didReceive(overHTTP2 isMultiplexed: Bool, from origin: Origin) {
      guard queues[origin]?.isMultiplexed != isMultiplexed else { return }
      queues[origin]?.isMultiplexed = isMultiplexed
      fill(origin)
    }

    private func queue(of origin: Origin) -> TransferQueue<EventLoopTransfer> {
      loop.assertInEventLoop()
      if let queue = queues[origin] { return queue }
      let queue = TransferQueue<EventLoopTransfer>()
      queues[origin] = queue
      return queue
    }

    private func fill(_ origin: Origin) {
      while let queue = queues[origin], let transfer = queue.takeNext(connections: connections) {
        queue.active += 1
        transfer.begin()
      }
      if queues.count > Self.origins { queues = queues.filter { !$0.value.isIdle } }
    }

    /// The maximum number of idle origins to keep.
    private static let origins = 256
  }
#endif
