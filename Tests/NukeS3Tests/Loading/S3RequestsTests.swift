import Foundation
import FoundationNetworking
import Nuke
import Testing

@testable import NukeS3

@Suite("Requests to S3")
struct S3RequestsTests {
  private func url(
    _ endpoint: String, _ addressing: S3Endpoint.Addressing = .path, bucket: String = "images",
    key: String? = "a.jpg",
    query: [String: String] = [:]
  ) throws -> String {
    let endpoint = S3Endpoint(url: try #require(URL(string: endpoint)), credentials: nil, addressing: addressing)
    return try S3Requests(endpoint).request("GET", bucket: bucket, key: key, query: query).url?.absoluteString ?? ""
  }

  @Test("The bucket is part of the path, or of the host")
  func addressing() throws {
    #expect(try url("http://minio:9000") == "http://minio:9000/images/a.jpg")
    #expect(try url("http://minio:9000/") == "http://minio:9000/images/a.jpg")
    #expect(try url("https://gateway/s3/") == "https://gateway/s3/images/a.jpg")
    #expect(try url("https://s3.amazonaws.com", .virtualHost) == "https://images.s3.amazonaws.com/a.jpg")
    #expect(try url("https://s3.amazonaws.com", .virtualHost, bucket: "a.b") == "https://s3.amazonaws.com/a.b/a.jpg")
    #expect(
      try url("https://s3.amazonaws.com", .virtualHost, key: nil, query: ["a": ""])
        == "https://images.s3.amazonaws.com/?a=")
    #expect(
      try url("http://minio:9000", key: nil, query: ["b": "x/y z", "a": "ü"])
        == "http://minio:9000/images?a=%C3%BC&b=x%2Fy%20z")
  }

  @Test(
    "All characters of keys are escaped except letters, digits and four punctuation marks",
    arguments: [
      ("a b+c&d=e?f#g%h@i:j,k;l(m)n*o'p!q", "a%20b%2Bc%26d%3De%3Ff%23g%25h%40i%3Aj%2Ck%3Bl%28m%29n%2Ao%27p%21q"),
      ("ü/日本.jpg", "%C3%BC/%E6%97%A5%E6%9C%AC.jpg"), ("A-z_0.9~", "A-z_0.9~"), ("a//b/", "a//b/"), ("/a", "/a"),
      ("...", "..."),
    ])
  func keys(key: String, path: String) throws {
    #expect(try url("http://minio:9000", key: key) == "http://minio:9000/images/\(path)")
  }

  @Test(
    "Names that would change the path are rejected",
    arguments: [
      ("images", "../a"), ("images", "a/./b"), ("images", "a/.."), ("images", ""), ("..", "a"), ("", "a"),
      ("a/b", "c"),
      ("a@b", "c"), ("a:1", "c"),
    ])
  func malformed(bucket: String, key: String) throws {
    #expect(throws: DataLoader.TransferError.self) { try url("http://minio:9000", bucket: bucket, key: key) }
  }

  @Test(
    "An s3:// URL consists of a bucket, a key and a version",
    arguments: [
      ("s3://b/k", "b", "k", nil), ("S3://b/a/b%20c%2Fd", "b", "a/b c/d", nil),
      ("s3://b/k?versionId=a%2Bb", "b", "k", "a+b"), ("s3://b/k?a%2Bb", "b", "k", "a+b"),
      ("s3://b/%2541", "b", "%41", nil), ("s3://b//k", "b", "/k", nil), ("s3://b/k#x", "b", "k", nil),
    ] as [(String, String, String, String?)])
  func locations(text: String, bucket: String, key: String, version: String?) throws {
    let location = try S3Location(try #require(URL(string: text)))
    #expect(location.bucket == bucket)
    #expect(location.key == key)
    #expect(location.version == version)
  }

  @Test(
    "An invalid s3:// URL is rejected",
    arguments: [
      "s3://b", "s3://b/", "s3:///", "s3://b/k?x=1", "s3://b/k?", "s3://b/k?versionId=", "s3://b/%ff", "http://b/k",
    ])
  func malformedLocations(text: String) throws {
    let url = try #require(URL(string: text))
    #expect(throws: DataLoader.TransferError.self) { try S3Location(url) }
  }
}
