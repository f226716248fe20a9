import Foundation
import FoundationNetworking
import NukeLegacy
import NukeTesting
import Testing

@Suite("A data loader of version 4", .timeLimit(.minutes(1)))
struct DataLoaderTests {
  private let request = URLRequest(url: imageURL("a"))
  private let today = FakeDataLoader()

  private func load(_ answer: FakeDataLoader.Answer, token: CancellationToken? = nil) -> Promise<(Data, URLResponse)> {
    today.answer(imageURL("a"), with: answer)
    return NukeLegacy.DataLoader(today).loadData(with: request, token: token)
  }

  @Test("It returns the whole body with its response")
  func body() async throws {
    let body = Data((0..<100).map { UInt8($0) })
    let (data, response) = try await load(.data(body, chunkSize: 7)).value
    #expect(data == body)
    #expect((response as? HTTPURLResponse)?.statusCode == 200)
  }

  @Test("It fails with the error of the loader, or if there is no data")
  func failing() async {
    #expect(await failure(of: load(.failure(Failure(number: 1), after: [Data([1])]))) as? Failure == Failure(number: 1))
    guard case .dataIsEmpty? = await failure(of: load(.data(Data()))) as? ImagePipeline.Error else {
      Issue.record("no bytes are no body")
      return
    }
  }

  @Test("It cancels the transfer when its token is canceled")
  func cancelling() async {
    let source = CancellationTokenSource()
    let promise = load(.data(Data([1])).held(by: Gate()), token: source.token)
    source.cancel()
    #expect(isCancelled(await failure(of: promise)))
    await today.cancelledRequests(count: 1)
    #expect(isCancelled(await failure(of: load(.data(Data([1])), token: source.token))))
    #expect(today.requests.count == 1)
  }

  @Test("It uses the current data loader by default")
  func real() async throws {
    let url = URL(string: "data:text/plain,abc")!
    let (data, _) = try await NukeLegacy.DataLoader().loadData(with: URLRequest(url: url), token: nil).value
    #expect(String(decoding: data, as: UTF8.self) == "abc")
  }
}
