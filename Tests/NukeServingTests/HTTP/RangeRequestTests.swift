import Foundation
import Testing

@testable import NukeServing

@Suite("RFC 9110 §14: range requests") struct RangeRequestTests {
  private func selection(_ range: String, ifRange: String? = nil, length: Int = 1000) -> RangeRequest {
    var head = RequestHead.get((.range, range))
    if let ifRange { head.append(.ifRange, ifRange) }
    return RangeRequest(head, length: length, entityTag: Sample.tag)
  }

  @Test(
    "One range is a partial response",
    arguments: [
      ("bytes=0-99", 0..<100), ("bytes=0-0", 0..<1), ("bytes=999-", 999..<1000), ("bytes=900-5000", 900..<1000),
      ("bytes=-1", 999..<1000), ("bytes=-5000", 0..<1000), ("bytes=0-", 0..<1000), ("Bytes=5-6", 5..<7),
      ("bytes= 5-6 ", 5..<7), ("bytes=1-2,5000-", 1..<3), ("bytes=10-99999999999999999999", 10..<1000),
    ])
  func single(_ text: String, _ expected: Range<Int>) {
    #expect(selection(text) == .parts([expected]))
  }

  @Test(
    "A range outside the body is not satisfiable", arguments: ["bytes=1000-", "bytes=-0", "bytes=5000-6000,1000-1001"])
  func unsatisfiable(_ text: String) {
    #expect(selection(text) == .unsatisfiable)
  }

  @Test(
    "§14.2: malformed ranges are ignored",
    arguments: [
      "", "bytes", "bytes=", "bytes=a-b", "bytes=5-4", "bytes=-", "bytes=--1", "bytes=1", "lines=1-2", "bytes 1-2",
      "bytes=0-1,x", "bytes=0x0-0x1", "bytes=0-1;q=1",
    ])
  func ignored(_ text: String) {
    #expect(selection(text) == .whole)
  }

  @Test("Several ranges are sent in the requested order")
  func several() {
    #expect(selection("bytes=500-599,0-99") == .parts([500..<600, 0..<100]))
    #expect(selection("bytes=0-9, -10") == .parts([0..<10, 990..<1000]))
  }

  @Test("§17.15: many, small or overlapping ranges return the whole body")
  func hostile() {
    #expect(selection("bytes=0-99,50-149") == .whole)
    #expect(selection("bytes=0-,0-,0-") == .whole)
    #expect(selection("bytes=0-,-1") == .whole)
    // Each part has a head of its own.
    #expect(
      selection("bytes=0-0,2-2,4-4,6-6,8-8,10-10,12-12,14-14")
        == .parts(stride(from: 0, to: 16, by: 2).map { $0..<$0 + 1 }))
    #expect(selection("bytes=0-0,2-2,4-4,6-6,8-8,10-10,12-12,14-14", length: 900) == .whole)
    #expect(
      selection("bytes=" + (0..<9).map { "\($0 * 10)-\($0 * 10)" }.joined(separator: ","), length: 100_000) == .whole)
    #expect(selection("bytes=" + String(repeating: "0-,", count: 20_000)) == .whole)
  }

  @Test("§13.1.5: If-Range returns the whole body unless the entity tag matches strongly")
  func ifRange() {
    #expect(selection("bytes=0-1", ifRange: Sample.tag) == .parts([0..<2]))
    #expect(selection("bytes=0-1", ifRange: "\"x\"") == .whole)
    #expect(selection("bytes=0-1", ifRange: "W/\"abc\"") == .whole)
    #expect(selection("bytes=0-1", ifRange: Sample.nowText) == .whole)
    #expect(selection("bytes=5000-", ifRange: "\"x\"") == .whole)
  }

  @Test("Ranges are ignored for HEAD")
  func head() {
    let response = Sample.response(RequestHead(.head, [(.range, "bytes=0-1")]))
    #expect(response.status == 200)
    #expect(response[.contentLength] == "100")
    #expect(response.body == .none)
  }

  @Test("§15.3.7: a partial response states its range")
  func part() {
    let data = Sample.rendition().data
    let response = Sample.response(.get((.range, "bytes=10-19")))
    #expect(response.status == 206)
    #expect(response[.contentRange] == "bytes 10-19/100")
    #expect(response[.contentLength] == "10")
    #expect(response[.contentType] == "image/webp")
    #expect(response[.entityTag] == Sample.tag)
    #expect(response.bytes(of: data) == Array(10...19))
  }

  @Test("§14.6: several ranges are one multipart body with the stated length")
  func parts() throws {
    let data = Data((0..<1000).map { UInt8($0 % 251) })
    let response = Sample.response(.get((.range, "bytes=0-9,500-509")), Sample.rendition(data))
    #expect(response.status == 206)
    #expect(response[.contentType] == "multipart/byteranges; boundary=part-abc")
    #expect(response[.contentRange] == nil)
    let bytes = response.bytes(of: data)
    #expect(response[.contentLength] == String(bytes.count))
    let head = "Content-Type: image/webp\r\nContent-Range: bytes"
    var expected = Array("--part-abc\r\n\(head) 0-9/1000\r\n\r\n".utf8) + Array(data[0..<10])
    expected += Array("\r\n--part-abc\r\n\(head) 500-509/1000\r\n\r\n".utf8) + Array(data[500..<510])
    expected += Array("\r\n--part-abc--\r\n".utf8)
    #expect(bytes == expected)
  }

  @Test("§15.5.17: a 416 states the length of the body, and is not cached")
  func notThere() {
    let response = Sample.response(.get((.range, "bytes=100-")))
    #expect(response.status == 416)
    #expect(response[.contentRange] == "bytes */100")
    #expect(response[.cacheControl] == "no-store")
    #expect(response[.contentType] == "text/plain; charset=utf-8")
  }

  @Test("§13.2.2: preconditions are evaluated before ranges")
  func conditionsFirst() {
    #expect(Sample.response(.get((.range, "bytes=100-"), (.ifNoneMatch, Sample.tag))).status == 304)
    #expect(Sample.response(.get((.range, "bytes=0-1"), (.ifMatch, "\"x\""))).status == 412)
  }
}
