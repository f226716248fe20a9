import Foundation
import Nuke
import NukeTesting
import Testing

@Suite("The job graph under random schedules")
struct JobGraphScheduleTests {
  @Test("Every step matches the model", arguments: [1, 2, 3, 4, 5] as [UInt64])
  func schedule(seed: UInt64) async { await run(seed: seed, steps: 20_000) }

  /// `NUKE_SCHEDULES=100000` makes it the proof that is run before a release.
  private static let count =
    ProcessInfo.processInfo.environment["NUKE_SCHEDULES"].flatMap { UInt64($0) } ?? 1000

  @Test("Every step matches the model in many short-lived graphs")
  func schedules() async {
    for seed in 1...Self.count { await run(seed: seed &* 0x9E37_79B9, steps: 10 + Int(seed % 90)) }
  }

  private func run(seed: UInt64, steps: Int) async {
    var schedule = Schedule(seed: seed)
    for step in 0..<steps {
      // Tests of time limits run beside this one, on few threads.
      if step % 50 == 0 { await Task.yield() }
      schedule.step()
      if let problem = schedule.problem {
        Issue.record("seed \(seed), step \(step), \(schedule.lastOperation): \(problem)")
        return
      }
    }
    schedule.endAll()
    #expect(schedule.problem == nil, "seed \(seed), at the end")
  }
}

/// A graph and its model, given the same operations.
private struct Schedule {
  typealias Graph = JobGraph<Int, TestJob, TestClient>

  final class TestJob {
    let id: Graph.JobID
    let number: Int
    /// The priority that was told last.
    var toldPriority: WorkPriority?
    init(_ id: Graph.JobID, _ number: Int) {
      self.id = id
      self.number = number
    }
  }

  final class TestClient {
    let number: Int
    init(_ number: Int) { self.number = number }
  }

  private var random: SeededGenerator
  private var graph = Graph()
  private let model = JobGraphModel()
  private var actions = Graph.Actions()
  private var jobs: [Int: TestJob] = [:]
  private var tokens: [(client: Int, token: Graph.Token, subscription: JobGraphModel.Subscription)] = []
  private var endedTokens: [Graph.Token] = []
  private var endedJobs: [Graph.JobID] = []
  private var clientCount = 0

  private(set) var lastOperation = ""
  private(set) var problem: String?

  private static let levels = 4
  private static let keysPerLevel = 6

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func step() {
    switch Int.random(in: 0..<1000, using: &random) {
    case 0: removeAll()
    case 1..<330: join()
    case 330..<560: depend()
    case 560..<740: leave()
    case 740..<880: setPriority()
    case 880..<980: finish()
    case 980..<990: leaveAgain()
    default: finishAgain()
    }
    check()
  }

  mutating func endAll() {
    while let entry = tokens.last {
      lastOperation = "leave \(entry.client)"
      leave(at: tokens.count - 1)
      check()
      if problem != nil { return }
    }
    if graph.jobCount != 0 || graph.subscriptionCount != 0 { problem = "something is left" }
    for client in 0..<clientCount where model.ends[client] != 1 {
      problem = "client \(client) ended \(model.ends[client] ?? 0) times"
    }
  }

  // MARK: Operations

  private mutating func randomKey(below level: Int) -> (key: Int?, level: Int) {
    let level = Int.random(in: 0..<level, using: &random)
    let isShared = Int.random(in: 0..<5, using: &random) > 0
    return (isShared ? level * 100 + Int.random(in: 0..<Self.keysPerLevel, using: &random) : nil, level)
  }

  private mutating func randomPriority() -> WorkPriority {
    WorkPriority.allCases.randomElement(using: &random)!
  }

  private mutating func join() {
    let (key, level) = randomKey(below: Self.levels)
    let priority = randomPriority()
    lastOperation = "join \(clientCount) to \(key.map(String.init) ?? "nothing shared"), \(priority)"
    let client = clientCount
    clientCount += 1
    let subscription = model.join(client, key: key, level: level, priority: priority)
    let (token, job, _) = graph.join(TestClient(client), to: key, priority: priority, actions: &actions) {
      TestJob($0, subscription.job.number)
    }
    jobs[job.number] = job
    tokens.append((client, token, subscription))
  }

