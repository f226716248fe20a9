import Foundation
import FoundationNetworking
import Nuke
import NukeLoaderSuite
import Testing

@testable import NukeS3

@Suite("The sources of S3 credentials", .timeLimit(.minutes(1)))
struct CredentialSourceTests {
  private typealias Failure = S3CredentialProvider.Error

  private let keys = ["AWS_ACCESS_KEY_ID": "me", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_SESSION_TOKEN": "token"]
  private let expected = S3Credentials(accessKey: "me", secretKey: "secret", sessionToken: "token")

  private func unused() -> FakeCredentialService {
    FakeCredentialService { request in
      Issue.record("\(request.url?.absoluteString ?? "")")
      return (500, "")
    }
  }

  @Test("The environment selects one source, in the order of Amazon's tools")
  func precedence() throws {
    let service = unused()
    var environment = keys.merging(FakeCredentialService.environment) { $1 }
    environment.merge(["AWS_WEB_IDENTITY_TOKEN_FILE": "/token", "AWS_ROLE_ARN": "arn:aws:iam::1:role/r"]) { $1 }
    #expect(try service.makeProvider(environment).source == .environment)
    environment["AWS_SECRET_ACCESS_KEY"] = ""
    #expect(try service.makeProvider(environment).source == .webIdentity)
    environment["AWS_WEB_IDENTITY_TOKEN_FILE"] = ""
    #expect(try service.makeProvider(environment).source == .container)
    environment["AWS_CONTAINER_CREDENTIALS_FULL_URI"] = "HTTPS://example.com/role"
    #expect(try service.makeProvider(environment).source == .container)
    environment["AWS_CONTAINER_CREDENTIALS_FULL_URI"] = nil
    #expect(try service.makeProvider(environment).source == .instanceMetadata)
    environment["AWS_EC2_METADATA_DISABLED"] = "True"
    #expect(throws: Failure.noSource) { try service.makeProvider(environment) }
  }

  @Test("Variables can contain the credentials")
  func variables() async throws {
    #expect(try await unused().makeProvider(keys).credentials() == expected)
  }

  // MARK: Web identity

  private static let xml = """
    <AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
    <AssumeRoleWithWebIdentityResult><AssumedRoleUser><Arn>arn:aws:sts::1:assumed-role/r/s</Arn></AssumedRoleUser>
    <Credentials><SessionToken>to&amp;ken</SessionToken><SecretAccessKey>secret</SecretAccessKey>
    <Expiration>2023-11-14T23:13:20.123Z</Expiration><AccessKeyId>me</AccessKeyId></Credentials>
    </AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>
    """

  private func webIdentity(_ file: URL) -> [String: String] {
    ["AWS_WEB_IDENTITY_TOKEN_FILE": file.path, "AWS_ROLE_ARN": "arn:aws:iam::1:role/r"]
  }

  @Test("STS returns the credentials of a role for a token in a file")
  func webIdentity() async throws {
    let folder = try TemporaryFolder()
    let environment = webIdentity(folder.file("token", Data("a.b+/=\n".utf8)))
    let service = FakeCredentialService { _ in (200, Self.xml) }
    let credentials = try await service.makeProvider(environment).credentials()
    #expect(credentials == S3Credentials(accessKey: "me", secretKey: "secret", sessionToken: "to&ken"))
    let request = try #require(service.requests.first)
    #expect(request.url?.absoluteString == "https://sts.eu-central-1.amazonaws.com")
    #expect(request.httpMethod == "POST")
    #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/x-www-form-urlencoded")
    #expect(
      String(decoding: request.httpBody ?? Data(), as: UTF8.self)
        == "Action=AssumeRoleWithWebIdentity&Version=2011-06-15&RoleArn=arn%3Aaws%3Aiam%3A%3A1%3Arole%2Fr"
        + "&RoleSessionName=nuke&WebIdentityToken=a.b%2B%2F%3D")
  }

  @Test("Variables select the address of STS and the name of the session")
  func webIdentityVariables() async throws {
    let folder = try TemporaryFolder()
    var environment = webIdentity(folder.file("token", Data("a".utf8)))
    environment["AWS_ENDPOINT_URL_STS"] = "http://minio:9000"
    environment["AWS_ROLE_SESSION_NAME"] = "me@here"
    let service = FakeCredentialService { _ in (200, Self.xml) }
    _ = try await service.makeProvider(environment).credentials()
    #expect(service.requests.first?.url?.absoluteString == "http://minio:9000")
    let body = String(decoding: service.requests.first?.httpBody ?? Data(), as: UTF8.self)
    #expect(body.contains("&RoleSessionName=me%40here&"))
  }

