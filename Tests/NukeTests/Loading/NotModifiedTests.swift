import Foundation
import FoundationNetworking
import Nuke
import NukeTesting
import Testing

@Suite("A program's own condition", .timeLimit(.minutes(1)))
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

  @Test("that is answered by 304 fails with what the server said beside that")
  func notModified() async {
    answer(304)
    let error = await #expect(throws: ImagePipeline.Error.self) {
      try await ImagePipeline.fake(loader: loader).data(for: conditional)
    }
    let answer = error?.dataLoadingError as? NotModified
    #expect(answer?.head.status == 304)
    #expect(answer?.head.value(forField: "Cache-Control") == "max-age=7")
  }

  @Test("that is answered by nothing at all finds an empty source")
  func empty() async {
    answer(200)
    let error = await #expect(throws: ImagePipeline.Error.self) {
      try await ImagePipeline.fake(loader: loader).data(for: conditional)
    }
    guard case .dataIsEmpty? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }
}
