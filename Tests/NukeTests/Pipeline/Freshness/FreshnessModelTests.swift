import Foundation
import FoundationNetworking
import Nuke
import NukeHTTPCaching
import NukeTestSupport
import NukeTesting
import Testing

@Suite("Freshness under random events", .timeLimit(.minutes(10)))
struct FreshnessModelTests {
  /// `NUKE_SCHEDULES=100000` makes it the proof that is run before a release.
  private static let count =
    ProcessInfo.processInfo.environment["NUKE_SCHEDULES"].flatMap { UInt64($0) }.map { max($0 / 10, 100) } ?? 100

  @Test("Every load matches the model", arguments: FreshnessWalk.Caches.allCases)
  func walks(caches: FreshnessWalk.Caches) async throws {
    var counts: [String: Int] = [:]
    for seed in 1...Self.count {
      var walk = try FreshnessWalk(caches, seed: seed)
      await walk.run(events: 20)
      counts.merge(walk.counts) { $0 + $1 }
      if let problem = walk.problem {
        Issue.record("seed \(seed), \(caches):\n\(walk.events.joined(separator: "\n"))\n\(problem)")
        return
      }
    }
    for decision in Self.decisions(caches) {
      #expect(counts[decision] != nil, "no load led to \"\(decision)\"; others: \(counts)")
    }
  }

  /// The decisions that the loads must lead to, so that the model proves something.
  private static func decisions(_ caches: FreshnessWalk.Caches) -> [String] {
    let uses = ["it is", "fresh", "stale: nothing may be loaded", "stale: the request accepts it"].map {
      "used as \($0)"
    }
    let afterFailures = ["fresh", "stale: the server answered with an error", "stale: the server cannot be reached"]
    func places(_ names: String...) -> [String] {
      names.flatMap { name in (["unknown"] + uses).map { "\(name): \($0)" } + ["shown: \(name)"] }
    }
    func failures(of name: String) -> [String] { afterFailures.map { "\(name): failure, \($0)" } }
    let all =
      places("memory") + ["validation: 200", "validation: 304", "validation: 304 with no-store", "no-store", "fetch"]
      + ["failure: missing", "failure: unreachable"] + [403, 404, 410, 500, 503].map { "failure: status(\($0))" }
    let disk = places("disk", "original") + ["validation: by the other process"]
    let http =
      ["304", "fresh", "accepted", "stale, validated in the background"].map { "HTTP cache: \($0)" }
      + failures(of: "HTTP cache") + ["shown: HTTP cache"]
    switch caches {
    case .disk: return all + disk + failures(of: "validation")
    case .http: return all + http
    case .both: return all + disk + http
    }
  }
}

/// A server, two processes and their caches, and the model, given the same events.
struct FreshnessWalk {
  enum Caches: CaseIterable { case disk, http, both }

  private struct Process {
    let memory: FakeImageCache?
    let disk: DataCache?
    let http: HTTPCache?
    let pipeline: ImagePipeline
  }

  private let folder = DiskFolder()
  private let origin = FreshnessModelOrigin()
  private let policy: ImagePipeline.FreshnessPolicy
  private let clock = CacheClock(seconds: FreshnessModelOrigin.start)
  private var random: SeededGenerator
  private var model: FreshnessModel
  private var processes: [Process] = []

  private(set) var events: [String] = []
  private(set) var problem: String?
  var counts: [String: Int] { model.counts }

  init(_ caches: Caches, seed: UInt64) throws {
    random = SeededGenerator(seed: seed &* 0x9E37_79B9)
    let setup = FreshnessModel.Setup(
      hasMemory: Int.random(in: 0..<3, using: &random) > 0, hasDisk: caches != .http, hasHTTPCache: caches != .disk,
      storing: [.automatic, .storeOriginalData, .storeEncodedImages, .storeAll].randomElement(using: &random)!)
    model = FreshnessModel(setup)
    policy = ImagePipeline.FreshnessPolicy.allCases.randomElement(using: &random)!
    events.append("\(setup), \(policy)")
    for _ in 0..<2 { processes.append(try process()) }
    changeFields()
  }

  private func process() throws -> Process {
    let memory = model.setup.hasMemory ? FakeImageCache() : nil
    let disk = model.setup.hasDisk ? try folder.cache() : nil
    let http = model.setup.hasHTTPCache ? try folder.httpCache(clock) : nil
    // Loads follow each other. The lease of one that has just ended would prevent a validation in the background.
    http?.leaseTimeout = 0
    let pipeline = ImagePipeline.fake(loader: FreshnessModelLoader(origin, http), imageCache: memory) {
      $0.dataCache = disk
      $0.freshnessPolicy = policy
      $0.dataCachePolicy = model.setup.storing
      $0.now = clock.now
      $0.imageProcessingQueue = origin.queue
      $0.makeImageEncoder = { _ in ImageEncoders.ImageIO(type: .png) }
    }
    return Process(memory: memory, disk: disk, http: http, pipeline: pipeline)
  }

