import Testing

@testable import NukeServing

@Suite("RFC 9110 §13: conditional requests") struct ConditionalRequestTests {
  private static let before = "Tue, 14 Nov 2023 21:00:00 GMT"
  private static let modified = Sample.now - 1000
  private static let modifiedText = "Tue, 14 Nov 2023 21:56:40 GMT"
  private static let after = "Tue, 14 Nov 2023 22:00:00 GMT"

  struct Row: Sendable, CustomTestStringConvertible {
    let rule: String
    let fields: [(RequestHead.Name, String)]
    let outcome: ConditionalRequest
    var testDescription: String { "\(rule) \(fields)" }
  }

  private static let rows: [Row] = [
    Row(rule: "nothing", fields: [], outcome: .proceed),
    // §13.1.2
    Row(rule: "the tag is known", fields: [(.ifNoneMatch, "\"abc\"")], outcome: .notModified),
    Row(rule: "compared weakly", fields: [(.ifNoneMatch, "W/\"abc\"")], outcome: .notModified),
    Row(rule: "in a list", fields: [(.ifNoneMatch, "\"x\", W/\"y\",\"abc\"")], outcome: .notModified),
    Row(rule: "in two lines", fields: [(.ifNoneMatch, "\"x\""), (.ifNoneMatch, "\"abc\"")], outcome: .notModified),
    Row(rule: "any", fields: [(.ifNoneMatch, "*")], outcome: .notModified),
    Row(rule: "another", fields: [(.ifNoneMatch, "\"ABC\"")], outcome: .proceed),
    Row(rule: "not quoted", fields: [(.ifNoneMatch, "abc")], outcome: .proceed),
    Row(rule: "empty", fields: [(.ifNoneMatch, "")], outcome: .proceed),
    // §13.1.3
    Row(rule: "of that moment", fields: [(.ifModifiedSince, modifiedText)], outcome: .notModified),
    Row(rule: "of a later one", fields: [(.ifModifiedSince, after)], outcome: .notModified),
    Row(rule: "of an earlier one", fields: [(.ifModifiedSince, before)], outcome: .proceed),
    Row(rule: "no date", fields: [(.ifModifiedSince, "yesterday")], outcome: .proceed),
    Row(rule: "an obsolete form", fields: [(.ifModifiedSince, "Tue Nov 14 22:00:00 2023")], outcome: .notModified),
    // §13.1.1
    Row(rule: "it is that", fields: [(.ifMatch, "\"x\", \"abc\"")], outcome: .proceed),
    Row(rule: "it is something", fields: [(.ifMatch, "*")], outcome: .proceed),
    Row(rule: "it is not that", fields: [(.ifMatch, "\"x\"")], outcome: .preconditionFailed),
    Row(rule: "compared strongly", fields: [(.ifMatch, "W/\"abc\"")], outcome: .preconditionFailed),
    Row(rule: "nonsense", fields: [(.ifMatch, "abc")], outcome: .preconditionFailed),
    // §13.1.4
    Row(rule: "unmodified", fields: [(.ifUnmodifiedSince, modifiedText)], outcome: .proceed),
    Row(rule: "modified", fields: [(.ifUnmodifiedSince, before)], outcome: .preconditionFailed),
    Row(rule: "no date", fields: [(.ifUnmodifiedSince, "0")], outcome: .proceed),
    // §13.2.2
    Row(
      rule: "If-Match before If-Unmodified-Since", fields: [(.ifMatch, "\"abc\""), (.ifUnmodifiedSince, before)],
      outcome: .proceed),
    Row(
      rule: "If-None-Match before If-Modified-Since", fields: [(.ifNoneMatch, "\"x\""), (.ifModifiedSince, after)],
      outcome: .proceed),
    Row(
      rule: "If-Match first", fields: [(.ifMatch, "\"x\""), (.ifNoneMatch, "\"abc\"")], outcome: .preconditionFailed),
    Row(
      rule: "then If-None-Match", fields: [(.ifMatch, "\"abc\""), (.ifNoneMatch, "\"abc\"")], outcome: .notModified),
    Row(
      rule: "If-Unmodified-Since first", fields: [(.ifUnmodifiedSince, before), (.ifModifiedSince, after)],
      outcome: .preconditionFailed),
  ]

  @Test("Preconditions are evaluated in the order of §13.2.2", arguments: rows)
  func outcome(_ row: Row) {
    for method in [RequestHead.Method.get, .head] {
      let outcome = ConditionalRequest(
        RequestHead(method, row.fields), entityTag: Sample.tag, lastModified: Self.modified, now: Sample.now)
      #expect(outcome == row.outcome)
    }
  }

  @Test(
    "Dates are ignored if the modification time is unknown",
    arguments: [RequestHead.Name.ifModifiedSince, .ifUnmodifiedSince])
  func noDate(_ name: RequestHead.Name) {
    for text in [Self.before, Self.after] {
      let outcome = ConditionalRequest(
        .get((name, text)), entityTag: Sample.tag, lastModified: nil, now: Sample.now)
      #expect(outcome == .proceed)
    }
  }

  @Test("§15.4.5: a 304 has the fields that caches update, and no body")
  func notModified() {
    let response = Sample.response(.get((.ifNoneMatch, Sample.tag)))
    #expect(response.status == 304)
    #expect(response.body == .none)
    #expect(response[.entityTag] == Sample.tag)
    #expect(response[.cacheControl] == "public, max-age=3600")
    #expect(response[.lastModified] == Self.modifiedText)
    #expect(response[.contentLength] == nil)
    #expect(response[.contentType] == nil)
  }

  @Test("A 412 is not cached")
  func failed() {
    let response = Sample.response(.get((.ifMatch, "\"x\"")))
    #expect(response.status == 412)
    #expect(response[.cacheControl] == "no-store")
    #expect(response[.contentLength] == String(response.bytes(of: Sample.rendition().data).count))
  }
}
