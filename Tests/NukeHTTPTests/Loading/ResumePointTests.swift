import Foundation
import FoundationNetworking
import Nuke
import Testing

@Suite("Resume points") struct ResumePointTests {
  static let url = URL(string: "http://pictures.test/a.jpg")!
  let request = URLRequest(url: Self.url)

  /// The head of a response with these fields, besides its length.
  func head(
    _ status: Int, _ fields: [String], length: Int? = 1000, url: URL = Self.url
  ) -> ResponseHead {
    let lines = ["HTTP/1.1 \(status) OK"] + (length.map { ["Content-Length: \($0)"] } ?? []) + fields
    return ResponseHead(
      url: url, status: status, expectedLength: length, block: Array((lines.joined(separator: "\r\n") + "\r\n").utf8))
  }

  func head(_ fields: [String], length: Int? = 1000) -> ResponseHead { head(200, fields, length: length) }

  let tag = ["ETag: \"a\""]
  let part = ResumePoint(validator: .entityTag("\"a\""), url: Self.url.absoluteString, total: 1000, count: 400)

  @Test("A response with a strong entity tag can be resumed")
  func entityTag() throws {
    let point = try #require(ResumePoint(head(tag), to: request, count: 400))
    #expect(point == part)
    let resuming = point.request(resuming: request)
    #expect(resuming.value(forHTTPHeaderField: "Range") == "bytes=400-")
    #expect(resuming.value(forHTTPHeaderField: "If-Range") == "\"a\"")
    #expect(ResumePoint(head(tag, length: nil), to: request, count: 400)?.total == nil)
    #expect(
      ResumePoint(head(tag + ["Accept-Ranges: bytes", "Content-Encoding: identity"]), to: request, count: 1) != nil)
  }

  @Test(
    "A response with a weak entity tag or none cannot be resumed",
    arguments: ["W/\"a\"", "W/a", "W/", "a, b", "\"a", "a\"", "\"", "\"a\", \"b\"", "", "\"a b\"", "\"\u{e4}\""])
  func weakTags(_ tag: String) {
    // Not by its date either, since the server has a tag for it.
    let date = ["Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT", "Date: Mon, 07 Nov 1994 08:49:37 GMT"]
    #expect(ResumePoint(head(["ETag: \(tag)"] + date), to: request, count: 400) == nil)
    #expect(ResumePoint(head(date), to: request, count: 400) != nil)
  }

  @Test("A response whose entity tag has no quotation marks can be resumed")
  func unquotedTag() throws {
    let point = try #require(ResumePoint(head(["ETag: abc"]), to: request, count: 400))
    #expect(point.request(resuming: request).value(forHTTPHeaderField: "If-Range") == "abc")
    let range = "Content-Range: bytes 400-999/1000"
    #expect(point.kind(of: head(206, ["ETag: abc", range], length: 600)) == .rest(total: 1000))
    #expect(point.kind(of: head(206, ["ETag: \"abc\"", range], length: 600)) == .refused)
    #expect(ResumePoint(attributes: point.attributes, count: 400) == point)
  }

  @Test(
    "A response with a modification date a minute before it can be resumed",
    arguments: [
      ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:50:37 GMT", true),
      ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:50:36 GMT", false),
      ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT", false),
      ("Sun, 06 Nov 1994 08:49:37 GMT", "Sat, 05 Nov 1994 08:49:37 GMT", false),
      ("Thu, 31 Dec 2020 23:59:30 GMT", "Fri, 01 Jan 2021 00:00:30 GMT", true),
      ("Sat, 29 Feb 2020 23:59:30 GMT", "Sun, 01 Mar 2020 00:00:29 GMT", false),
      ("Sat, 29 Feb 2020 23:59:30 GMT", "Sun, 01 Mar 2020 00:00:30 GMT", true),
      ("Tue, 28 Feb 2100 23:59:30 GMT", "Mon, 01 Mar 2100 00:00:29 GMT", false),
      ("Sunday, 06-Nov-94 08:49:37 GMT", "Mon, 07 Nov 1994 08:49:37 GMT", false),
      ("Sun Nov  6 08:49:37 1994", "Mon, 07 Nov 1994 08:49:37 GMT", false),
      ("Sun, 06 Nov 1994 08:49:37 CET", "Mon, 07 Nov 1994 08:49:37 GMT", false),
      ("Sun, 06 Nov 1994 24:49:37 GMT", "Tue, 08 Nov 1994 08:49:37 GMT", false),
      ("Sun, 0x Nov 1994 08:49:37 GMT", "Tue, 08 Nov 1994 08:49:37 GMT", false),
      ("", "Mon, 07 Nov 1994 08:49:37 GMT", false),
    ])
  func dates(_ modified: String, _ date: String, _ isStrong: Bool) {
    let point = ResumePoint(head(["Last-Modified: \(modified)", "Date: \(date)"]), to: request, count: 400)
    #expect((point != nil) == isStrong)
    if isStrong { #expect(point?.validator == .lastModified(modified)) }
    #expect(ResumePoint(head(["Last-Modified: \(modified)"]), to: request, count: 400) == nil, "without a Date")
  }

  @Test(
    "A response that is encoded, refuses ranges or must not be stored cannot be resumed",
    arguments: [
      "Content-Encoding: gzip", "Accept-Ranges: none", "Cache-Control: no-store", "Cache-Control: private, No-Store",
    ])
  func unfit(_ field: String) {
    #expect(ResumePoint(head(tag + [field]), to: request, count: 400) == nil)
  }

  @Test("A response that is partial, complete or empty cannot be resumed")
  func notPartial() {
    for status in [201, 203, 206, 304, 404] { #expect(ResumePoint(head(status, tag), to: request, count: 400) == nil) }
    for count in [0, 1000, 1001] { #expect(ResumePoint(head(tag), to: request, count: count) == nil) }
  }

  @Test("A request that is not a plain GET over HTTP cannot be resumed")
  func requests() {
    func allows(_ change: (inout URLRequest) -> Void) -> Bool {
      var request = request
      change(&request)
      return ResumePoint.allows(request)
    }
    #expect(allows { $0.setValue("Basic xyz", forHTTPHeaderField: "Authorization") })
    #expect(!allows { $0.httpMethod = "POST" })
    #expect(!allows { $0.httpMethod = "HEAD" })
    #expect(!allows { $0.httpBody = Data([1]) })
    #expect(!allows { $0.url = URL(string: "ftp://pictures.test/a") })
    for field in ["Range", "range", "If-Range", "If-None-Match", "if-modified-since"] {
      #expect(!allows { $0.setValue("x", forHTTPHeaderField: field) }, "\(field)")
    }
  }

  @Test("The rest of the same body is joined")
  func rest() {
    let fields = tag + ["Content-Range: bytes 400-999/1000"]
    #expect(part.kind(of: head(206, fields, length: 600)) == .rest(total: 1000))
    #expect(part.kind(of: head(206, fields, length: nil)) == .rest(total: 1000))
    #expect(part.kind(of: head(206, tag + ["Content-Range: Bytes 400-999/*"], length: 600)) == .rest(total: 1000))
    let open = ResumePoint(validator: part.validator, url: part.url, total: nil, count: 400)
    #expect(open.kind(of: head(206, fields, length: 600)) == .rest(total: 1000))
    #expect(open.kind(of: head(206, tag + ["Content-Range: bytes 400-999/*"], length: 600)) == .refused)
    let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    let dated = ResumePoint(validator: .lastModified(date), url: part.url, total: 1000, count: 400)
    let range = "Content-Range: bytes 400-999/1000"
    #expect(dated.kind(of: head(206, [range, "Last-Modified: \(date)"], length: 600)) == .rest(total: 1000))
    #expect(dated.kind(of: head(206, [range], length: 600)) == .refused)
    #expect(dated.kind(of: head(206, [range, "Last-Modified: \(date)", "ETag: \"b\""], length: 600)) == .refused)
  }

  @Test("A whole response replaces the partial body")
  func whole() {
    #expect(part.kind(of: head(200, [])) == .whole)
    #expect(part.kind(of: head(203, [])) == .whole)
    #expect(part.kind(of: head(416, ["Content-Range: bytes */1000"], length: 10)) == .refused)
  }

  @Test(
    "Another range, length or body is never joined",
    arguments: [
      "bytes 0-999/1000", "bytes 399-999/1000", "bytes 401-999/1000", "bytes 400-998/1000", "bytes 400-999/1001",
      "bytes 400-1000/1001", "bytes 400-1000/1000", "bytes 999-400/1000", "bytes */1000", "bytes 400-999",
      "bytes=400-999/1000", "items 400-999/1000", "bytes +400-999/1000", "bytes 400-999/-1", "bytes 400-999/1000/1",
      "bytes 400-99999999999999999999/1000", "", "bytes 400-999/1000, bytes 400-999/1000",
    ])
  func otherRanges(_ range: String) {
    #expect(part.kind(of: head(206, tag + ["Content-Range: \(range)"], length: 600)) == .refused)
  }

  @Test("A response of another resource, with another tag, or without enough information is never joined")
  func otherBodies() {
    let range = "Content-Range: bytes 400-999/1000"
    for fields in [
      [range], [range, "ETag: \"b\""], [range, "ETag: W/\"a\""], tag, [range, "ETag: \"a\"", "ETag: \"b\""],
      tag + [range, "Content-Type: multipart/byteranges; boundary=x"], tag + [range, "Content-Encoding: br"],
    ] {
      #expect(part.kind(of: head(206, fields, length: 600)) == .refused, "\(fields)")
    }
    #expect(part.kind(of: head(206, tag + [range], length: 599)) == .refused)
    #expect(part.kind(of: head(206, tag + [range], length: 600, url: URL(string: "http://b.test/")!)) == .refused)
  }

  @Test("A resume point is decoded as it was encoded, and not from other data")
  func attributes() {
    let dated = ResumePoint(validator: .lastModified("then"), url: "http://a/ü", total: nil, count: 7)
    for point in [part, dated] {
      #expect(ResumePoint(attributes: point.attributes, count: point.count) == point)
      #expect(ResumePoint(attributes: point.attributes, count: 0) == nil)
      for count in 0..<point.attributes.count {
        let cut = ResumePoint(attributes: Array(point.attributes.prefix(count)), count: 7)
        // What is left may be a shorter total, or none; it never gives another validator.
        #expect(cut == nil || cut?.validator == point.validator)
      }
    }
    #expect(ResumePoint(attributes: part.attributes, count: 1000) == nil)
    #expect(ResumePoint(attributes: [0xff, 0x0a], count: 1) == nil)
  }
}
