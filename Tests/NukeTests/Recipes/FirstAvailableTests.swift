import Foundation
import Nuke
import NukeTesting
import Testing

@Suite("The first available image", .timeLimit(.minutes(1)))
struct FirstAvailableTests {
  private let images = Qualities(count: 3)

  private var requested: [URL?] { images.loader.requests.map(\.url) }

  @Test("The first image is returned if it can be loaded, and no other is requested")
  func first() async throws {
    images.openAll()
    let response = try await images.pipeline.response(forFirstAvailableOf: images.requests)
    #expect(response.image.pixelWidth == 1)
    #expect(requested == [images.requests[0].url])
  }

  @Test("If one fails, for any reason, the next is requested")
  func next() async throws {
    images.openAll()
    images.answer(1, with: .failure(Refusal()))
    images.answer(2, with: .data(Data("not an image".utf8)))
    let response = try await images.pipeline.response(forFirstAvailableOf: images.requests)
    #expect(response.image.pixelWidth == 3)
    #expect(response.request.url == images.requests[2].url)
    #expect(requested == images.requests.map(\.url))
  }

  @Test("If all fail, the last error is thrown")
  func failing() async {
    for number in 1...3 { images.answer(number, with: .failure(Refusal(number: number))) }
    let error = await loadFailure(try await images.pipeline.response(forFirstAvailableOf: images.requests))
    #expect(error?.dataLoadingError as? Refusal == Refusal(number: 3))
  }

  @Test("Without requests, an error is thrown")
  func none() async throws {
    let error = await loadFailure(try await images.pipeline.response(forFirstAvailableOf: []))
    guard case .imageRequestMissing? = error else { throw Unexpected(error) }
  }

  @Test("A canceled task requests no further image")
  func cancelling() async throws {
    let task = Task { () async -> ImagePipeline.Error? in
      await loadFailure(try await images.pipeline.response(forFirstAvailableOf: images.requests))
    }
    await images.loader.requests(count: 1)
    task.cancel()
    guard case .cancelled? = await task.value else { throw Unexpected(await task.value) }
    #expect(requested == [images.requests[0].url])
  }
}