  // MARK: Events

  mutating func run(events count: Int) async {
    for _ in 0..<count {
      pass(1)
      do { try await step() } catch { problem = "\(error)" }
      if problem != nil { return }
    }
    compareDisk()
  }

  private mutating func step() async throws {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<58: await load()
    case 58..<64: pass([9, 29, 58, 60, 60, 119, 119, 1000].randomElement(using: &random)!)
    case 64..<73:
      // Each event takes a second.
      guard let seconds = model.secondsToChanges.randomElement(using: &random) else { return }
      pass(seconds - Int.random(in: 1...2, using: &random))
    case 73..<78: change("version \(model.server.version + 1)") { $0.version += 1 }
    case 78..<85: changeFields()
    case 85..<95: changeState()
    case 95..<97:
      let number = Int.random(in: 0..<2, using: &random)
      events.append("clear the memory of \(number)")
      processes[number].memory?.removeAll()
      model.clearMemory(of: number)
    case 97..<98:
      let number = Int.random(in: 0..<2, using: &random)
      events.append("replace process \(number)")
      flush()
      processes[number] = try process()
      model.replace(number)
    case 98:
      events.append("clear the caches of process 0")
      flush()
      processes[0].pipeline.cache.removeAll()
      flush()
      model.clearMemory(of: 0)
      model.clearDisk()
    default:
      events.append("clear the HTTP cache")
      flush()
      processes[0].http?.removeAllCachedResponses()
      model.clearHTTPCache()
    }
  }

  /// Writes to the disk what the caches have not written, for all of them or all but that of one process.
  private func flush(exceptFor number: Int? = nil) {
    for other in processes.indices where other != number {
      processes[other].disk?.flush()
      processes[other].http?.flush()
    }
  }

  private mutating func pass(_ seconds: Int) {
    if seconds > 1 { events.append("\(seconds) seconds pass") }
    clock.pass(seconds: Double(seconds))
    model.server.now += seconds
  }

  private mutating func change(_ text: String, _ body: (inout FreshnessModel.Server) -> Void) {
    events.append("server: \(text)")
    body(&model.server)
    origin.set(model.server)
  }

  private mutating func changeFields() {
    func any(_ values: Int?...) -> Int? { values.randomElement(using: &random)! }
    func sometimes() -> Bool { Int.random(in: 0..<6, using: &random) == 0 }
    func rarely() -> Bool { Int.random(in: 0..<10, using: &random) == 0 }
    let control = FreshnessModel.Control(
      maxAge: any(nil, 0, 30, 30, 60, 60, 60, 60), staleWhileRevalidate: any(nil, nil, 60, 1000),
      staleIfError: any(nil, 1000, 1000, 100_000), mustRevalidate: sometimes(), noCache: rarely(), noStore: rarely(),
      // An HTTP cache would answer validations for the server.
      immutable: model.setup.hasHTTPCache ? false : rarely())
    let validator = rarely() ? FreshnessModel.Server.Validator.none : rarely() ? .date : .tag
    change("\(FreshnessModelOrigin.text(control)), validator \(validator)") {
      $0.control = control
      $0.validator = validator
    }
  }

  private mutating func changeState() {
    let failures: [FreshnessModel.Server.State] = [
      .unreachable, .unreachable, .unreachable, .refusing(500), .refusing(500), .refusing(503), .refusing(503),
      .refusing(503), .refusing(404), .refusing(410), .refusing(403),
    ]
    let state = model.server.state == .working ? failures.randomElement(using: &random)! : .working
    change("\(state)") { $0.state = state }
  }

  // MARK: Loading

  private mutating func load() async {
    var request = FreshnessModel.Request()
    request.process = Int.random(in: 0..<3, using: &random) == 0 ? 1 : 0
    request.isData = Int.random(in: 0..<6, using: &random) == 0
    if !request.isData {
      request.steps = [[], ["/a"], ["/a"], ["/b"], ["/a", "/b"], ["/a", "/b"]].randomElement(using: &random)!
    }
    request.policy = [
      .ignore, .revalidate, .revalidate, .respect, .respect, .respect, .respect, .respect, .respect, .respect,
    ].randomElement(using: &random)!
    let options: [FreshnessModel.Request.Option] = [.staleWhileRevalidate, .staleWhileRevalidate, .offline, .reload]
    if Int.random(in: 0..<3, using: &random) == 0 { request.option = options.randomElement(using: &random)! }
    request.maxStale = [nil, nil, nil, nil, nil, nil, 10, .max].randomElement(using: &random)!
    var trial = model
    let expected = trial.load(request)
    if let leftOut = trial.leftOut {
      events.append("(left out: \(leftOut))")
      return model.leaveOut(leftOut)
    }
    model = trial
    events.append("load \(request)")
    flush(exceptFor: request.process)
    var seen = await perform(request, on: processes[request.process])
    if expected.work == nil { seen.work = nil }
    // An image may arrive before the call returns although it does not have to.
    if !expected.isImmediate { seen.isImmediate = false }
    if seen != expected { problem = "seen:     \(seen)\nexpected: \(expected)" }
  }

  private mutating func compareDisk() {
    guard let cache = processes[0].disk else { return }
    flush()
    for steps in [[], ["/a"], ["/b"], ["/a", "/b"]] {
      let seen = cache.cachedData(for: FreshnessModelOrigin.url.absoluteString + steps.joined()).map(
        FreshnessModelOrigin.version)
      let expected = model.versionsOnDisk[steps]
      if seen != expected {
        problem =
          "\(steps) on disk: \(seen.map(String.init) ?? "nothing"), not \(expected.map(String.init) ?? "nothing")"
      }
    }
  }

  private mutating func perform(_ request: FreshnessModel.Request, on process: Process) async -> FreshnessModel.Outcome
  {
    let processors = request.steps.map { FakeProcessor($0) }
    var imageRequest = ImageRequest(url: FreshnessModelOrigin.url, processors: processors)
    if request.policy != policy || Bool.random(using: &random) { imageRequest.freshnessPolicy = request.policy }
    imageRequest.maxStale = request.maxStale.map { $0 == .max ? .infinity : TimeInterval($0) }
    switch request.option {
    case .none: break
    case .staleWhileRevalidate: imageRequest.options = .staleWhileRevalidate
    case .offline where Bool.random(using: &random): process.pipeline.isOffline = true
    case .offline: imageRequest.options = .returnCacheDataDontLoad
    case .reload: imageRequest.options = .reloadIgnoringCachedData
    }
    let decodes = process.pipeline.counters.decodes
    let previews = Lock<[Int]>([])
    let task = process.pipeline.startTask(with: imageRequest, kind: request.isData ? .data : .image) { _, event in
      guard case .preview(let response) = event else { return }
      // Any other preview is wrong.
      let isStale = response.isPreview && response.freshness == .stale(.whileRevalidating)
      previews.withLock { $0.append(isStale ? FreshnessModelOrigin.version(response.image.pixelWidth) : -1) }
    }
    process.pipeline.isOffline = false
    let isImmediate = task.status.result != nil || previews.withLock { !$0.isEmpty }
    let result: Result<FreshnessModel.Outcome.Image, FreshnessModel.Failure>
    do throws(ImagePipeline.Error) {
      let response = try await task.response
      let version =
        request.isData
        ? response.container.data.map { FreshnessModelOrigin.version($0) }
        : FreshnessModelOrigin.version(response.image.pixelWidth)
      if task.facts.freshness != response.freshness {
        problem = "the facts say \(task.facts.freshness.map { "\($0)" } ?? "nothing")"
      }
      result = .success(
        .init(
          version: response.isPreview ? -1 : version ?? -1, freshness: response.freshness,
          cacheType: response.cacheType, origin: task.facts.origin))
    } catch {
      result = .failure(FreshnessModel.Failure(error))
    }
    if process.pipeline.load != (0, 0) { problem = "jobs are left" }
    await origin.answered()
    await process.pipeline.encodingsDone()
    return .init(
      previews: previews.withLock { $0 }, result: result, requests: origin.takeRequests(), isImmediate: isImmediate,
      work: .init(
        decodes: process.pipeline.counters.decodes - decodes, calls: processors.reduce(0) { $0 + $1.count }))
  }
}

