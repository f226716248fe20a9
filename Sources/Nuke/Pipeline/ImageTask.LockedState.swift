import Foundation
import NukeBase

extension ImageTask {
  /// The outcome of a task. A task for data has the data in a container with an empty image.
  typealias Outcome = Result<ImageResponse, ImagePipeline.Error>

  /// The mutable state of a task. Every access holds the task's lock.
  ///
  /// Events are queued under the lock and delivered outside it, by one thread at a time. So they keep their order, and
  /// the result is last. Values that may retain user objects are returned, and released outside the lock.
  package struct LockedState {
    typealias Token = JobGraph<JobKey, Job, ImageTask>.Token
    typealias Waiter = UnsafeContinuation<Void, Never>

    /// The Swift tasks that await the result: usually one.
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
    private(set) var token: Token?
    private(set) var progress = Progress(completed: 0, total: 0)
    private(set) var state = State.running
    private(set) var outcome: Outcome?
    private(set) var facts = Facts()
    /// The trace the task belongs to.
    var trace: TaskTrace?
    private let startedAt = MonotonicClock.now

    private var waiters = Waiters()
    /// `true` once the waiters have been resumed.
    private var isTold = false
    private var observers: [Observer] = []
    /// `true` if an observer calls code of the program, which must not run on a loader's thread.
    private(set) var hasForeignObserver = false
    private var pendingEvents: [Event] = []
    private var isDelivering = false
    private var history: EventHistory

    package init(priority: ImageRequest.Priority, keepsEvents: Bool = false) {
      self.priority = priority
      history = EventHistory(isKept: keepsEvents)
    }

    // MARK: The subscription

    /// `true` once the task has subscribed to a job, or will not do so.
    private var hasStarted = false

    /// Prevents the task from subscribing. Returns `false` if it has subscribed or ended.
    mutating func refuseStart() -> Bool {
      guard !hasStarted, outcome == nil else { return false }
      hasStarted = true
      return true
    }

    mutating func subscribe(_ body: (WorkPriority) -> (token: Token, joined: Bool)) {
      guard !hasStarted else { return }
      hasStarted = true
      let (token, joined) = body(priority.workPriority)
      self.token = token
      facts.isCoalesced = joined
    }

    /// The subscription, for the caller that is going to end it.
    mutating func takeToken() -> Token? { token.take() }

    // MARK: The end

    /// Records the result. Waiters, also new ones, wait until ``takeWaiters()`` is called.
    ///
    /// - Returns: `nil` if the task had ended before. `hasEvents` is `true` if the caller has to deliver events.
    mutating func end(
      _ outcome: Outcome, facts: Facts?, asCancelled: Bool
    ) -> (hasEvents: Bool, trace: TaskTrace?)? {
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
      self.facts.total = MonotonicClock.seconds(from: startedAt, to: MonotonicClock.now)
      // The history has no results, and an event that nobody observes would only be copied.
      return (observers.isEmpty ? false : post(.finished(outcome)), trace.take())
    }

    /// Returns the waiters to resume now that the task has ended.
    mutating func takeWaiters() -> Waiters {
      isTold = true
      return exchange(&waiters, with: Waiters())
    }

    /// Adds a waiter. Returns `false` if the waiters have been resumed.
    mutating func wait(_ waiter: Waiter) -> Bool {
      guard !isTold else { return false }
      waiters.append(waiter)
      return true
    }

    /// Returns the outcome of a task that has ended, and the events that are not needed any more.
    mutating func takeOutcome() -> (Outcome, released: [Event]) { (outcome!, history.end()) }

    /// Returns the events for later streams, which are not needed any more.
    mutating func takeHistory() -> [Event] { history.end() }

    // MARK: Events

    /// Records the progress, unless the task has ended.
    ///
    /// - Returns: `true` if the caller has to deliver events.
    package mutating func note(_ progress: Progress) -> Bool {
      guard outcome == nil else { return false }
      self.progress = progress
      return post(.progress(progress))
    }

    /// Records a preview, unless the task has ended.
    ///
    /// - Returns: `true` if the caller has to deliver events.
    mutating func note(_ preview: ImageResponse) -> Bool {
      guard outcome == nil else { return false }
      facts.previewCount += 1
      return post(.preview(preview))
    }

    private mutating func post(_ event: Event) -> Bool {
      history.record(event, isQueued: !observers.isEmpty)
      guard !observers.isEmpty else { return false }
      pendingEvents.append(event)
      if isDelivering { return false }
      isDelivering = true
      return true
    }

    /// Events to deliver, and their observers.
    package struct Delivery {
      package let events: [Event]
      package let observers: [Observer]
      /// Events that no later stream receives. They are released with the delivery.
      fileprivate let released: [Event]

      package func deliver() {
        for event in events {
          for observer in observers { observer(event) }
        }
      }
    }

    /// Returns the events to deliver next. If there are none, returns `nil` and ends the delivery.
    package mutating func takeDelivery() -> Delivery? {
      guard !pendingEvents.isEmpty else {
        isDelivering = false
        return nil
      }
      let taken = Delivery(events: pendingEvents, observers: observers, released: history.didTakeDelivery())
      pendingEvents = []
      // The end is the last event, so the observers are not needed any more.
      if outcome != nil { observers = [] }
      return taken
    }

    /// Adds a stream. It begins with the first events if no stream has received them yet, and otherwise with the
    /// current progress. Nothing reads the stream yet, so yielding here runs no user code.
    package mutating func listen(_ listener: AsyncStream<Event>.Continuation) {
      let missed = history.listen()
      for event in missed { listener.yield(event) }
      if outcome == nil, missed.isEmpty, progress.completed > 0, pendingEvents.isEmpty {
        listener.yield(.progress(progress))
      }
      // If events are still to be delivered, the result comes with them.
      if let outcome, pendingEvents.isEmpty {
        listener.yield(.finished(outcome))
        listener.finish()
        return
      }
      observers.append { event in
        listener.yield(event)
        if case .finished = event { listener.finish() }
      }
    }

    /// Adds an observer before the task starts. It is called outside the lock, on the thread that delivers.
    ///
    /// - Parameter isForeign: `true` if the observer calls user code.
    mutating func observe(isForeign: Bool, _ observer: @escaping Observer) {
      hasForeignObserver = hasForeignObserver || isForeign
      observers.append(observer)
    }
  }
}
