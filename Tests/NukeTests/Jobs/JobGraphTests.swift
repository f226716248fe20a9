import Nuke
import Testing

@Suite("A job graph")
struct JobGraphTests {
  typealias Graph = JobGraph<String, TestJob, TestClient>

  final class TestJob {
    let id: Graph.JobID
    let name: String
    init(_ id: Graph.JobID, _ name: String) {
      self.id = id
      self.name = name
    }
  }

  final class TestClient {
    let name: String
    init(_ name: String) { self.name = name }
  }

  /// A graph, what it said since the last look, and its jobs by name.
  struct Fixture {
    var graph = Graph()
    private var actions = Graph.Actions()
    private(set) var jobs: [String: TestJob] = [:]

    @discardableResult
    mutating func join(
      _ client: String, to name: String, priority: WorkPriority = .normal, isShared: Bool = true
    ) -> (token: Graph.Token, joined: Bool) {
      let (token, job, joined) = graph.join(
        TestClient(client), to: isShared ? name : nil, priority: priority, actions: &actions
      ) { TestJob($0, name) }
      jobs[name] = job
      return (token, joined)
    }

    @discardableResult
    mutating func depend(_ waiting: String, on name: String) -> Bool? {
      var made: TestJob?
      let joined = graph.depend(jobs[waiting]!.id, on: name, actions: &actions) {
        made = TestJob($0, name)
        return made!
      }
      if let made { jobs[name] = made }
      return joined
    }

    mutating func finish(_ name: String) { graph.finish(jobs[name]!.id, actions: &actions) }
    mutating func leave(_ token: Graph.Token) -> Bool { graph.leave(token, actions: &actions) }
    mutating func setPriority(_ priority: WorkPriority, of token: Graph.Token) {
      graph.setPriority(priority, of: token, actions: &actions)
    }
    mutating func removeAll() -> [String] { graph.removeAll(actions: &actions).map(\.name) }

    func priority(_ name: String) -> WorkPriority? { graph.priority(of: jobs[name]!.id) }

    /// What was to be done since the last call.
    mutating func said() -> [String] {
      defer { actions = Graph.Actions() }
      return actions.map { action in
        switch action {
        case .start(let job, let priority): "start \(job.name) \(priority)"
        case .stop(let job): "stop \(job.name)"
        case .prioritize(let job, let priority): "prioritize \(job.name) \(priority)"
        case .resume(let job, let finished): "resume \(job.name) with \(finished.name)"
        case .complete(let client, let finished): "complete \(client.name) with \(finished.name)"
        }
      }
    }
  }

  var fixture = Fixture()

  @Test("The first subscriber starts a job, and later ones with its key share it")
  mutating func joining() {
    #expect(fixture.join("a", to: "x").joined == false)
    #expect(fixture.join("b", to: "x").joined)
    #expect(fixture.said() == ["start x normal"])
    #expect(fixture.graph.jobCount == 1)
    #expect(fixture.graph.subscriptionCount == 2)
  }

  @Test("A job without a key is not shared")
  mutating func noKey() {
    #expect(fixture.join("a", to: "x", isShared: false).joined == false)
    #expect(fixture.join("b", to: "x", isShared: false).joined == false)
    #expect(fixture.graph.jobCount == 2)
  }

  @Test("A finished job notifies its subscribers in order, and is removed")
  mutating func finishing() {
    fixture.join("a", to: "x")
    fixture.join("b", to: "x")
    _ = fixture.said()
    fixture.finish("x")
    #expect(fixture.said() == ["complete a with x", "complete b with x"])
    #expect(fixture.graph.jobCount == 0)
    #expect(fixture.graph.subscriptionCount == 0)
    #expect(fixture.join("c", to: "x").joined == false)
  }

  @Test("A second finish is ignored, even after the place was reused")
  mutating func finishingTwice() {
    fixture.join("a", to: "x")
    let first = fixture.jobs["x"]!
    fixture.finish("x")
    fixture.join("b", to: "y")
    _ = fixture.said()
    var actions = Graph.Actions()
    fixture.graph.finish(first.id, actions: &actions)
    #expect(actions.isEmpty)
    #expect(fixture.graph.jobCount == 1)
  }

  @Test("A job stops when its last subscriber leaves, and not before")
  mutating func leaving() {
    let a = fixture.join("a", to: "x").token
    let b = fixture.join("b", to: "x").token
    _ = fixture.said()
    #expect(fixture.leave(a) == true)
    #expect(fixture.said() == [])
    #expect(fixture.leave(b) == true)
    #expect(fixture.said() == ["stop x"])
    #expect(fixture.graph.jobCount == 0)
  }

