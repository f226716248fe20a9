import Foundation
import Nuke
import NukeLoaderSuite
import NukeOrigin
import Testing

@testable import NukeS3

@Suite("Requests for S3 credentials", .timeLimit(.minutes(1)))
struct CredentialRequestTests {
  private let origins = Origins()

  private typealias Failure = S3CredentialProvider.Error

  private static let json = """
    {"Code": "Success", "AccessKeyId": "me", "SecretAccessKey": "secret", "Token": "token",
    "Expiration": "2100-01-01T00:00:00Z"}
    """

  private func makeProvider(_ origin: NukeOrigin) throws -> S3CredentialProvider {
    try S3CredentialProvider(
      environment: ["AWS_EC2_METADATA_SERVICE_ENDPOINT": origin.url("/").absoluteString], region: "eu-central-1")
  }

  /// A metadata service that requires its token.
  private static func respond(_ request: NukeOrigin.Request, role: String = "my-role") -> NukeOrigin.Response {
    if request.method == "PUT", request.path == "/latest/api/token" {
      return request.header("X-aws-ec2-metadata-token-ttl-seconds") == nil ? .status(400) : .data(Data("session".utf8))
    }
    guard request.header("X-aws-ec2-metadata-token") == "session" else { return .status(401) }
    switch request.path {
    case "/latest/meta-data/iam/security-credentials/": return .data(Data(role.utf8))
    case "/latest/meta-data/iam/security-credentials/my-role": return .data(Data(json.utf8))
    default: return .status(404)
    }
  }

  @Test("The instance metadata service is asked for a token, the role, and its credentials")
  func instanceMetadata() async throws {
    let origin = try origins.start { Self.respond($0) }
    let credentials = try await makeProvider(origin).credentials()
    #expect(credentials == S3Credentials(accessKey: "me", secretKey: "secret", sessionToken: "token"))
    #expect(
      origin.log.requests.map { "\($0.method) \($0.path)" } == [
        "PUT /latest/api/token", "GET /latest/meta-data/iam/security-credentials/",
        "GET /latest/meta-data/iam/security-credentials/my-role",
      ])
  }

  @Test("An instance without a role is an error that says so")
  func noRole() async throws {
    for list in [NukeOrigin.Response.status(404), .data(Data("\n".utf8))] {
      let origin = try NukeOrigin { $0.method == "PUT" ? Self.respond($0) : list }
      defer { origin.stop() }
      let provider = try makeProvider(origin)
      await #expect(throws: Failure.noRole) { try await provider.credentials() }
    }
  }

  @Test("A service without a token, or without the role's credentials, is an error with its status")
  func refusals() async throws {
    let disabled = try origins.start { _ in .status(403) }
    let first = try makeProvider(disabled)
    await #expect(throws: Failure.refused(.instanceMetadata, status: 403, code: nil)) { try await first.credentials() }
    let other = try origins.start { Self.respond($0, role: "other/role") }
    let second = try makeProvider(other)
    await #expect(throws: Failure.refused(.instanceMetadata, status: 404, code: nil)) { try await second.credentials() }
    #expect(other.log.requests.last?.path == "/latest/meta-data/iam/security-credentials/other%2Frole")
  }

  @Test("A failure that the metadata service reports with status 200 is an error with its code")
  func reportedFailure() async throws {
    let origin = try origins.start { request in
      request.path.hasSuffix("my-role")
        ? .data(Data(#"{"Code": "AssumeRoleUnauthorizedAccess"}"#.utf8)) : Self.respond(request)
    }
    let provider = try makeProvider(origin)
    await #expect(throws: Failure.refused(.instanceMetadata, status: 200, code: "AssumeRoleUnauthorizedAccess")) {
      try await provider.credentials()
    }
  }

  @Test("A response above 64 KB, a redirect, and a closed connection are errors with their reasons")
  func unusableResponses() async throws {
    for (response, reason) in [
      (NukeOrigin.Response.data(Data(count: 65_537)), "The body is larger than the limit of 65536 bytes."),
      (
        NukeOrigin.Response.data(Data(count: 65_537)).framed(.chunked).scripted(.head, .bytes(65_537), .stall),
        "The body is larger than the limit of 65536 bytes."
      ),
      (.redirect(to: "http://127.0.0.1:1/"), "The server redirected more than 0 times."),
      (.closed, "The connection to 127.0.0.1 was lost"),
    ] {
      let origin = try NukeOrigin { _ in response }
      defer { origin.stop() }
      let provider = try makeProvider(origin)
      let error = await #expect(throws: Failure.self) { try await provider.credentials() }
      guard case .unavailable(.instanceMetadata, let told)? = error else { throw Unexpected(error) }
      #expect(told.hasPrefix(reason))
    }
  }
}
