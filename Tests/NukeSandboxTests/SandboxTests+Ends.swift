import Foundation
import Nuke
import NukeCodecs
import NukeServing
import NukeTesting
import Testing

@testable import NukeSandbox

extension SandboxTests {
  @Suite("Workers that end")
  struct Ends {
    private let image = SampleImage.png(width: 16, height: 16)

    @Test("A crash affects only the image that the worker is processing", arguments: ["crash", "end"])
    func crash(attempt: String) async throws {
      let fixture = try SandboxFixture()
      let expected = try await fixture.file(image)
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<20 {
          group.addTask {
            if number == 7 {
              let error = await #expect(throws: ServingError.self) { try await fixture.attempt(attempt) }
              #expect(error?.name == "notAnImage")
            } else {
              let file = try? await fixture.file(image)
              #expect(file == expected)
            }
          }
        }
      }
      #expect(fixture.sandbox.statistics.crashes == 1)
      // The crash may have come last.
      #expect(try await fixture.file(image) == expected)
      #expect(fixture.sandbox.statistics.starts == 2)
    }

    @Test("A worker that is killed while working fails one request, which may be retried")
    func killed() async throws {
      let fixture = try SandboxFixture()
      let expected = try await fixture.file(image)
      let worker = try await fixture.worker()
      let request = RenditionRequest(source: SandboxFixture.source, format: .png)
      let plan = try await fixture.renderer.plan(request, source: Data("attempt:spin".utf8))
      let spinning = Task { await #expect(throws: ServingError.overloaded(retryAfter: 1)) { try await plan.render() } }
      try await SandboxFixture.untilSpinning(worker)
      let others = (0..<10).map { _ in Task { try await fixture.file(image) } }
      kill(worker, SIGKILL)
      _ = await spinning.value
      for other in others { #expect(try await other.value == expected) }
    }

    @Test("Images do not wait for one that takes long: another worker renders them")
    func givingWay() async throws {
      let fixture = try SandboxFixture { $0.turn = 0.01 }
      let hostile = Task { try? await fixture.attempt("spin") }
      try await fixture.untilBusy()
      for _ in 0..<50 { _ = try await fixture.file(image) }
      #expect(fixture.sandbox.statistics.busy == 1, "the hostile image is still being rendered")
      #expect(fixture.sandbox.statistics.workers == 2)
      hostile.cancel()
      _ = await hostile.value
      // The worker beside it ends with it.
      try await waitUntil { fixture.sandbox.statistics.workers == 1 }
      #expect(try await fixture.file(image).contentType == "image/png")
    }

    @Test("A worker is started when a request finds all busy, and ends when it has had nothing to do")
    func demand() async throws {
      let fixture = try SandboxFixture {
        $0.workerCount = 3
        $0.idleTimeout = 0
        // No worker is added because the hostile image takes long.
        $0.turn = 30
      }
      for _ in 0..<20 { _ = try await fixture.file(image) }
      #expect(fixture.sandbox.statistics.starts == 1)
      let hostile = Task { try? await fixture.attempt("spin") }
      try await fixture.untilBusy()
      _ = try await fixture.file(image)
      #expect(fixture.sandbox.statistics.starts == 2)
      hostile.cancel()
      _ = await hostile.value
      try await waitUntil { fixture.sandbox.statistics.workers == 1 }
      #expect(try await fixture.file(image).contentType == "image/png")
    }

    @Test("A source that has ended two workers is refused without a third")
    func fatal() async throws {
      let fixture = try SandboxFixture()
      for _ in 1...4 {
        let error = await #expect(throws: ServingError.self) { try await fixture.attempt("crash") }
        #expect(error?.name == "notAnImage")
      }
      #expect(fixture.sandbox.statistics.crashes == 2)
      #expect(try await fixture.file(image).contentType == "image/png")
      // Another source is another matter.
      await #expect(throws: ServingError.self) { try await fixture.attempt("end") }
      #expect(fixture.sandbox.statistics.crashes == 3)
    }

    @Test("Sources are refused for an hour, counted one by one, and not more than a thousand are remembered")
    func fatalSources() throws {
      let now = Lock(Duration.zero)
      let sources = FatalSources { now.withLock { $0 } }
      let (one, other) = (Data("one".utf8), Data("other".utf8))
      #expect(!sources.note(one) && !sources.note(other))
      try sources.check(one)
      #expect(sources.note(one))
      #expect(throws: FatalSources.refusal) { try sources.check(one) }
      try sources.check(other)
      now.withLock { $0 = .seconds(3601) }
      try sources.check(one)
      #expect(!sources.note(one))
      for number in 0..<2000 { _ = sources.note(Data("\(number)".utf8)) }
      // The oldest was forgotten.
      #expect(!sources.note(one))
    }

    @Test("A source made to have the checksum of another one does not have that one refused")
    func forgedSources() throws {
      let innocent = Data("an image of mine".utf8)
      let forged = try ForgedSource.data(withChecksumOf: innocent, beginningWith: 0x6576696C)
      #expect(forged != innocent && Digest.checksum(of: forged) == Digest.checksum(of: innocent))
      let sources = FatalSources { .zero }
      #expect(!sources.note(forged) && sources.note(forged))
      try sources.check(innocent)
    }

    @Test("A worker may allocate what its image was predicted to need and a fixed amount, not what others may need")
    func memory() async throws {
      let fixture = try SandboxFixture { $0.memoryLimit = 4 << 30 }
      #expect(try await fixture.attempt("allocate 300") == "ENOMEM")
      #expect(try await fixture.attempt("allocate 300 predicted 200") == "done")
      // With the next image, the limit is lower again.
      #expect(try await fixture.attempt("allocate 300") == "ENOMEM")
      let small = try SandboxFixture { $0.memoryLimit = 400 << 20 }
      #expect(try await small.attempt("allocate 900 predicted 1000") == "ENOMEM")
    }

    @Test("A worker that is killed while idle fails no request")
    func killedIdle() async throws {
      let fixture = try SandboxFixture()
      let worker = try await fixture.worker()
      kill(worker, SIGKILL)
      try await SandboxFixture.untilDead(worker)
      #expect(try await fixture.worker() != worker)
    }

    @Test("A worker ignores signals to its process group, and is ended by the server")
    func terminated() async throws {
      let fixture = try SandboxFixture()
      let worker = try await fixture.worker()
      for signal in [SIGTERM, SIGINT, SIGHUP] { kill(worker, signal) }
      #expect(try await fixture.worker() == worker)
    }

    @Test("An image that exceeds the time limit fails, and its worker is ended")
    func late() async throws {
      let fixture = try SandboxFixture { $0.timeLimit = 0.2 }
      let worker = try await fixture.worker()
      await #expect(throws: ServingError.deadlineExceeded) { try await fixture.attempt("spin") }
      #expect(!SandboxFixture.isAlive(worker))
      #expect(try await fixture.file(image).contentType == "image/png")
      #expect(fixture.sandbox.statistics.overruns == 1)
    }

    @Test("A worker whose request was canceled is ended after the grace period")
    func cancelled() async throws {
      let fixture = try SandboxFixture { $0.cancellationGrace = 0.05 }
      let worker = try await fixture.worker()
      let request = RenditionRequest(source: SandboxFixture.source, format: .png)
      let plan = try await fixture.renderer.plan(request, source: Data("attempt:spin".utf8))
      let spinning = Task { await #expect(throws: ServingError.cancelled) { try await plan.render() } }
      try await fixture.untilBusy()
      spinning.cancel()
      _ = await spinning.value
      #expect(!SandboxFixture.isAlive(worker))
      #expect(fixture.sandbox.statistics.overruns == 1)
    }

    @Test("A canceled request that waits for a worker never reaches it")
    func cancelledWaiting() async throws {
      let fixture = try SandboxFixture { $0.cancellationGrace = 0.05 }
      let request = RenditionRequest(source: SandboxFixture.source, format: .png)
      let plan = try await fixture.renderer.plan(request, source: Data("attempt:spin".utf8))
      let spinning = Task { try? await plan.render() }
      try await fixture.untilBusy()
      let waiting = Task { await #expect(throws: ServingError.cancelled) { try await fixture.attempt("crash") } }
      try await waitUntil { fixture.sandbox.statistics.waiting > 0 }
      waiting.cancel()
      _ = await waiting.value
      spinning.cancel()
      _ = await spinning.value
      #expect(fixture.sandbox.statistics.crashes == 0)
    }

    @Test("A worker is replaced after a number of images")
    func retired() async throws {
      let fixture = try SandboxFixture { $0.imagesPerWorker = 2 }
      var workers: [pid_t] = []
      for _ in 0..<6 { workers.append(try await fixture.worker()) }
      #expect(workers[0] == workers[1] && workers[2] == workers[3] && workers[4] == workers[5])
      #expect(Set(workers).count == 3)
      #expect(fixture.sandbox.statistics.crashes == 0)
    }

    @Test("All workers end with the sandbox, and no more orders are accepted")
    func shutdown() async throws {
      let fixture = try SandboxFixture()
      let worker = try await fixture.worker()
      fixture.sandbox.shutdown()
      #expect(!SandboxFixture.isAlive(worker))
      await #expect(throws: ServingError.shuttingDown(retryAfter: 1)) { try await fixture.file(image) }
      #expect(fixture.sandbox.statistics.workers == 0)
    }

    @Test("All workers end if the server is killed")
    func serverKilled() async throws {
      let server = try ServerProcess("wait")
      let worker = try #require(pid_t(server.line()))
      #expect(SandboxFixture.isAlive(worker))
      server.kill()
      try await SandboxFixture.untilDead(worker)
    }

    @Test("A thousand images leak no descriptor in the server and in the worker")
    func descriptors() throws {
      let server = try ServerProcess("count")
      let words = server.line().split(separator: " ")
      let numbers = words.compactMap { Int($0) }
      try #require(numbers.count == 6)
      // One may be on its way at either time; a leak would be of 900 images, or of 18 workers.
      #expect(numbers[1] < numbers[0] + 5)
      #expect(numbers[2...] == [0, 1, 2, 3])
    }

    @Test("A program that does not recognize that it is a worker starts no workers of its own")
    func recursion() throws {
      #expect(try ServerProcess("wait", environment: ["NUKE_RENDER_WORKER": "1"]).line() == "")
    }

    @Test("A program that is not a worker cannot be used for a sandbox", arguments: ["/bin/true", "/nowhere"])
    func noWorker(program: String) {
      #expect {
        try SandboxFixture { $0.program = program }
      } throws: { error in
        if case .cannotStart = error as? SandboxError { true } else { false }
      }
    }
  }
}

/// A `NukeSandboxWorker` that is a server.
private struct ServerProcess {
  private let process = Process()
  private let output = Pipe()

  init(_ word: String, environment: [String: String] = [:]) throws {
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.executableURL = URL(fileURLWithPath: SandboxFixture.program)
    process.arguments = [word]
    process.standardOutput = output
    try process.run()
  }

  /// What it says first.
  func line() -> String {
    var text = ""
    while !text.hasSuffix("\n") {
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { break }
      text += String(decoding: data, as: UTF8.self)
    }
    return text.trimmingCharacters(in: .newlines)
  }

  func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }
}
