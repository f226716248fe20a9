import Foundation
import Nuke
import NukeTesting
import Testing

@Suite("The first of several images that can be had", .timeLimit(.minutes(1)))
struct FirstAvailableTests {
  private let pictures = Qualities(count: 3)

  private var requested: [URL?] { pictures.loader.requests.map(\.url) }

  @Test("is the first one where that can be had, and no other is asked for")
  func first() async throws {
    pictures.openAll()
    let response = try await pictures.pipeline.response(forFirstAvailableOf: pictures.requests)
    #expect(response.image.pixelWidth == 1)
    #expect(requested == [pictures.requests[0].url])
  }

  @Test("is the next where one fails, whatever the reason")
  func next() async throws {
    pictures.openAll()
    pictures.answer(1, with: .failure(Refusal()))
    pictures.answer(2, with: .data(Data("no picture".utf8)))
    let response = try await pictures.pipeline.response(forFirstAvailableOf: pictures.requests)
    #expect(response.image.pixelWidth == 3)
    #expect(response.request.url == pictures.requests[2].url)
    #expect(requested == pictures.requests.map(\.url))
  }

  @Test("is missing with the last error where all fail")
  func failing() async {
    for number in 1...3 { pictures.answer(number, with: .failure(Refusal(number: number))) }
    let error = await failure(of: { () async throws(ImagePipeline.Error) in
      try await pictures.pipeline.response(forFirstAvailableOf: pictures.requests)
    })
    #expect(error?.dataLoadingError as? Refusal == Refusal(number: 3))
  }

  @Test("is missing where nothing is asked for")
  func none() async {
    let error = await failure(of: { () async throws(ImagePipeline.Error) in
      try await pictures.pipeline.response(forFirstAvailableOf: [])
    })
    guard case .imageRequestMissing? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("is not looked for any further by a task that is canceled")
  func cancelling() async {
    let task = Task {
      await failure(of: { () async throws(ImagePipeline.Error) in
        try await pictures.pipeline.response(forFirstAvailableOf: pictures.requests)
      })
    }
    await pictures.loader.requests(count: 1)
    task.cancel()
    guard case .cancelled? = await task.value else {
      Issue.record("it should say that it was cancelled")
      return
    }
    #expect(requested == [pictures.requests[0].url])
  }
}
