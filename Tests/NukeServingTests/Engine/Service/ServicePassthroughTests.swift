import Foundation
import FoundationNetworking
import Nuke
import NukeTesting
import Testing

@testable import NukeServing

@Suite("A service: fields of clients", .timeLimit(.minutes(1)))
struct ServicePassthroughTests {
  private static func request(_ user: String?, width: Int = 100) -> RenditionRequest {
    var request = ServiceFixture.request(width: width)
    if let user { request.sourceFields = ["authorization": user] }
    return request
  }

  /// Returns the name of the user as the image.
  private static func loader(_ gate: Gate? = nil, failing denied: String? = nil) -> FakeDataLoader {
    FakeDataLoader { request in
      let user = request.value(forHTTPHeaderField: "Authorization") ?? "nobody"
      if user == denied { return .failure(DataLoader.Error.statusCodeUnacceptable(404)) }
      let answer = FakeDataLoader.Answer.source(user, ["Cache-Control": "max-age=600"])
      return gate.map { answer.held(by: $0) } ?? answer
    }
  }

  @Test("Each client gets what the source has sent for its fields, at the same time, from memory and from stores")
  func separate() async throws {
    let store = FakeDataCache()
    let gate = Gate()
    let users = ["a", "b", nil]
    let first = ServiceFixture(loader: Self.loader(gate), stores: [store])
    let tasks = users.map { first.start(Self.request($0)) }
    await first.loader.requests(count: 3)
    gate.open()
    for (task, user) in zip(tasks, users) {
      let made = try await task.value.get()
      #expect(made.origin == .made && made.text.hasSuffix("of \(user ?? "nobody")"))
    }
    let requests = first.loader.requests.map { $0.value(forHTTPHeaderField: "Authorization") }
    #expect(Set(requests) == ["a", "b", nil])
    for user in users {
      let found = try await first.result(Self.request(user)).get()
      #expect(found.origin == .memory && found.text.hasSuffix("of \(user ?? "nobody")"))
    }
    await first.settled()
    let second = ServiceFixture(loader: Self.loader(), stores: [store])
    for user in users {
      let found = try await second.result(Self.request(user)).get()
      #expect(found.origin == .store && found.text.hasSuffix("of \(user ?? "nobody")"))
    }
    #expect(try await second.result(Self.request("c")).get().origin == .made)
  }

  @Test("A failure for one client is remembered for this client only")
  func failures() async throws {
    let fixture = ServiceFixture(loader: Self.loader(failing: "a"))
    #expect(await fixture.result(Self.request("a")).error?.name == "sourceNotFound")
    #expect(await fixture.result(Self.request("a", width: 7)).error?.name == "sourceNotFound")
    #expect(fixture.loader.requests.count == 1)
    #expect(try await fixture.result(Self.request("b")).get().text.hasSuffix("of b"))
    #expect(try await fixture.result(Self.request(nil)).get().text.hasSuffix("of nobody"))
  }

  @Test("Under overload, no client gets a smaller image of another one")
  func degraded() async throws {
    let gate = Gate()
    let fixture = ServiceFixture(
      loader: Self.loader(), renderer: FakeRenderer(gate: gate, holds: { $0.options.width == 200 }))
    _ = try await fixture.result(Self.request("a")).get()
    func afterDeadline(_ user: String) async -> Result<Rendition, ServingError> {
      await fixture.advancing(fixture.start(Self.request(user, width: 200)))
    }
    #expect(await afterDeadline("b").error == .deadlineExceeded)
    #expect(try await afterDeadline("a").get().isDegraded)
    gate.open()
    await fixture.settled()
  }
}
