import Foundation
import NukeImaging
import NukeServing
import NukeTesting
import Testing

@testable import NukeSandbox

@Suite("Requests that wait for a worker")
struct WorkerCrewTests {
  @Test("A worker that has left a drawing to the one that has it open is woken for the next request")
  func leftToOpener() async throws {
    let crew = WorkerCrew(SandboxConfiguration(), WorkerSettings(), pixels: nil) { _ in }
    let opener = Bell()
    let other = Bell()
    let drawing = try #require(SealedFile(Data("drawing".utf8)))
    let photo = try #require(SealedFile(Data("photo".utf8)))
    let opening = job(of: drawing, isSlowToOpen: true)
    let drawn = job(of: drawing, isSlowToOpen: true)
    let shown = job(of: photo)

    async let first = crew.reply(to: opening)
    try #require(next(crew.nextJob(for: opener)) === opening)
    crew.end(opening, .success(.plan(decodedBytes: 1)))
    _ = try await first
    // The opener is about to look for its next job.
    async let second = crew.reply(to: drawn)
    try await waitUntil { crew.statistics.waiting == 1 }
    async let third = crew.reply(to: shown)
    try await waitUntil { crew.statistics.waiting == 2 }

    // One place too many: one that has waited in vain ends, instead of taking a job late.
    crew.state.withLock { $0.bells = (0...crew.configuration.workerCount).map { _ in Bell() } }
    async let later = withCheckedContinuation { continuation in
      _ = BackgroundThread.start { [self] in continuation.resume(returning: next(crew.nextJob(for: other))) }
    }
    try await waitUntil { crew.state.withLock { $0.idle[ObjectIdentifier(other)] == true } }
    #expect(next(crew.nextJob(for: opener)) === drawn)
    #expect(await later === shown)
    for job in [drawn, shown] { crew.end(job, .success(.plan(decodedBytes: 2))) }
    _ = try await (second, third)
  }

  private func job(of file: SealedFile, isSlowToOpen: Bool = false) -> RenderJob {
    let request = RenditionRequest(source: SandboxFixture.source)
    let order = WorkerOrder(.plan, request, sourceCount: file.byteCount)
    return RenderJob(order, file, fileLimit: 0, isSlowToOpen: isSlowToOpen)
  }

  private func next(_ next: WorkerCrew.Next) -> RenderJob? {
    if case .job(let job) = next { job } else { nil }
  }
}