  @Test("The error of STS contains its code, but not the token that its message repeats")
  func webIdentityRefusal() async throws {
    let folder = try TemporaryFolder()
    let environment = webIdentity(folder.file("token", Data("very.secret".utf8)))
    let service = FakeCredentialService { _ in
      (400, "<ErrorResponse><Error><Code>ValidationError</Code><Message>very.secret</Message></Error></ErrorResponse>")
    }
    let provider = try service.makeProvider(environment)
    let error = Failure.refused(.webIdentity, status: 400, code: "ValidationError")
    await #expect(throws: error) { try await provider.credentials() }
    #expect(
      error.description
        == "No credentials from the security token service (STS): it answered with status 400 (ValidationError).")
  }

  @Test("A code that is not a word is not reported", arguments: ["very.secret", "a b", ""])
  func oddCode(code: String) async throws {
    let service = FakeCredentialService { _ in (403, "<Code>\(code)</Code>") }
    let provider = try service.makeProvider()
    await #expect(throws: Failure.refused(.container, status: 403, code: nil)) { try await provider.credentials() }
  }

  @Test("A token file that is missing, empty or too large is an error that names it")
  func tokenFiles() async throws {
    let folder = try TemporaryFolder()
    let files = [
      folder.url.appendingPathComponent("missing"), folder.url, folder.file("empty", Data(" \n".utf8)),
      folder.file("large", Data(repeating: 0x61, count: 65_537)),
    ]
    for file in files {
      let provider = try unused().makeProvider(webIdentity(file))
      await #expect(throws: Failure.unreadableFile(path: file.path, variable: "AWS_WEB_IDENTITY_TOKEN_FILE")) {
        try await provider.credentials()
      }
    }
  }

  @Test("The file is read again for each request, because it is replaced")
  func replacedFile() async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("token", Data("first".utf8))
    let service = FakeCredentialService { _ in (200, Self.xml) }
    let provider = try service.makeProvider(webIdentity(file))
    _ = try await provider.credentials()
    _ = folder.file("token", Data("second".utf8))
    service.advance(seconds: 3601)
    // The response has expired too, so this fails.
    await #expect(throws: Failure.expired(.webIdentity)) { try await provider.credentials() }
    let bodies = service.requests.map { String(decoding: $0.httpBody ?? Data(), as: UTF8.self) }
    #expect(bodies.map { $0.hasSuffix("=first") } == [true, false])
    #expect(bodies.last?.hasSuffix("=second") == true)
  }

  // MARK: Containers

  @Test("A container service has a path or an address, and receives the token of a variable")
  func container() async throws {
    let service = FakeCredentialService { _ in (200, FakeCredentialService.json("token")) }
    let path = ["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "/v2/credentials/1"]
    #expect(try await service.makeProvider(path).credentials() == expected)
    var address = ["AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://[fd00:ec2::23]/v1/credentials"]
    address["AWS_CONTAINER_AUTHORIZATION_TOKEN"] = "Bearer x"
    #expect(try await service.makeProvider(address).credentials() == expected)
    #expect(
      service.requests.map { $0.url?.absoluteString } == [
        "http://169.254.170.2/v2/credentials/1", "http://[fd00:ec2::23]/v1/credentials",
      ])
    #expect(service.requests.map { $0.value(forHTTPHeaderField: "Authorization") } == [nil, "Bearer x"])
  }

  @Test("The token file of a container service takes precedence over the variable")
  func containerFile() async throws {
    let folder = try TemporaryFolder()
    let service = FakeCredentialService { _ in (200, FakeCredentialService.json("token")) }
    var environment = FakeCredentialService.environment
    environment["AWS_CONTAINER_AUTHORIZATION_TOKEN"] = "other"
    environment["AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"] = folder.file("token", Data("jwt\n".utf8)).path
    _ = try await service.makeProvider(environment).credentials()
    #expect(service.requests.first?.value(forHTTPHeaderField: "Authorization") == "jwt")
  }

  @Test(
    "An invalid variable is an error that names it, before any request",
    arguments: [
      ("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "@example.com/"),
      ("AWS_CONTAINER_CREDENTIALS_FULL_URI", "http://example.com/role"),
      ("AWS_CONTAINER_CREDENTIALS_FULL_URI", "file:///role"),
      ("AWS_EC2_METADATA_SERVICE_ENDPOINT", "169.254.169.254"),
    ])
  func invalidVariables(name: String, value: String) throws {
    let error = try #require(throws: Failure.self) { try unused().makeProvider([name: value]) }
    guard case .invalidVariable(name, _) = error else { throw Unexpected(error) }
  }

  @Test("A token file needs the name of a role")
  func missingRole() throws {
    let error = try #require(throws: Failure.self) {
      try unused().makeProvider(["AWS_WEB_IDENTITY_TOKEN_FILE": "/token"])
    }
    #expect(
      error.description
        == "The environment variable AWS_ROLE_ARN is invalid: AWS_WEB_IDENTITY_TOKEN_FILE needs it, and it is not set.")
  }

  // MARK: Responses

  @Test(
    "A malformed JSON response is an error",
    arguments: [
      "", "[]", "{", "{}", #"{"AccessKeyId": "me", "SecretAccessKey": "secret", "Token": "token"}"#,
      #"{"AccessKeyId": "me", "SecretAccessKey": "secret", "Token": "token", "Expiration": "soon"}"#,
      #"{"AccessKeyId": "me", "SecretAccessKey": 1, "Token": "token", "Expiration": "2100-01-01T00:00:00Z"}"#,
      #"{"AccessKeyId": "", "SecretAccessKey": "secret", "Token": "token", "Expiration": "2100-01-01T00:00:00Z"}"#,
    ])
  func malformedJSON(json: String) async throws {
    let provider = try FakeCredentialService { _ in (200, json) }.makeProvider()
    let error = await #expect(throws: Failure.self) { try await provider.credentials() }
    guard case .malformedAnswer(.container, _)? = error else { throw Unexpected(error) }
    #expect(error?.description.contains("secret") == false)
  }

  @Test(
    "A malformed XML response is an error",
    arguments: [
      "", "<html>", "{}", "<AccessKeyId>me</AccessKeyId><SecretAccessKey>secret</SecretAccessKey><SessionToken>a",
    ])
  func malformedXML(xml: String) async throws {
    let folder = try TemporaryFolder()
    let provider = try FakeCredentialService { _ in (200, xml) }
      .makeProvider(webIdentity(folder.file("token", Data("a".utf8))))
    let error = await #expect(throws: Failure.self) { try await provider.credentials() }
    guard case .malformedAnswer(.webIdentity, _)? = error else { throw Unexpected(error) }
  }

  @Test("A response with deeply nested values or elements is an error")
  func nested() async throws {
    for json in [String(repeating: "[", count: 65_536), String(repeating: #"{"a":"#, count: 13_000)] {
      let provider = try FakeCredentialService { _ in (200, json) }.makeProvider()
      let error = await #expect(throws: Failure.self) { try await provider.credentials() }
      guard case .malformedAnswer(.container, _)? = error else { throw Unexpected(error) }
    }
    let folder = try TemporaryFolder()
    let environment = webIdentity(folder.file("token", Data("a".utf8)))
    let xml = String(repeating: "<AccessKeyId>", count: 5_000)
    let provider = try FakeCredentialService { _ in (200, xml) }.makeProvider(environment)
    let error = await #expect(throws: Failure.self) { try await provider.credentials() }
    guard case .malformedAnswer(.webIdentity, _)? = error else { throw Unexpected(error) }
  }

  @Test("Expired credentials are an error")
  func expired() async throws {
    let service = FakeCredentialService { _ in (200, FakeCredentialService.json("token", expiration: 0)) }
    let provider = try service.makeProvider()
    await #expect(throws: Failure.expired(.container)) { try await provider.credentials() }
  }

  @Test("The error of an unreachable service names the service and the reason")
  func unreachable() async throws {
    let service = FakeCredentialService { _ in
      throw DataLoader.TransferError.timedOut(.connect, host: "localhost", seconds: 2)
    }
    let provider = try service.makeProvider()
    let error = await #expect(throws: Failure.self) { try await provider.credentials() }
    #expect(
      error?.description
        == "No credentials from the container credential service: Could not connect to localhost within 2 s.")
  }

  @Test("A provider does not write its secrets into logs")
  func secrets() async throws {
    var environment = FakeCredentialService.environment
    environment["AWS_CONTAINER_AUTHORIZATION_TOKEN"] = "secret"
    let service = FakeCredentialService { _ in (200, FakeCredentialService.json("secret")) }
    let provider = try service.makeProvider(environment)
    _ = try await provider.credentials()
    var endpoint = S3Endpoint(region: "eu-central-1", credentials: nil)
    endpoint.credentials = .temporary(provider)
    var dumped = ""
    dump(endpoint, to: &dumped)
    for text in [dumped, "\(endpoint)", String(reflecting: endpoint), "\(provider)"] {
      #expect(!text.contains("secret"))
    }
    #expect("\(provider)" == "credentials from the container credential service")
  }
}
