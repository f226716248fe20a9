import Foundation
import NukeBase
import NukeImaging
import NukeServing
import NukeTesting
import Testing

@testable import NukeSandbox

@Suite("Requests that wait for a worker", .timeLimit(.minutes(1)))
struct SandboxPoolTests {
  @Test("A worker that has left a drawing to the one that has it open is woken for the next request")
  func leftToOpener() async throws {
    // Longer than the test may take: a slot that is not woken gets nothing.
    let pool = SandboxPool(SandboxConfiguration(), WorkerSettings(), pixels: nil, checkInterval: 600) { _ in }
    let opener = WakeEvent()
    let other = WakeEvent()
    let drawing = try #require(SealedFile(Data("drawing".utf8)))
    let photo = try #require(SealedFile(Data("photo".utf8)))
    let opening = job(of: drawing, isSlowToOpen: true)
    let drawn = job(of: drawing, isSlowToOpen: true)
    let shown = job(of: photo)

    async let first = pool.reply(to: opening)
    try await waitUntil { pool.statistics.waiting == 1 }
    #expect(next(pool.nextJob(for: opener, idleChecks: 0)) === opening)
    pool.end(opening, .success(.plan(decodedBytes: 1)))
    _ = try await first
    // The opener is about to look for its next job.
    async let second = pool.reply(to: drawn)
    try await waitUntil { pool.statistics.waiting == 1 }
    async let third = pool.reply(to: shown)
    try await waitUntil { pool.statistics.waiting == 2 }

    pool.state.withLock { $0.wakeEvents = [other] }
    async let later = withCheckedContinuation { continuation in
      _ = BackgroundThread.start { [self] in
        continuation.resume(returning: next(pool.nextJob(for: other, idleChecks: 0)))
        pool.slotEnded(other)
      }
    }
    defer {
      // If nothing wakes the slot, this ends everything that waits.
      for job in [drawn, shown] { pool.end(job, .success(.plan(decodedBytes: 2))) }
      pool.shutdown()
    }
    try await waitUntil { pool.state.withLock { $0.idle[ObjectIdentifier(other)] == true } }
    #expect(next(pool.nextJob(for: opener, idleChecks: 0)) === drawn)
    try await waitUntil { pool.state.withLock { _ in if case .running = shown.phase { true } else { false } } }
    #expect(await later === shown)
    for job in [drawn, shown] { pool.end(job, .success(.plan(decodedBytes: 2))) }
    _ = try await (second, third)
  }

  private func job(of file: SealedFile, isSlowToOpen: Bool = false) -> RenderJob {
    let request = RenditionRequest(source: SandboxFixture.source)
    let plan = WorkerRequest(.plan, request, sourceCount: file.byteCount)
    return RenderJob(plan, file, fileLimit: 0, isSlowToOpen: isSlowToOpen)
  }

  private func next(_ next: SandboxPool.Next) -> RenderJob? {
    if case .job(let job) = next { job } else { nil }
  }
}
