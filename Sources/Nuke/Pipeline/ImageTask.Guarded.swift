import Foundation

extension ImageTask {
  /// How a task ended. A task for data has the data in a container with an empty picture.
  typealias Outcome = Result<ImageResponse, ImagePipeline.Error>

  /// What changes in a task. Every use is made holding the lock of its pipeline.
  ///
  /// Events are put into a mailbox under the lock and delivered outside it, by one thread at a time, so that they keep
  /// their order: nothing comes behind the end.
  package final class Guarded: @unchecked Sendable {
    typealias Waiter = UnsafeContinuation<Outcome, Never>

    var priority: ImageRequest.Priority
    private(set) var token: JobGraph<JobKey, Job, ImageTask>.Token?
    private(set) var progress = Progress(completed: 0, total: 0)
    private(set) var state = State.running
    private(set) var outcome: Outcome?
    private(set) var facts = Facts()
    private let startedAt = Clock.now

    private var waiters: [Waiter] = []
    private var listeners: [AsyncStream<Event>.Continuation] = []
    private var mail: [Event] = []
    private var isDelivering = false

    package init(priority: ImageRequest.Priority) { self.priority = priority }

    // MARK: The subscription

    func subscribe(
      _ body: (ImageRequest.Priority) -> (token: JobGraph<JobKey, Job, ImageTask>.Token, joined: Bool)
    ) {
      guard state == .running else { return }
      let (token, joined) = body(priority)
      self.token = token
      facts.isCoalesced = joined
    }

    /// The subscription, for whoever is going to end it.
    func takeToken() -> JobGraph<JobKey, Job, ImageTask>.Token? {
      defer { token = nil }
      return token
    }

    // MARK: The end

    /// Notes the end, once.
    ///
    /// - Returns: those who wait for it, and whether there is mail to be delivered; nil where it had ended.
    func end(
      _ outcome: Outcome, facts: Facts?, asCancelled: Bool
    ) -> (waiters: [Waiter], hasMail: Bool)? {
      guard self.outcome == nil else { return nil }
      self.outcome = outcome
      state = asCancelled ? .cancelled : .completed
      token = nil
      if let facts {
        let joined = self.facts.isCoalesced
        self.facts = facts
        self.facts.isCoalesced = joined || facts.isCoalesced
      }
      self.facts.total = Clock.seconds(from: startedAt, to: Clock.now)
      defer { waiters = [] }
      return (waiters, post(.finished(outcome)))
    }

    /// The outcome where it is there; else `waiter` will get it.
    func wait(_ waiter: Waiter) -> Outcome? {
      if outcome == nil { waiters.append(waiter) }
      return outcome
    }

    // MARK: Events

    /// Notes how far the load is.
    ///
    /// - Returns: whether there is mail to be delivered.
    package func note(_ progress: Progress) -> Bool {
      self.progress = progress
      return post(.progress(progress))
    }

    private func post(_ event: Event) -> Bool {
      guard !listeners.isEmpty else { return false }
      mail.append(event)
      if isDelivering { return false }
      isDelivering = true
      return true
    }

    /// The mail that has come and who gets it; nil, and the delivery is over, where there is none.
    package func takeMail() -> (events: [Event], listeners: [AsyncStream<Event>.Continuation])? {
      guard !mail.isEmpty else {
        isDelivering = false
        if outcome != nil { listeners = [] }
        return nil
      }
      defer { mail = [] }
      return (mail, listeners)
    }

    /// Adds a listener, who is first told how far the load is, or its end. Nobody reads its stream yet, so what is put
    /// into it here runs no code of the user's.
    package func listen(_ listener: AsyncStream<Event>.Continuation) {
      if let outcome {
        listener.yield(.finished(outcome))
        listener.finish()
        return
      }
      listeners.append(listener)
      // Mail that waits has the progress in it, and the new listener gets it with the others.
      if progress.completed > 0, mail.isEmpty { listener.yield(.progress(progress)) }
    }
  }
}
