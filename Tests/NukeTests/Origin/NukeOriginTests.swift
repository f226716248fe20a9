import Foundation
import FoundationNetworking
import Nuke
import NukeOrigin
import Testing

@Suite("The scripted origin server")
struct NukeOriginTests {
  @Test("Stopping closes every connection and ends its threads, whatever it was doing")
  func stop() async throws {
    let gate = ScriptGate()
    let origin = try NukeOrigin { request in
      switch request.path {
      case "/gate": .data(noise(10)).held(by: gate)
      case "/delay": .data(noise(10)).scripted(.delay(1000), .head, .rest)
      case "/stall": .data(noise(10)).scripted(.head, .bytes(1), .stall)
      default: .data(noise(10))
      }
    }
    let loader = makeLoader()
    #expect(await loader.outcome(of: origin.url("/kept")).error == nil)
    let recorders = ["/gate", "/delay", "/stall"].map { loader.record(URLRequest(url: origin.url($0))).recorder }
    try await origin.waitUntil { $0.requests.count == 4 }
    origin.stop()
    for recorder in recorders { #expect(await recorder.finished().error != nil) }
    #expect(origin.log.connectionsOpen == 0)
    #expect(origin.log.closedEarly == 0)
    guard case .cannotConnect = await loader.outcome(of: origin.url("/")).error else {
      throw Unexpected("it still listens")
    }
  }

  @Test("A request is in the log only when its response is decided")
  func order() async throws {
    let (asked, isAsked) = AsyncStream<Void>.makeStream()
    let decision = DispatchSemaphore(value: 0)
    let origin = try NukeOrigin { _ in
      isAsked.finish()
      decision.wait()
      return .data(noise(10))
    }
    defer { origin.stop() }
    async let outcome = makeLoader().outcome(of: origin.url("/"))
    for await _ in asked {}
    #expect(origin.log.requests.isEmpty)
    decision.signal()
    #expect(await outcome.error == nil)
    #expect(origin.log.requests.count == 1)
  }

  @Test("If a condition is not met, the error contains what the server saw")
  func timeout() async throws {
    let origin = try NukeOrigin { _ in .data(Data()) }
    defer { origin.stop() }
    _ = await makeLoader().outcome(of: origin.url("/seen"))
    do {
      try await origin.waitUntil(seconds: 0.05) { $0.requests.count == 2 }
      Issue.record("no error")
    } catch {
      #expect("\(error)".contains("1 requests [\"GET /seen\"]"))
    }
  }

  struct RangeSample: Sendable {
    let range: String
    var condition: String?
    let status: Int
    let body: String
  }

  @Test(
    "Ranges are served",
    arguments: [
      RangeSample(range: "bytes=2-4", status: 206, body: "234"),
      RangeSample(range: "bytes=7-", status: 206, body: "789"),
      RangeSample(range: "bytes=-2", status: 206, body: "89"),
      RangeSample(range: "bytes=5-100", status: 206, body: "56789"),
      RangeSample(range: "bytes=5-", condition: "\"v1\"", status: 206, body: "56789"),
      RangeSample(range: "bytes=5-", condition: "\"v0\"", status: 200, body: "0123456789"),
      RangeSample(range: "lines=1-2", status: 200, body: "0123456789"),
    ])
  func ranges(sample: RangeSample) async throws {
    let origin = try NukeOrigin { .ranged(Data("0123456789".utf8), etag: "\"v1\"", for: $0) }
    defer { origin.stop() }
    var request = URLRequest(url: origin.url("/"))
    request.setValue(sample.range, forHTTPHeaderField: "Range")
    request.setValue(sample.condition, forHTTPHeaderField: "If-Range")
    let state = await makeLoader().outcome(of: request)
    #expect(state.head?.status == sample.status)
    #expect(String(decoding: state.body, as: UTF8.self) == sample.body)
  }

  @Test("A range past the end is answered with 416")
  func unsatisfiable() async throws {
    let origin = try NukeOrigin { .ranged(Data("0123456789".utf8), for: $0) }
    defer { origin.stop() }
    var request = URLRequest(url: origin.url("/"))
    request.setValue("bytes=10-", forHTTPHeaderField: "Range")
    #expect(await makeLoader().outcome(of: request).unacceptableStatus == 416)
  }
}
