import Foundation
import Nuke
import NukeTesting
import Testing

@Suite("Several images at once", .timeLimit(.minutes(1)))
struct TogetherTests {
  private let images = Qualities(count: 3)

  private func loading() -> Task<Result<[Int], ImagePipeline.Error>, Never> {
    Task {
      do throws(ImagePipeline.Error) {
        return .success(try await images.pipeline.responses(forAllOf: images.requests).map(\.image.pixelWidth))
      } catch {
        return .failure(error)
      }
    }
  }

  @Test("All images are loaded concurrently and returned in the order of the requests")
  func order() async throws {
    let task = loading()
    await images.loader.requests(count: 3)
    for gate in images.gates.reversed() { gate.open() }
    #expect(try await task.value.get() == [1, 2, 3])
  }

  @Test("The first failure cancels the others")
  func failing() async {
    images.answer(2, with: .failure(Refusal(number: 2)).held(by: images.gates[1]))
    let task = loading()
    await images.loader.requests(count: 3)
    images.gates[1].open()
    #expect(await task.value.error?.dataLoadingError as? Refusal == Refusal(number: 2))
    let cancelled = await images.loader.cancelledRequests(count: 2)
    #expect(Set(cancelled.map(\.url)) == [images.requests[0].url, images.requests[2].url])
  }

  @Test("Canceling the task cancels all")
  func cancelling() async throws {
    let task = loading()
    await images.loader.requests(count: 3)
    task.cancel()
    guard case .failure(.cancelled) = await task.value else { throw Unexpected(await task.value) }
    await images.loader.cancelledRequests(count: 3)
  }

  @Test("Without requests, there are no images")
  func none() async throws {
    #expect(try await images.pipeline.responses(forAllOf: []).isEmpty)
    #expect(await images.pipeline.results(forAllOf: []).isEmpty)
  }

  @Test("results returns each image or error")
  func partial() async {
    images.answer(2, with: .failure(Refusal(number: 2)))
    let task = Task { await images.pipeline.results(forAllOf: images.requests) }
    await images.loader.requests(count: 3)
    for gate in images.gates.reversed() { gate.open() }
    let results = await task.value
    #expect(results.map { (try? $0.get())?.image.pixelWidth } == [1, nil, 3])
    #expect(results[1].error?.dataLoadingError as? Refusal == Refusal(number: 2))
  }

  @Test("Canceling the task that awaits results cancels all")
  func cancellingPartial() async {
    let task = Task { await images.pipeline.results(forAllOf: images.requests) }
    await images.loader.requests(count: 3)
    task.cancel()
    let results = await task.value
    #expect(results.allSatisfy { if case .failure(.cancelled) = $0 { true } else { false } })
    await images.loader.cancelledRequests(count: 3)
  }
}
