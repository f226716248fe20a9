#if AsyncHTTPClient
  import AsyncHTTPClient
  import Foundation
  import FoundationNetworking
  import NIOCore
  import Nuke

  /// A client, an event loop on which everything is decided, and the queues before the client.
  ///
  /// The loader and the transfers keep it; when the last is gone, a client of its own is shut down.
  final class EventLoopTransport: HTTPTransport, @unchecked Sendable {
    let client: HTTPClient
    let loop: any EventLoop
    let inflates: Bool
    let configuration: DataLoader.Configuration
    private let isOwned: Bool
    private let connections: Int
    private let objection: DataLoader.TransferError?

    /// Touched on the event loop only.
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
      // Nothing runs any more; what is left are idle connections.
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

    /// Has the transfer begin as soon as its origin has a place for it.
    func enqueue(_ transfer: EventLoopTransfer, for origin: Origin) {
      queue(of: origin).append(transfer)
      fill(origin)
    }

    /// Lets a transfer that waits do so among those that are as urgent.
    func reprioritize(_ transfer: EventLoopTransfer, for origin: Origin) {
      queues[origin]?.reprioritize(transfer)
    }

    /// Takes a transfer out of the queue; without effect where it does not wait.
    func withdraw(_ transfer: EventLoopTransfer, from origin: Origin) {
      queues[origin]?.remove(transfer)
    }

    /// Gives a place away. It counts as taken until it is filled: a transfer that is enqueued before that would find it
    /// free, and go ahead of more urgent ones.
    ///
    /// - Parameter isCancelled: callers cancel many transfers one by one. Were a place filled at once, each
    ///   cancellation would start a transfer that is canceled next; a moment later they are known to be unwanted.
    func release(_ origin: Origin, isCancelled: Bool) {
      if isCancelled {
        loop.scheduleTask(in: .milliseconds(1)) { self.refill(origin) }
      } else {
        // Behind the requests, and the changes of priorities, that were asked for before.
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

    /// Idle origins that are remembered.
    private static let origins = 256
  }
#endif
