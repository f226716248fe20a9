import Foundation
import FoundationNetworking
import Nuke
import NukeLoaderSuite
import NukeOrigin
import Testing

@testable import NukeS3

@Suite("An assumed role", .timeLimit(.minutes(1)))
struct AssumedRoleTests {
  private let origins = Origins()
  private let keys = S3Credentials(accessKey: "AKIDEXAMPLE", secretKey: "wJal:rXUtn/FEMI+K7MDENG=")
  private let role = "arn:aws:iam::1:role/reader"

  /// The response of STS. It expires an hour after the start of the fake clock.
  private static func xml(_ token: String = "to&amp;ken", expiration: String = "2023-11-14T23:13:20Z") -> String {
    """
    <AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult><Credentials>
    <AccessKeyId>you</AccessKeyId><SecretAccessKey>secret</SecretAccessKey><SessionToken>\(token)</SessionToken>
    <Expiration>\(expiration)</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>
    """
  }

  private func service(
    _ base: S3Endpoint.Credentials, externalID: String? = nil, _ environment: [String: String] = [:]
  ) throws -> AssumedRoleCredentials {
    try AssumedRoleCredentials(
      role, externalID: externalID, with: base, environment: environment, region: "eu-central-1")
  }

  @Test("STS returns the credentials of the role for a request that other credentials sign")
  func fixed() async throws {
    let sts = FakeCredentialService { _ in (200, Self.xml()) }
    let provider = sts.makeProvider(of: try service(.fixed(keys), externalID: "a/b"))
    #expect(
      try await provider.credentials() == S3Credentials(accessKey: "you", secretKey: "secret", sessionToken: "to&ken"))
    let request = try #require(sts.requests.first)
    #expect(request.url?.absoluteString == "https://sts.eu-central-1.amazonaws.com")
    #expect(
      String(decoding: request.httpBody ?? Data(), as: UTF8.self)
        == "Action=AssumeRole&Version=2011-06-15&RoleArn=arn%3Aaws%3Aiam%3A%3A1%3Arole%2Freader&RoleSessionName=nuke"
        + "&ExternalId=a%2Fb")
    #expect(
      sts.signatures == [
        .signatureV4(
          SignatureV4(
            accessKey: keys.accessKey, secretKey: keys.secretKey, region: "eu-central-1", service: "sts"))
      ])
    #expect(request.value(forHTTPHeaderField: "x-amz-security-token") == nil)
  }

  @Test("Temporary credentials assume the role with their token, and each fetch uses the current ones")
  func temporary() async throws {
    let count = Lock(0)
    let container = FakeCredentialService { _ in
      let number = count.withLock { count in
        count += 1
        return count
      }
      return (200, FakeCredentialService.json("base \(number)", expiration: 3600 * Double(number)))
    }
    let sts = FakeCredentialService { _ in (200, Self.xml(expiration: "2023-11-14T22:14:20Z")) }
    let provider = sts.makeProvider(of: try service(.temporary(container.makeProvider())))
    _ = try await provider.credentials()
    container.advance(seconds: 3600)
    sts.advance(seconds: 59)
    _ = try await provider.credentials()
    sts.advance(seconds: 1)
    // This response has expired, so the fetch fails after its request.
    _ = try? await provider.credentials()
    #expect(
      sts.requests.map { $0.value(forHTTPHeaderField: "x-amz-security-token") } == ["base 1", "base 2"])
  }

  @Test("Without credentials to assume the role with, the error is theirs and STS is not asked")
  func noBase() async throws {
    let container = try FakeCredentialService { _ in (500, "") }.makeProvider()
    let sts = FakeCredentialService { _ in (200, Self.xml()) }
    let provider = sts.makeProvider(of: try service(.temporary(container)))
    await #expect(throws: S3CredentialProvider.Error.refused(.container, status: 500, code: nil)) {
      try await provider.credentials()
    }
    #expect(sts.requests.isEmpty)
  }

  @Test("A role cannot be assumed without any credentials")
  func anonymous() {
    #expect(throws: S3CredentialProvider.Error.noSource) { try service(.anonymous) }
  }

  @Test("The error of STS has its code")
  func refusal() async throws {
    let sts = FakeCredentialService { _ in (403, "<Error><Code>AccessDenied</Code><Message>me</Message></Error>") }
    let error = await #expect(throws: S3CredentialProvider.Error.self) {
      try await sts.makeProvider(of: try service(.fixed(keys))).credentials()
    }
    #expect(
      error?.description
        == "No credentials from the security token service (STS): it answered with status 403 (AccessDenied).")
  }

  /// Sends real requests to a service that verifies the signature by itself.
  @Test("The signature of the request holds, also with a token", arguments: [nil, "to/ken+=="])
  func signature(token: String?) async throws {
    let signature = Signature(
      credentials: (keys.accessKey, keys.secretKey), region: "eu-central-1", service: "sts")
    let sts = try origins.start { request in
      if let objection = signature.objection(to: request) {
        Issue.record("\(objection)")
        return .status(403)
      }
      return .data(Data(Self.xml(expiration: "2100-01-01T00:00:00Z").utf8), type: "text/xml")
    }
    var keys = keys
    keys.sessionToken = token
    let provider = S3CredentialProvider(
      try service(.fixed(keys), externalID: "x", ["AWS_ENDPOINT_URL_STS": sts.url("/").absoluteString]),
      send: { request, signing in
        let loader = DataLoader(configuration: makeConfiguration { $0.signing = signing }) { _ in nil }
        let response = try S3Exchange.perform(request, by: loader, limit: 1 << 16).get()
        return (response.head.status ?? 0, response.body)
      })
    #expect(try await provider.credentials().accessKey == "you")
    let sent = try #require(sts.log.requests.first)
    #expect(sent.method == "POST")
    #expect(sent.header("x-amz-security-token") == token)
  }

  @Test("A variable names the address of STS and the session")
  func variables() throws {
    #expect(throws: S3CredentialProvider.Error.self) {
      try service(.fixed(keys), ["AWS_ENDPOINT_URL_STS": "file:///sts"])
    }
  }
}
