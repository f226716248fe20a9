import Foundation
import NukeBase
import NukeHTTP

extension ImagePrefetcher {
  /// Performs the work of a prefetcher. It may outlive the prefetcher until its tasks have ended.
  ///
  /// The caller's thread only queues each call as a ``Command``. A worker executes the commands in sequence. Only one
  /// thread at a time starts requests, in a loop, so that requests keep their order and many immediate results, such as
  /// cache hits, do not recurse.
  final class Runner: Sendable {
    private typealias Schedule = PrefetchSchedule<JobKey, ImageRequest, ImageTask>

    private struct State: ~Copyable {
      var schedule = Schedule()
      var priority = ImageRequest.Priority.low
      /// The value that the program has set.
      var isPaused = false
      /// `true` if no request starts: from a pause until a worker has executed the command to resume that follows it.
      var isSuspended = false
      var pauseCount = 0
      var didComplete: (@MainActor @Sendable () -> Void)?
      var didEnd: (@Sendable (ImageRequest) -> Void)?
      /// `true` if requests were added since ``didComplete`` was called.
      var isCompletionDue = false
      /// `true` if a thread is starting requests.
      var isStarting = false

      /// Records the task that was started last, and returns the next step.
      mutating func step(after started: Started?, limit: Int) -> Step {
        var step = Step(priority: priority)
        if let started {
          if let task = started.task {
            if !schedule.note(task, of: started.id) {
              step.unwanted = task
            } else {
              step.hasOtherPriority = started.priority != priority
            }
          } else {
            step.ended = schedule.end(started.id)
          }
        }
        if !isSuspended { step.next = schedule.startNext(limit: limit) }
        if step.next == nil {
          isStarting = false
          step.isDone = isDone
        }
        return step
      }

      /// `true` if all requests have ended, and ``didComplete`` has not been called since.
      private var isDone: Bool { isCompletionDue && schedule.count == 0 }

      mutating func takeCompletion() -> (@MainActor @Sendable () -> Void)? {
        guard isDone else { return nil }
        isCompletionDue = false
        return didComplete
      }
    }

    private struct Started {
      let id: Schedule.ID
      /// The task; `nil` if there was nothing to do.
      let task: ImageTask?
      let priority: ImageRequest.Priority
    }

    private struct Step {
      let priority: ImageRequest.Priority
      var next: (id: Schedule.ID, request: ImageRequest)?
      /// The task that was started last, if its request was removed in the meantime and it must be canceled.
      var unwanted: ImageTask?
      /// The request that was started last, if there was nothing to do. It is released outside the lock.
      var ended: Schedule.Removed?
      /// `true` if the priority has changed since the last task was started.
      var hasOtherPriority = false
      /// `true` if all requests have ended that were added so far.
      var isDone = false
    }

    let pipeline: ImagePipeline
    let destination: Destination
    private let limit: Int
    private let state = Lock(State())

    init(pipeline: ImagePipeline, destination: Destination, limit: Int) {
      self.pipeline = pipeline
      self.destination = destination
      self.limit = max(1, limit)
    }

    // MARK: Properties

    var priority: ImageRequest.Priority {
      get { state.withLock { $0.priority } }
      set {
        state.withLock { $0.priority = newValue }
        applyPriority()
      }
    }

    var isPaused: Bool {
      get { state.withLock { $0.isPaused } }
      set {
        let pauseCount = state.withLock { state in
          state.isPaused = newValue
          if newValue {
            // A pause applies at once, even while earlier commands wait.
            state.isSuspended = true
            state.pauseCount += 1
          }
          return state.pauseCount
        }
        if !newValue { add(.resume(after: pauseCount)) }
      }
    }

    var didComplete: (@MainActor @Sendable () -> Void)? {
      get { state.withLock { $0.didComplete } }
      set {
        // Released outside the lock, because an object that it captures may use the prefetcher.
        let old = state.withLock { exchange(&$0.didComplete, with: newValue) }
        withExtendedLifetime(old) {}
      }
    }

    var didEnd: (@Sendable (ImageRequest) -> Void)? {
      get { state.withLock { $0.didEnd } }
      set {
        let old = state.withLock { exchange(&$0.didEnd, with: newValue) }
        withExtendedLifetime(old) {}
      }
    }

    // MARK: Commands

    /// A call to the prefetcher that a worker executes later.
    enum Command {
      case start([ImageRequest])
      case startURLs([URL])
      case stop([ImageRequest])
      case stopURLs([URL])
      case stopAll
      /// Ends a pause, unless another one has followed it.
      case resume(after: Int)
      /// Calls a closure when all earlier commands have been executed.
      case call(@Sendable () -> Void)
    }

    private struct Commands {
      var waiting: [Command] = []
      /// `true` while a worker executes commands.
      var areExecuted = false
    }

    private let commands = Lock(Commands())