extension FreshnessModel.Request: CustomStringConvertible {
  var description: String {
    let what = isData ? "data" : steps.isEmpty ? "original" : steps.joined()
    return "process \(process), \(what), \(policy)" + (option == .none ? "" : ", \(option)")
      + (maxStale.map { $0 == .max ? ", any max-stale" : ", max-stale=\($0)" } ?? "")
  }
}

extension FreshnessModel.Outcome: CustomStringConvertible {
  var description: String {
    let text =
      switch result {
      case .success(let image):
        "\(image.version) \(image.freshness.map { "\($0)" } ?? "nil") cache \(image.cacheType.map { "\($0)" } ?? "nil") "
          + "from \(image.origin.map { "\($0)" } ?? "nil")"
      case .failure(let failure): "\(failure)"
      }
    return "\(isImmediate ? "at once: " : "")previews \(previews), \(text), asked \(requests.map { $0 ?? "all" }), "
      + (work.map { "\($0.decodes) decodes, \($0.calls) calls" } ?? "")
  }
}

extension FreshnessModel.Failure {
  fileprivate init(_ error: ImagePipeline.Error) {
    switch error.dataLoadingError {
    case .some(DataLoader.Error.statusCodeUnacceptable(let status)): self = .status(status)
    case .some: self = .unreachable
    case nil: self = .missing
    }
  }
}
