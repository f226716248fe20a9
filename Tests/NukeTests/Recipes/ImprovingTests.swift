import Foundation
import Nuke
import NukeTesting
import Testing

@Suite("One image in several qualities", .timeLimit(.minutes(1)))
struct ImprovingTests {
  /// Widths in the order in which they came, and the error at the end.
  private func read(
    _ responses: AsyncThrowingStream<ImageResponse, any Error>, then open: [Gate] = []
  ) async -> (widths: [Int], error: ImagePipeline.Error?) {
    var widths: [Int] = []
    var gates = open[...]
    do {
      for try await response in responses {
        widths.append(response.image.pixelWidth)
        gates.popFirst()?.open()
      }
      return (widths, nil)
    } catch {
      return (widths, error as? ImagePipeline.Error)
    }
  }

  @Test("comes in each, from the least to the best, all being loaded at the same time")
  func improving() async {
    let images = Qualities(count: 3)
    let responses = images.pipeline.responses(inOrderOfQuality: images.requests)
    await images.loader.requests(count: 3)
    images.gates[0].open()
    let (widths, error) = await read(responses, then: Array(images.gates.dropFirst()))
    #expect(widths == [1, 2, 3])
    #expect(error == nil)
  }

  @Test("does not come in less quality than it had, and what is needless is canceled")
  func late() async {
    let images = Qualities(count: 2)
    let responses = images.pipeline.responses(inOrderOfQuality: images.requests)
    await images.loader.requests(count: 2)
    images.gates[1].open()
    #expect(await read(responses).widths == [2])
    #expect(await images.loader.cancelledRequests(count: 1).map(\.url) == [images.requests[0].url])
  }

  @Test("is loaded in no quality where the best is in memory")
  func bestInMemory() async {
    let images = Qualities(count: 2)
    images.keep(2)
    #expect(await read(images.pipeline.responses(inOrderOfQuality: images.requests)).widths == [2])
    #expect(images.loader.requests.isEmpty)
  }

  @Test("is not loaded in less quality than what is in memory")
  func someInMemory() async {
    let images = Qualities(count: 3)
    images.keep(2)
    let responses = images.pipeline.responses(inOrderOfQuality: images.requests)
    #expect(await read(responses, then: [images.gates[2]]).widths == [2, 3])
    #expect(images.loader.requests.map(\.url) == [images.requests[2].url])
  }

  @Test("ends with the error of the best, after the others have come")
  func bestFails() async {
    let images = Qualities(count: 2)
    images.answer(2, with: .failure(Refusal(number: 2)))
    let responses = images.pipeline.responses(inOrderOfQuality: images.requests)
    await images.loader.requests(count: 2)
    images.gates[0].open()
    let (widths, error) = await read(responses)
    #expect(widths == [1])
    #expect(error?.dataLoadingError as? Refusal == Refusal(number: 2))
  }

  @Test("does without the qualities that cannot be had")
  func lesserFails() async {
    let images = Qualities(count: 2)
    images.answer(1, with: .failure(Refusal()))
    images.openAll()
    let (widths, error) = await read(images.pipeline.responses(inOrderOfQuality: images.requests))
    #expect(widths == [2])
    #expect(error == nil)
  }

  @Test("is given up when nobody reads on")
  func leaving() async throws {
    let images = Qualities(count: 3)
    do {
      let responses = images.pipeline.responses(inOrderOfQuality: images.requests)
      await images.loader.requests(count: 3)
      images.gates[0].open()
      for try await _ in responses { break }
    }
    let cancelled = await images.loader.cancelledRequests(count: 2)
    #expect(Set(cancelled.map(\.url)) == Set(images.requests.dropFirst().map(\.url)))
  }

  @Test("comes to a slow reader in the best quality alone")
  func slowReader() async {
    let images = Qualities(count: 2)
    let responses = images.pipeline.responses(inOrderOfQuality: images.requests)
    images.openAll()
    // Whatever came before it, once the best is in memory the stream gets it next.
    _ = try? await images.pipeline.image(for: images.requests[1])
    let widths = await read(responses).widths
    #expect(widths.last == 2)
    #expect(widths == widths.sorted())
  }

  @Test("is nothing where nothing is asked for")
  func none() async {
    let (widths, error) = await read(Qualities(count: 1).pipeline.responses(inOrderOfQuality: []))
    #expect(widths == [])
    #expect(error == nil)
  }
}