  @Test("A subscription ends once")
  mutating func leavingTwice() {
    let a = fixture.join("a", to: "x").token
    fixture.join("b", to: "x")
    #expect(fixture.leave(a) == true)
    #expect(fixture.leave(a) == false)
    fixture.join("c", to: "y")
    #expect(fixture.leave(a) == false, "its place belongs to somebody else")
    #expect(fixture.graph.subscriptionCount == 2)
  }

  @Test("Stopping a job stops the jobs that only it waited for, and no others")
  mutating func leavingChain() {
    let a = fixture.join("a", to: "x").token
    fixture.depend("x", on: "y")
    fixture.depend("y", on: "z")
    fixture.join("b", to: "z")
    _ = fixture.said()
    #expect(fixture.leave(a) == true)
    #expect(fixture.said() == ["stop x", "stop y"])
    #expect(fixture.priority("z") == .normal)
  }

  @Test("A job resumes when the job that it waited for finishes, and may then wait for the next")
  mutating func depending() {
    fixture.join("a", to: "x")
    #expect(fixture.depend("x", on: "y") == false)
    fixture.finish("y")
    #expect(fixture.said() == ["start x normal", "start y normal", "resume x with y"])
    #expect(fixture.depend("x", on: "z") == false)
    #expect(fixture.graph.jobCount == 2)
  }

  @Test("A stopped job cannot wait for another")
  mutating func dependingLate() {
    let a = fixture.join("a", to: "x").token
    #expect(fixture.leave(a) == true)
    _ = fixture.said()
    #expect(fixture.depend("x", on: "y") == nil)
    #expect(fixture.said() == [])
    #expect(fixture.graph.jobCount == 0)
  }

  @Test("If a job finishes early, the job that it waited for is stopped")
  mutating func finishingEarly() {
    fixture.join("a", to: "x")
    fixture.depend("x", on: "y")
    _ = fixture.said()
    fixture.finish("x")
    #expect(fixture.said() == ["complete a with x", "stop y"])
    #expect(fixture.graph.subscriptionCount == 0)
  }

  @Test("A job has the highest priority of its subscribers, and passes it on")
  mutating func priorities() {
    fixture.join("a", to: "x", priority: .low)
    fixture.depend("x", on: "y")
    _ = fixture.said()
    let b = fixture.join("b", to: "x", priority: .high).token
    #expect(fixture.said() == ["prioritize x high", "prioritize y high"])
    fixture.setPriority(.veryHigh, of: b)
    #expect(fixture.said() == ["prioritize x veryHigh", "prioritize y veryHigh"])
    #expect(fixture.leave(b) == true)
    #expect(fixture.said() == ["prioritize x low", "prioritize y low"])
  }

  @Test("A priority that changes nothing has no effect")
  mutating func samePriority() {
    let a = fixture.join("a", to: "x", priority: .high).token
    let b = fixture.join("b", to: "x", priority: .low).token
    _ = fixture.said()
    fixture.setPriority(.high, of: a)
    fixture.setPriority(.normal, of: b)
    #expect(fixture.said() == [])
    fixture.finish("x")
    _ = fixture.said()
    fixture.setPriority(.veryHigh, of: a)
    #expect(fixture.said() == [])
  }

  @Test("Stopping everything returns the subscribers")
  mutating func removingAll() {
    let a = fixture.join("a", to: "x").token
    fixture.depend("x", on: "y")
    fixture.join("b", to: "z")
    let x = fixture.jobs["x"]!
    _ = fixture.said()
    #expect(Set(fixture.removeAll()) == ["a", "b"])
    #expect(Set(fixture.said()) == ["stop x", "stop y", "stop z"])
    #expect(fixture.graph.jobCount == 0)
    #expect(fixture.graph.subscriptionCount == 0)
    #expect(fixture.leave(a) == false)
    #expect(fixture.graph.isAlive(x.id) == false)
    #expect(fixture.join("c", to: "x").joined == false)
    #expect(fixture.graph.isAlive(x.id) == false, "an old place names nothing new")
  }

  @Test("The clients of a job include those of the jobs in between")
  mutating func clients() {
    fixture.join("a", to: "x")
    fixture.depend("x", on: "z")
    fixture.join("b", to: "y")
    fixture.depend("y", on: "z")
    fixture.join("c", to: "z")
    fixture.join("d", to: "other")
    var names: [String] = []
    fixture.graph.forEachClient(of: fixture.jobs["z"]!.id) { names.append($0.name) }
    #expect(names.sorted() == ["a", "b", "c"])
  }
}
