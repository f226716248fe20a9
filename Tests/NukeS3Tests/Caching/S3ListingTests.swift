import Foundation
import Testing

@testable import NukeS3

@Suite("A listing of S3 objects")
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
}
