import Foundation

extension ImageTask {
  /// How a task ended. A task for data has the data in a container with an empty picture.
  typealias Outcome = Result<ImageResponse, ImagePipeline.Error>

  /// What changes in a task. Every use is made holding the lock of its pipeline.
  ///
  /// Events are put into a mailbox under the lock and delivered outside it, by one thread at a time, so that they keep
  /// their order: nothing comes behind the end.
  package struct Guarded {
    typealias Waiter = UnsafeContinuation<Void, Never>

    /// Those who wait for the end: as a rule one.
    struct Waiters {
      private var first: Waiter?
      private var others: [Waiter] = []

      mutating func append(_ waiter: Waiter) {
        if first == nil { first = waiter } else { others.append(waiter) }
      }

      func resume() {
        first?.resume()
        for waiter in others { waiter.resume() }
      }
    }

    package typealias Observer = @Sendable (Event) -> Void

    var priority: ImageRequest.Priority
    private(set) var token: JobGraph<JobKey, Job, ImageTask>.Token?
    private(set) var progress = Progress(completed: 0, total: 0)
    private(set) var state = State.running
    private(set) var outcome: Outcome?
    private(set) var facts = Facts()
    /// Where the task is traced.
    var trace: TaskTrace?
    private let startedAt = Clock.now

    private var waiters = Waiters()
    /// Whether nobody has to wait any more.
    private var isTold = false
    private var observers: [Observer] = []
    private var mail: [Event] = []
    private var isDelivering = false

    package init(priority: ImageRequest.Priority) { self.priority = priority }

    // MARK: The subscription

    /// Whether there has been a subscription, or shall be none.
    private var hasStarted = false

    /// Makes sure that the task will not be subscribed; false where it has been, or has ended.
    mutating func refuseStart() -> Bool {
      guard !hasStarted, outcome == nil else { return false }
      hasStarted = true
      return true
    }

    mutating func subscribe(
      _ body: (ImageRequest.Priority) -> (token: JobGraph<JobKey, Job, ImageTask>.Token, joined: Bool)
    ) {
      guard !hasStarted else { return }
      hasStarted = true
      let (token, joined) = body(priority)
      self.token = token
      facts.isCoalesced = joined
    }

    /// The subscription, for whoever is going to end it.
    mutating func takeToken() -> JobGraph<JobKey, Job, ImageTask>.Token? {
      defer { token = nil }
      return token
    }

    // MARK: The end

    /// Notes the end, once. Those who wait for it, or come now, do so until ``takeWaiters()``.
    ///
    /// - Returns: whether there is mail to be delivered; nil where it had ended.
    mutating func end(
      _ outcome: Outcome, facts: Facts?, asCancelled: Bool
    ) -> (hasMail: Bool, facts: Facts, trace: TaskTrace?)? {
      guard self.outcome == nil else { return nil }
      self.outcome = outcome
      state = asCancelled ? .cancelled : .completed
      token = nil
      if let facts {
        let (joined, previewCount) = (self.facts.isCoalesced, self.facts.previewCount)
        self.facts = facts
        self.facts.isCoalesced = joined || facts.isCoalesced
        self.facts.previewCount = previewCount
      }
      self.facts.total = Clock.seconds(from: startedAt, to: Clock.now)
      defer { trace = nil }
      return (post(.finished(outcome)), self.facts, trace)
    }

    /// Those who are to be resumed now that the task has ended. Nobody waits from here on.
    mutating func takeWaiters() -> Waiters {
      isTold = true
      defer { waiters = Waiters() }
      return waiters
    }

    /// Has `waiter` resumed at the end; false where nobody has to wait for that.
    mutating func wait(_ waiter: Waiter) -> Bool {
      guard !isTold else { return false }
      waiters.append(waiter)
      return true
    }

    // MARK: Events

    /// Notes how far the load is.
    ///
    /// - Returns: whether there is mail to be delivered.
    package mutating func note(_ progress: Progress) -> Bool {
      self.progress = progress
      return post(.progress(progress))
    }

    /// Posts a preview, unless the end has come.
    ///
    /// - Returns: whether there is mail to be delivered.
    mutating func note(_ preview: ImageResponse) -> Bool {
      guard outcome == nil else { return false }
      facts.previewCount += 1
      return post(.preview(preview))
    }

    private mutating func post(_ event: Event) -> Bool {
      guard !observers.isEmpty else { return false }
      mail.append(event)
      if isDelivering { return false }
      isDelivering = true
      return true
    }

    /// The mail that has come and who gets it; nil, and the delivery is over, where there is none.
    package mutating func takeMail() -> (events: [Event], observers: [Observer])? {
      guard !mail.isEmpty else {
        isDelivering = false
        if outcome != nil { observers = [] }
        return nil
      }
      defer { mail = [] }
      return (mail, observers)
    }

    /// Adds a listener, who is first told how far the load is, or its end. Nobody reads its stream yet, so what is put
    /// into it here runs no code of the user's.
    package mutating func listen(_ listener: AsyncStream<Event>.Continuation) {
      if let outcome {
        listener.yield(.finished(outcome))
        listener.finish()
        return
      }
      // What is in the mailbox will come, so only what has been delivered is told again.
      if progress.completed > 0, mail.isEmpty { listener.yield(.progress(progress)) }
      observers.append { event in
        listener.yield(event)
        if case .finished = event { listener.finish() }
      }
    }

    /// Adds an observer before the task starts. It is called outside the lock, on the thread that delivers.
    mutating func observe(_ observer: @escaping Observer) { observers.append(observer) }
  }
}
