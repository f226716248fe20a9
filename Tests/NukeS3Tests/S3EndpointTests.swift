import Foundation
import Nuke
import Testing

@testable import NukeS3

@Suite("An S3 endpoint")
struct S3EndpointTests {
  private let keys = ["AWS_ACCESS_KEY_ID": "me", "AWS_SECRET_ACCESS_KEY": "secret"]

  @Test("It is read from the same environment variables as by Amazon's tools")
  func environment() throws {
    let own = S3Endpoint(environment: keys)
    #expect(own.url.absoluteString == "https://s3.us-east-1.amazonaws.com")
    #expect(own.addressing == .virtualHost)
    #expect(own.credentials == .fixed(S3Credentials(accessKey: "me", secretKey: "secret")))

    let region = S3Endpoint(environment: ["AWS_DEFAULT_REGION": "eu-west-1"])
    #expect(region.url.absoluteString == "https://s3.eu-west-1.amazonaws.com")
    #expect(region.region == "eu-west-1")
    #expect(region.credentials == .anonymous)

    let other = S3Endpoint(
      environment: keys.merging([
        "AWS_ENDPOINT_URL": "http://minio:9000", "AWS_REGION": "here", "AWS_DEFAULT_REGION": "there",
        "AWS_SESSION_TOKEN": "token",
      ]) { $1 })
    #expect(other.url.absoluteString == "http://minio:9000")
    #expect(other.addressing == .path)
    #expect(other.region == "here")
    #expect(
      other.credentials == .fixed(S3Credentials(accessKey: "me", secretKey: "secret", sessionToken: "token")))
  }

  @Test("It has no credentials if one of them is missing or empty")
  func missing() {
    #expect(S3Credentials(environment: [:]) == nil)
    #expect(S3Credentials(environment: ["AWS_ACCESS_KEY_ID": "me"]) == nil)
    #expect(S3Credentials(environment: ["AWS_ACCESS_KEY_ID": "me", "AWS_SECRET_ACCESS_KEY": ""]) == nil)
    #expect(S3Credentials(environment: keys.merging(["AWS_SESSION_TOKEN": ""]) { $1 })?.sessionToken == nil)
  }

  @Test("It does not write its secrets into logs")
  func secrets() {
    let endpoint = S3Endpoint(environment: keys.merging(["AWS_SESSION_TOKEN": "token"]) { $1 })
    let configuration = S3Requests(endpoint).configuration(
      DataLoader.Configuration(),
      signedWith: S3Credentials(accessKey: "me", secretKey: "secret", sessionToken: "token"))
    for text in ["\(endpoint)", String(reflecting: endpoint), "\(configuration)", String(reflecting: configuration)] {
      #expect(!text.contains("secret"))
      #expect(!text.contains("token"))
    }
    var dumped = ""
    dump(configuration, to: &dumped)
    dump(endpoint, to: &dumped)
    #expect(!dumped.contains("secret"))
    #expect(!dumped.contains("\"token\""))
  }
}