  private mutating func depend() {
    let candidates = model.jobs.filter { $0.dependency == nil && $0.level > 0 }
    guard let waiting = candidates.randomElement(using: &random) else { return }
    let (key, level) = randomKey(below: waiting.level)
    lastOperation = "let \(waiting.number) depend on \(key.map(String.init) ?? "nothing shared")"
    model.depend(waiting, key: key, level: level)
    let number = waiting.dependency!.job.number
    var made: TestJob?
    let joined = graph.depend(jobs[waiting.number]!.id, on: key, actions: &actions) {
      made = TestJob($0, number)
      return made!
    }
    if let made { jobs[number] = made }
    if joined != (made == nil) { problem = "joined: \(String(describing: joined))" }
  }

  private mutating func leave() {
    guard !tokens.isEmpty else { return }
    leave(at: Int.random(in: tokens.indices, using: &random))
  }

  private mutating func leave(at place: Int) {
    let (client, token, subscription) = tokens.remove(at: place)
    lastOperation = "leave \(client)"
    model.leave(subscription)
    if !graph.leave(token, actions: &actions) { problem = "the subscription is unknown" }
    endedTokens.append(token)
  }

  private mutating func setPriority() {
    guard let place = tokens.indices.randomElement(using: &random) else { return }
    let priority = randomPriority()
    lastOperation = "set the priority of \(tokens[place].client) to \(priority)"
    tokens[place].subscription.subscriber = .client(tokens[place].client, priority)
    graph.setPriority(priority, of: tokens[place].token, actions: &actions)
  }

  private mutating func finish() {
    guard let job = model.jobs.randomElement(using: &random) else { return }
    lastOperation = "finish \(job.number)"
    for entry in tokens where entry.subscription.job === job { endedTokens.append(entry.token) }
    tokens.removeAll { $0.subscription.job === job }
    model.finish(job)
    graph.finish(jobs[job.number]!.id, actions: &actions)
  }

  private mutating func leaveAgain() {
    guard let token = endedTokens.randomElement(using: &random) else { return }
    lastOperation = "leave again"
    if graph.leave(token, actions: &actions) || graph.isAlive(token) { problem = "a dead subscription was alive" }
    graph.setPriority(.veryHigh, of: token, actions: &actions)
  }

  private mutating func finishAgain() {
    guard let id = endedJobs.randomElement(using: &random) else { return }
    lastOperation = "finish again"
    graph.finish(id, actions: &actions)
    let answer = graph.depend(id, on: 0, actions: &actions) { TestJob($0, -1) }
    if answer != nil || graph.isAlive(id) { problem = "a dead job was alive" }
  }

  private mutating func removeAll() {
    lastOperation = "remove all"
    let expected = model.removeAll()
    let clients = graph.removeAll(actions: &actions).map(\.number)
    if clients.sorted() != expected.sorted() { problem = "clients \(clients), expected \(expected)" }
    endedTokens += tokens.map(\.token)
    tokens = []
  }

  // MARK: Comparing

  private mutating func check() {
    var events: [JobGraphModel.Event] = []
    for action in actions {
      switch action {
      case .start(let job, let priority):
        job.toldPriority = priority
        events.append(.start(job.number))
      case .prioritize(let job, let priority):
        if job.toldPriority == priority { problem = "job \(job.number) was told \(priority) twice" }
        job.toldPriority = priority
      case .stop(let job):
        events.append(.stop(job.number))
        end(job)
      case .resume(let job, let finished):
        events.append(.resume(job.number, finished.number))
        end(finished)
      case .complete(let client, let finished):
        events.append(.complete(client.number, finished.number))
        end(finished)
      }
    }
    actions = Graph.Actions()
    let expected = model.takeEvents()
    // All jobs are stopped at once by `removeAll`, in no order that is promised.
    if events != expected, lastOperation != "remove all" || events.count != expected.count {
      problem = "\(events), expected \(expected)"
    }
    if graph.jobCount != model.jobs.count { problem = "\(graph.jobCount) jobs, expected \(model.jobs.count)" }
    if graph.subscriptionCount != model.subscriptionCount {
      problem = "\(graph.subscriptionCount) subscriptions, expected \(model.subscriptionCount)"
    }
    for expected in model.jobs {
      let job = jobs[expected.number]!
      let priority = expected.priority
      if graph.priority(of: job.id) != priority || job.toldPriority != priority {
        problem = "job \(expected.number) has another priority than \(priority)"
      }
    }
  }

  private mutating func end(_ job: TestJob) {
    guard jobs.removeValue(forKey: job.number) != nil else { return }
    if endedJobs.count < 1000 { endedJobs.append(job.id) }
    if endedTokens.count > 1000 { endedTokens.removeFirst(500) }
  }
}
