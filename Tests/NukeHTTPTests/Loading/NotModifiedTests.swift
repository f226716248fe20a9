import Foundation
import FoundationNetworking
import Nuke
import NukeTesting
import Testing

@Suite("Conditional requests of a program", .timeLimit(.minutes(1)))
struct NotModifiedTests {
  private let url = imageURL("a.png")
  private let loader = FakeDataLoader()

  private var conditional: ImageRequest {
    var request = URLRequest(url: url)
    request.setValue("\"v1\"", forHTTPHeaderField: "If-None-Match")
    return ImageRequest(urlRequest: request)
  }

  private func answer(_ status: Int) {
    loader.answer(
      url,
      with: FakeDataLoader.Answer(
        [.chunk(Data()), .complete(nil)],
        response: HTTPURLResponse(
          url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: ["Cache-Control": "max-age=7"])))
  }

  @Test("A 304 response is an error with the server's response")
  func notModified() async {
    answer(304)
    let error = await #expect(throws: ImagePipeline.Error.self) {
      try await ImagePipeline.fake(loader: loader).data(for: conditional)
    }
    let answer = error?.dataLoadingError as? NotModified
    #expect(answer?.head.status == 304)
    #expect(answer?.head.value(forField: "Cache-Control") == "max-age=7")
  }

  @Test("A response without a body is an empty source")
  func empty() async throws {
    answer(200)
    let error = await #expect(throws: ImagePipeline.Error.self) {
      try await ImagePipeline.fake(loader: loader).data(for: conditional)
    }
    guard case .dataIsEmpty? = error else { throw Unexpected(error) }
  }
}
