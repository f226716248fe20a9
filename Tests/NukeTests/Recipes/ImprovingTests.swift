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

  @Test("Each quality is delivered from low to high, and all are loaded concurrently")
  func improving() async {
    let images = Qualities(count: 3)
    let responses = images.pipeline.responses(inOrderOfQuality: images.requests)
    await images.loader.requests(count: 3)
    images.gates[0].open()
    let (widths, error) = await read(responses, then: Array(images.gates.dropFirst()))
    #expect(widths == [1, 2, 3])
    #expect(error == nil)
  }

  @Test("A lower quality is not delivered after a higher one, and its load is canceled")
  func late() async {
    let images = Qualities(count: 2)
    let responses = images.pipeline.responses(inOrderOfQuality: images.requests)
    await images.loader.requests(count: 2)
    images.gates[1].open()
    #expect(await read(responses).widths == [2])
    #expect(await images.loader.cancelledRequests(count: 1).map(\.url) == [images.requests[0].url])
  }

  @Test("If the best quality is in memory, nothing is loaded")
  func bestInMemory() async {
    let images = Qualities(count: 2)
    images.keep(2)
    #expect(await read(images.pipeline.responses(inOrderOfQuality: images.requests)).widths == [2])
    #expect(images.loader.requests.isEmpty)
  }

  @Test("Qualities below the one in memory are not loaded")
  func someInMemory() async {
    let images = Qualities(count: 3)
    images.keep(2)
    let responses = images.pipeline.responses(inOrderOfQuality: images.requests)
    #expect(await read(responses, then: [images.gates[2]]).widths == [2, 3])
    #expect(images.loader.requests.map(\.url) == [images.requests[2].url])
  }

  @Test("The error of the best quality is thrown after the others were delivered")
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

  @Test("Qualities that fail are skipped")
  func lesserFails() async {
    let images = Qualities(count: 2)
    images.answer(1, with: .failure(Refusal()))
    images.openAll()
    let (widths, error) = await read(images.pipeline.responses(inOrderOfQuality: images.requests))
    #expect(widths == [2])
    #expect(error == nil)
  }

  @Test("The loads are canceled when the consumer stops")
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

  @Test("A slow consumer receives only the best quality")
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

  @Test("Without requests, there are no elements")
  func none() async {
    let (widths, error) = await read(Qualities(count: 1).pipeline.responses(inOrderOfQuality: []))
    #expect(widths == [])
    #expect(error == nil)
  }
}
