import Foundation
import FoundationNetworking
import Nuke
import NukeTesting
import Testing

@testable import NukeServing

@Suite("A service: watermarks by URL", .timeLimit(.minutes(1)))
struct ServiceWatermarkTests {
  private static let watermarkURL = URL(string: "https://images.example/logo.png")!

  private static func request(
    width: Int = 100, _ change: (inout ImageOptions) -> Void = { _ in }
  ) -> RenditionRequest {
    var request = ServiceFixture.request(width: width)
    request.options.watermark = .init(opacity: 1)
    request.options.watermarkSource = watermarkURL.absoluteString
    change(&request.options)
    return request
  }

  private func fixture(
    _ fields: [String: String] = ["Cache-Control": "max-age=600"], stores: [any DataCaching] = [],
    purges: PurgeStore? = nil
  ) -> ServiceFixture {
    let fixture = ServiceFixture(stores: stores, purges: purges)
    fixture.answer("A", ["Cache-Control": "max-age=600"])
    fixture.answer("M", fields, at: Self.watermarkURL)
    return fixture
  }

  private func loads(_ fixture: ServiceFixture) -> Int { fixture.loader.requests.count { $0.url == Self.watermarkURL } }

  @Test("A watermark is loaded like a source, without the fields of the client, and drawn")
  func loaded() async throws {
    let fixture = fixture()
    var request = Self.request()
    request.sourceFields = ["x-user": "1"]
    #expect(try await fixture.result(request).get().text.hasSuffix(" of A with M"))
    let fields = fixture.loader.requests.map { $0.value(forHTTPHeaderField: "X-User") }
    #expect(fields == ["1", nil])
    #expect(try await fixture.result(request).get().origin == .memory)
  }

  @Test("A watermark is not loaded if none is drawn")
  func unused() async throws {
    var facts = Self.request()
    facts.output = .facts
    for request in [Self.request { $0.watermark = nil }, facts] {
      let fixture = fixture()
      #expect(try await fixture.result(request).get().text.hasSuffix(" of A"))
      #expect(loads(fixture) == 0)
    }
  }

  @Test("A fresh watermark is loaded once for many images, and again when it is stale or another version is asked for")
  func kept() async throws {
    let fixture = fixture()
    for width in 1...3 { _ = try await fixture.result(Self.request(width: width)).get() }
    #expect(loads(fixture) == 1)
    _ = try await fixture.result(Self.request(width: 4) { $0.cacheBuster = "2" }).get()
    #expect(loads(fixture) == 2)
    fixture.clock.advance(seconds: 601)
    _ = try await fixture.result(Self.request(width: 5)).get()
    #expect(loads(fixture) == 3)
  }

  @Test("A watermark that was purged is loaded again: on this node at once, and on others after ten seconds")
  func purged() async throws {
    let purges = PurgeStore(FakeDataCache())
    let (one, other) = (fixture(purges: purges), fixture(purges: purges))
    for node in [one, other] { _ = try await node.result(Self.request(width: 1)).get() }
    try await one.service.purge(Self.watermarkURL)
    for node in [one, other] { _ = try await node.result(Self.request(width: 2)).get() }
    #expect(loads(one) == 2 && loads(other) == 1)
    other.clock.advance(seconds: 10)
    for node in [one, other] { _ = try await node.result(Self.request(width: 3)).get() }
    #expect(loads(one) == 2 && loads(other) == 2)
  }

  @Test("A watermark whose load began before a purge is not kept")
  func purgedWhileLoading() async throws {
    let gate = Gate()
    let fixture = fixture()
    let fields = ["Cache-Control": "max-age=600"]
    fixture.loader.answer(
      Self.watermarkURL, with: .source("M", fields, at: Self.watermarkURL).held(by: gate),
      .source("N", fields, at: Self.watermarkURL))
    let early = fixture.start(Self.request(width: 1))
    await fixture.loader.requests(count: 2)
    try await fixture.service.purge(Self.watermarkURL)
    gate.open()
    #expect(try await early.value.get().text.hasSuffix(" with M"))
    for width in 2...3 {
      #expect(try await fixture.result(Self.request(width: width)).get().text.hasSuffix(" with N"))
    }
    #expect(loads(fixture) == 2)
    let last = fixture.loader.requests.last { $0.url == Self.watermarkURL }
    #expect(last?.cachePolicy == .reloadIgnoringLocalCacheData)
  }

  @Test("A watermark that caches must not share is not shared, nor is the image", arguments: ["private", "no-store"])
  func unshared(control: String) async throws {
    let store = FakeDataCache()
    let fixture = fixture(["Cache-Control": control], stores: [store])
    let made = try await fixture.result(Self.request()).get()
    #expect(made.cacheability == (control == "private" ? .private : .none))
    #expect(try await fixture.result(Self.request()).get().origin == .made)
    #expect(loads(fixture) == 2)
  }

  @Test("A watermark that does not exist is an error that names it, and is remembered")
  func missing() async throws {
    let fixture = ServiceFixture()
    fixture.answer("A")
    fixture.loader.answer(Self.watermarkURL, with: .failure(DataLoader.Error.statusCodeUnacceptable(404)))
    for width in 1...2 {
      let error = await fixture.result(Self.request(width: width)).error
      #expect(error?.name == "sourceNotFound" && error?.description.contains("Watermark: ") == true)
    }
    #expect(loads(fixture) == 1)
    // The source itself is not affected.
    #expect(try await fixture.result(ServiceFixture.request()).get().text.hasSuffix(" of A"))
  }
}
