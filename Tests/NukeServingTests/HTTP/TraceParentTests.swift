import Foundation
import FoundationNetworking
import NukeTesting
import Testing

@testable import NukeServing

@Suite("The trace of a request")
struct TraceParentTests {
  /// The examples of W3C Trace Context, 3.2.2.5.
  @Test("A valid field has a trace ID")
  func valid() {
    let text = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
    #expect(TraceParent(text)?.traceID == "4bf92f3577b34da6a3ce929d0e0e4736")
    #expect(TraceParent(text)?.text == text)
    #expect(TraceParent(text)?.parentID == "00f067aa0ba902b7" && TraceParent(text)?.isSampled == true)
    #expect(TraceParent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-02")?.isSampled == false)
    // A later version may have more parts.
    #expect(TraceParent("cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more") == nil)
    #expect(TraceParent("cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-1234") != nil)
  }

  @Test(
    "A malformed field is none",
    arguments: [
      "", "00", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
      "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
      "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
      "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
      "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
      "00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01",
      "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-x", "00-x-y-01",
    ])
  func malformed(text: String) { #expect(TraceParent(text) == nil) }

  @Test(
    "The state of vendors is kept as it was sent, unless it is malformed",
    arguments: [
      ("congo=t61rcWkgMzE,rojo=00f067aa0ba902b7", true), ("a=1 , b=2", true),
      (String(repeating: "a", count: 512), true),
      (String(repeating: "a", count: 513), false), ("", false), ("a=1\r\nX: y", false), ("a=é", false),
    ])
  func state(text: String, isValid: Bool) {
    let parent = TraceParent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", state: text)
    #expect(parent != nil && parent?.state == (isValid ? text : nil))
  }

  @Test("The source is asked with the trace of the request, and without one if there is none")
  func passedOn() async throws {
    let fixture = ServiceFixture()
    fixture.answer("pixels", ["Cache-Control": "max-age=60"])
    let trace = try #require(TraceParent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", state: "a=1"))
    _ = await TraceParent.$current.withValue(trace) { await fixture.result() }
    #expect(fixture.loader.requests.last?.value(forHTTPHeaderField: "traceparent") == trace.text)
    #expect(fixture.loader.requests.last?.value(forHTTPHeaderField: "tracestate") == "a=1")
    let other = URL(string: "https://images.example/b.jpg")!
    fixture.answer("pixels", at: other)
    _ = await fixture.result(ServiceFixture.request(other))
    #expect(fixture.loader.requests.last?.url == other)
    #expect(fixture.loader.requests.last?.value(forHTTPHeaderField: "traceparent") == nil)
  }
}
