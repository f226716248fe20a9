import Foundation
import Testing

@testable import NukeS3

@Suite("A listing of S3 objects", .timeLimit(.minutes(1)))
struct S3ListingTests {
  @Test("It contains the names and the continuation token")
  func whole() throws {
    let xml = """
      <?xml version="1.0" encoding="UTF-8"?>
      <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>b</Name><Prefix>p/</Prefix>
      <IsTruncated>true</IsTruncated><Contents><Key>p/a&amp;lt;b</Key><Size>1</Size></Contents>
      <Contents><Key>p/&lt;c&gt;</Key></Contents><NextContinuationToken>1/x+y==</NextContinuationToken></ListBucketResult>
      """
    let listing = try #require(S3Listing(Data(xml.utf8)))
    #expect(listing.keys == ["p/a&lt;b", "p/<c>"])
    #expect(listing.continuation == "1/x+y==")
  }

  @Test("It may be empty")
  func empty() throws {
    let listing = try #require(S3Listing(Data("<ListBucketResult></ListBucketResult>".utf8)))
    #expect(listing.keys.isEmpty)
    #expect(listing.continuation == nil)
  }

  @Test("Other data is not a listing", arguments: ["", "<Error><Code>AccessDenied</Code></Error>", "{}", "<html>"])
  func other(text: String) { #expect(S3Listing(Data(text.utf8)) == nil) }

  @Test("A truncated listing contains the complete names")
  func truncated() {
    let listing = S3Listing(Data("<ListBucketResult><Key>a</Key><Key>b".utf8))
    #expect(listing?.keys == ["a"])
  }

  @Test("Elements inside each other can be a million, since nothing is done for each level", arguments: ["Key", "a"])
  func nested(element: String) {
    let opening = String(repeating: "<\(element)>", count: 1_000_000)
    let closing = String(repeating: "</\(element)>", count: 1_000_000)
    let listing = S3Listing(Data("<ListBucketResult>\(opening)<Key>b</Key>\(closing)</ListBucketResult>".utf8))
    #expect(listing?.keys == ["b"])
    #expect(S3Listing(Data(opening.utf8)) == nil)
  }

  @Test("Bytes that are not UTF-8 are replaced")
  func damagedText() {
    let listing = S3Listing(Data("<ListBucketResult><Key>a".utf8) + Data([0xff, 0xc3]) + Data("</Key>".utf8))
    #expect(listing?.keys == ["a\u{fffd}\u{fffd}"])
  }

  // MARK: Pages

  /// Reads a page with at most one name. Returns the token of the next page, or why there is none.
  private func read(_ name: String?, _ token: String?, _ pages: inout S3Pages) -> String {
    let key = name.map { "<Key>\($0)</Key>" } ?? ""
    let continuation = token.map { "<NextContinuationToken>\($0)</NextContinuationToken>" } ?? ""
    guard let page = S3Listing(Data("<ListBucketResult>\(key)\(continuation)</ListBucketResult>".utf8)) else {
      return "no list"
    }
    do throws(S3Listing.Failure) {
      let next = try pages.token(after: page)
      return next ?? "end"
    } catch {
      return "\(error)"
    }
  }

  private let endless = "The store's list of objects has no end."

  @Test("A bucket with millions of objects, on pages of a thousand, is listed to its end")
  func manyPages() {
    var pages = S3Pages(limit: 100_000)
    for number in 0..<10_000 { #expect(read("name \(number)", "token \(number)", &pages) == "token \(number)") }
    #expect(read("name", nil, &pages) == "end")
  }

  @Test("No more pages than the limit are read")
  func limit() {
    var pages = S3Pages(limit: 3)
    #expect(read("a", "1", &pages) == "1")
    #expect(read("b", "2", &pages) == "2")
    #expect(read("c", "3", &pages) == endless)
    // The last page may be the last one that the limit allows.
    pages = S3Pages(limit: 2)
    #expect(read("a", "1", &pages) == "1")
    #expect(read("b", nil, &pages) == "end")
  }

  @Test("A page with the names of the page before ends the list, even with another token")
  func repeatedPage() {
    var pages = S3Pages(limit: 100)
    #expect(read("a", "1", &pages) == "1")
    #expect(read("b", "2", &pages) == "2")
    #expect(read("b", "3", &pages) == endless)
  }

  @Test("Pages without names are read, unless a hundred follow each other")
  func emptyPages() {
    var pages = S3Pages(limit: 1_000)
    for number in 1...500 {
      #expect(read(number % 100 == 0 ? "name \(number)" : nil, "\(number)", &pages) == "\(number)")
    }
    for number in 501..<600 { #expect(read(nil, "\(number)", &pages) == "\(number)") }
    #expect(read(nil, "600", &pages) == endless)
  }
}
