import Foundation
import NukeBase
import NukeServing
import NukeTesting
import Testing

@testable import NukeSandbox

extension SandboxTests {
  @Suite("Invalid replies of a worker")
  struct Lies {
    @Test(
      "Invalid bytes end the worker, and the next image is correct",
      arguments: ["garbage", "other", "plan", "huge", "broken", "page"])
    func lies(attempt: String) async throws {
      let fixture = try SandboxFixture()
      let error = await #expect(throws: ServingError.self) { try await fixture.attempt(attempt) }
      #expect(error?.name == "notAnImage")
      #expect(try await fixture.file(SampleImage.png(width: 8, height: 8)).contentType == "image/png")
      #expect(fixture.sandbox.statistics.crashes == 1)
      #expect(fixture.sandbox.statistics.starts == 2)
    }

    @Test("An incomplete reply fails after the time limit")
    func short() async throws {
      let fixture = try SandboxFixture { $0.timeLimit = 0.2 }
      await #expect(throws: ServingError.deadlineExceeded) { try await fixture.attempt("short") }
      #expect(fixture.sandbox.statistics.overruns == 1)
    }

    @Test(
      "A reply that does not match the request is rejected: text for an image, or SVG with scripts",
      arguments: ["text", "drawing"])
    func unasked(attempt: String) async throws {
      let fixture = try SandboxFixture()
      let error = await #expect(throws: ServingError.self) { try await fixture.attempt(attempt) }
      #expect(error?.name == "notAnImage")
    }

    @Test("No reported stage takes longer than the whole request, whatever a worker reports")
    func times() async throws {
      let fixture = try SandboxFixture()
      let told = Lock<[Double]>([])
      let stages = RenderStages { _, seconds, _ in told.withLock { $0.append(seconds) } }
      let start = ContinuousClock.now
      let word = try await RenderStages.$current.withValue(stages) { try await fixture.attempt("years") }
      let whole = (ContinuousClock.now - start) / .seconds(1)
      #expect(word == "done")
      #expect(told.withLock { $0 }.count == 1)
      #expect(told.withLock { $0 }.allSatisfy { 0 < $0 && $0 <= whole })
    }

    @Test("A second reply is discarded, and its worker is not used again")
    func twice() async throws {
      let fixture = try SandboxFixture()
      #expect(try await fixture.attempt("twice") == "first")
      #expect(try await fixture.attempt("read /") != "second")
      #expect(fixture.sandbox.statistics.crashes == 1)
    }

    @Test("A late second reply does not affect the next image, which another worker renders")
    func late() async throws {
      let fixture = try SandboxFixture()
      #expect(try await fixture.attempt("late") == "first")
      #expect(try await fixture.file(SampleImage.png(width: 8, height: 8)).contentType == "image/png")
      #expect(fixture.sandbox.statistics.crashes == 1)
    }

    @Test("A request fails if each worker replies to the wrong request")
    func stale() async throws {
      let fixture = try SandboxFixture()
      let error = await #expect(throws: ServingError.self) { try await fixture.attempt("stale") }
      #expect(error?.name == "notAnImage")
      #expect(fixture.sandbox.statistics.crashes == 2)
    }
  }
}
