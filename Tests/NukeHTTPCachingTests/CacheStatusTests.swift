import NukeHTTPCaching
import Testing

@Suite("RFC 9211: Cache-Status") struct CacheStatusTests {
  let policy = CachePolicy()

  @Test("§2.1: A hit states how long the response stays fresh")
  func hit() throws {
    let response = stored(["Cache-Control": "max-age=60, stale-while-revalidate=60", "Date": httpDate()])
    func text(after seconds: Int) throws -> String {
      CacheStatus(try #require(policy.decide(request(), stored: [response], now: noon + seconds).reuse)).text
    }
    #expect(try text(after: 20) == "Nuke; hit; ttl=40")
    #expect(try text(after: 70) == "Nuke; hit; ttl=-10; detail=stale-while-revalidate")
  }

  @Test("§2.2: A forwarded request states the reason, and whether the response was stored")
  func forward() throws {
    func text(_ request: CacheRequest, _ stored: [StoredResponse], _ response: ReceivedResponse) throws -> String {
      let forward = try #require(policy.decide(request, stored: stored, now: noon + 99).forward)
      let reception = policy.receive(response, to: request, sending: forward, stored: stored)
      return CacheStatus(forward, status: response.status, reception: reception).text
    }
    #expect(try text(request(), [], received(200, [:])) == "Nuke; fwd=uri-miss; stored")
    #expect(
      try text(request(), [], received(200, ["Cache-Control": "no-store"])) == "Nuke; fwd=uri-miss; detail=no-store")
    #expect(try text(request(mode: .reload), [], received(200, [:])) == "Nuke; fwd=bypass; stored")
    #expect(try text(request(method: "PUT"), [], received(200, [:])) == "Nuke; fwd=method; detail=method")
    let old = stored(["ETag": "\"a\"", "Cache-Control": "max-age=9"])
    let renewed = received(304, ["ETag": "\"a\""], at: noon + 99)
    #expect(try text(request(), [old], renewed) == "Nuke; fwd=stale; fwd-status=304; ttl=9")
    #expect(
      try text(request(["Cache-Control": "no-cache"]), [stored(["Cache-Control": "max-age=999"])], received(200, [:]))
        == "Nuke; fwd=request; stored")
    let variant = stored(["Vary": "Foo"], selecting: ["Foo": "1"])
    #expect(try text(request(), [variant], received(200, [:])) == "Nuke; fwd=vary-miss; stored")
    let part = stored([:], status: 206, content: .part(first: 0, count: 1, total: 2))
    #expect(try text(request(), [part], received(200, [:])) == "Nuke; fwd=partial; stored")
  }

  @Test("§2.6: A collapsed request states why it would have been forwarded")
  func collapsed() throws {
    let response = stored(["Cache-Control": "max-age=60", "Date": httpDate()])
    let reuse = try #require(policy.decide(request(), stored: [response], now: noon + 20).reuse)
    #expect(CacheStatus(reuse, collapsed: .uriMiss).text == "Nuke; fwd=uri-miss; collapsed; ttl=40")
  }

  @Test("RFC 9651 §4.1: The value is a valid structured field for any text")
  func text() {
    var status = CacheStatus()
    #expect(status.text == "Nuke")
    status.cache = "my cache"
    status.forward = .stale
    status.isCollapsed = true
    status.detail = "two \"\\ü\n"
    #expect(status.text == #""my cache"; fwd=stale; collapsed; detail="two \"\\%C3%BC%0A""#)
    status.isHit = true
    #expect(!status.text.contains("fwd"))
  }
}
