import Nuke

/// The rules of the graph written down as plainly as possible: objects that point at each other, priorities worked out
/// anew at each question.
final class JobGraphModel {
  final class Job {
    let number: Int
    let key: Int?
    /// A job waits for jobs of lower levels alone, so that none waits for itself.
    let level: Int
    var subscriptions: [Subscription] = []
    var dependency: Subscription?

    init(number: Int, key: Int?, level: Int) {
      self.number = number
      self.key = key
      self.level = level
    }

    var priority: WorkPriority { subscriptions.map(\.priority).max()! }
  }

  final class Subscription {
    enum Subscriber {
      case client(Int, WorkPriority)
      case job(Job)
    }

    unowned let job: Job
    var subscriber: Subscriber

    init(job: Job, subscriber: Subscriber) {
      self.job = job
      self.subscriber = subscriber
    }

    var priority: WorkPriority {
      switch subscriber {
      case .client(_, let priority): priority
      case .job(let job): job.priority
      }
    }
  }

  /// What the graph is expected to say, priorities apart.
  enum Event: Equatable {
    case start(Int)
    case stop(Int)
    case resume(Int, Int)
    case complete(Int, Int)
  }

  private(set) var jobs: [Job] = []
  private(set) var events: [Event] = []
  /// How often each client has ended.
  private(set) var ends: [Int: Int] = [:]
  private var nextJob = 0

  var subscriptionCount: Int { jobs.reduce(0) { $0 + $1.subscriptions.count } }

  func takeEvents() -> [Event] {
    defer { events = [] }
    return events
  }

  private func find(_ key: Int?, level: Int) -> Job {
    if let key, let job = jobs.first(where: { $0.key == key }) { return job }
    let job = Job(number: nextJob, key: key, level: level)
    nextJob += 1
    jobs.append(job)
    events.append(.start(job.number))
    return job
  }

  func join(_ client: Int, key: Int?, level: Int, priority: WorkPriority) -> Subscription {
    let job = find(key, level: level)
    let subscription = Subscription(job: job, subscriber: .client(client, priority))
    job.subscriptions.append(subscription)
    return subscription
  }

  func depend(_ waiting: Job, key: Int?, level: Int) {
    let job = find(key, level: level)
    let subscription = Subscription(job: job, subscriber: .job(waiting))
    job.subscriptions.append(subscription)
    waiting.dependency = subscription
  }

  func leave(_ subscription: Subscription) {
    if case .client(let client, _) = subscription.subscriber { ends[client, default: 0] += 1 }
    end(subscription)
  }

  private func end(_ subscription: Subscription) {
    let job = subscription.job
    job.subscriptions.removeAll { $0 === subscription }
    guard job.subscriptions.isEmpty else { return }
    events.append(.stop(job.number))
    remove(job)
  }

  private func remove(_ job: Job) {
    jobs.removeAll { $0 === job }
    if let dependency = job.dependency { end(dependency) }
    job.dependency = nil
  }

  func finish(_ job: Job) {
    for subscription in job.subscriptions {
      switch subscription.subscriber {
      case .client(let client, _):
        ends[client, default: 0] += 1
        events.append(.complete(client, job.number))
      case .job(let waiting):
        waiting.dependency = nil
        events.append(.resume(waiting.number, job.number))
      }
    }
    job.subscriptions = []
    remove(job)
  }

  /// - Returns: the clients.
  func removeAll() -> [Int] {
    var clients: [Int] = []
    for job in jobs {
      events.append(.stop(job.number))
      for case .client(let client, _) in job.subscriptions.map(\.subscriber) {
        ends[client, default: 0] += 1
        clients.append(client)
      }
      job.subscriptions = []
      job.dependency = nil
    }
    jobs = []
    return clients
  }
}