    /// Adds a command. A worker executes it after the earlier ones.
    func add(_ command: Command) {
      let isFirst = commands.withLock { commands in
        commands.waiting.append(command)
        return !exchange(&commands.areExecuted, with: true)
      }
      if isFirst { pipeline.unlimitedQueue.add { [self] in executeCommands() } }
    }

    /// The time for which a worker waits for further commands, in microseconds. A program that calls the prefetcher for one
    /// image after the other would wake a worker for each call, which takes longer than executing it.
    private static let pause: UInt32 = 100

    private func executeCommands() {
      var hasPaused = false
      while true {
        let next = commands.withLock { commands in
          if hasPaused { commands.areExecuted = !commands.waiting.isEmpty }
          return exchange(&commands.waiting, with: [])
        }
        if next.isEmpty {
          if hasPaused { return completeIfAllHaveEnded() }
          usleep(Self.pause)
        } else {
          for command in next { execute(command) }
        }
        hasPaused = next.isEmpty
      }
    }

    private func execute(_ command: Command) {
      switch command {
      case .start(let requests): start(requests)
      case .startURLs(let urls): start(urls.map { ImageRequest(url: $0) })
      case .stop(let requests): stop(requests)
      case .stopURLs(let urls): stop(urls.map { ImageRequest(url: $0) })
      case .stopAll: cancel(state.withLock { $0.schedule.removeAll() })
      case .resume(let pauseCount): update { if $0.pauseCount == pauseCount { $0.isSuspended = false } }
      case .call(let body): body()
      }
    }

    // MARK: Starting

    private func start(_ requests: [ImageRequest]) {
      guard !requests.isEmpty else { return }
      // Identities are computed outside the lock, because that calls custom processors.
      let keys = requests.map(key)
      update { state in
        state.isCompletionDue = true
        state.schedule.reserve(requests.count)
        for (request, key) in zip(requests, keys) { state.schedule.add(request, key: key) }
      }
    }

    private func key(_ request: ImageRequest) -> JobKey {
      let identity = request.storage.identity
      let requirement = pipeline.freshnessRequirement(of: request)
      return switch destination {
      case .memoryCache:
        .image(
          identity, processorCount: identity.processorCount, options: request.options, requirement,
          sharing: pipeline.processorChains)
      case .diskCache: pipeline.dataKey(for: request, requirement)
      }
    }

    /// Makes a change and starts the requests that are due. If another thread is doing that, it will see the change.
    ///
    /// - Parameter change: returns what is released outside the lock.
    private func update<Released>(_ change: (inout State) -> Released) {
      let (first, released) = state.withLock { state -> (Step?, Released) in
        let released = change(&state)
        guard !state.isStarting else { return (nil, released) }
        state.isStarting = true
        return (state.step(after: nil, limit: limit), released)
      }
      withExtendedLifetime(released) {}
      guard var step = first else { return }
      while let (id, request) = step.next {
        let started = begin(request, id, step.priority)
        step = state.withLock { $0.step(after: started, limit: limit) }
        withExtendedLifetime(step.ended) {}
        step.unwanted?.cancel()
        if step.hasOtherPriority { applyPriority() }
      }
      if step.isDone { completeIfAllHaveEnded() }
    }

    /// Calls `didComplete` if all requests have ended, unless commands wait, which may add others.
    private func completeIfAllHaveEnded() {
      guard !commands.withLock({ $0.areExecuted }), let didComplete = state.withLock({ $0.takeCompletion() })
      else { return }
      Task { await didComplete() }
    }

    private func begin(
      _ request: ImageRequest, _ id: Schedule.ID, _ priority: ImageRequest.Priority
    ) -> Started {
      var request = request
      if request.priority != priority { request.priority = priority }
      let task = pipeline.prefetch(request, destination: destination) { [self, request] result in
        if !result.isCancelled { didEnd?(request) }
        update { $0.schedule.end(id) }
      }
      if task == nil { didEnd?(request) }
      return Started(id: id, task: task, priority: priority)
    }

    /// Applies the current priority to all running tasks. Another thread may change it meanwhile.
    private func applyPriority() {
      var applied: ImageRequest.Priority
      repeat {
        let tasks: [ImageTask]
        (applied, tasks) = state.withLock { ($0.priority, $0.schedule.tasks) }
        for task in tasks { task.priority = applied }
      } while state.withLock({ $0.priority }) != applied
    }

    // MARK: Stopping

    private func stop(_ requests: [ImageRequest]) {
      let keys = requests.map(key)
      cancel(state.withLock { $0.schedule.remove(keys) })
    }

    private func cancel(_ removed: Schedule.Removed) {
      // From last to first: canceling the first would give its slot to a task that is canceled next.
      for task in removed.tasks.reversed() { task.cancel() }
      // There may be free slots now, or all requests may have ended.
      update { _ in }
    }
  }
}

extension Result<ImageResponse, ImagePipeline.Error> {
  fileprivate var isCancelled: Bool {
    if case .failure(.cancelled) = self { true } else { false }
  }
}
