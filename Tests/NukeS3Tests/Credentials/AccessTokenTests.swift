#if Server
  import Foundation
  import FoundationNetworking
  import Nuke
  import NukeLoaderSuite
  import Testing

  @testable import NukeS3

  @Suite("Access tokens")
  struct AccessTokenTests {
    private typealias Failure = S3CredentialProvider.Error

    private static let answer = #"{"access_token": "token", "expires_in": 3599, "token_type": "Bearer"}"#
    private let expected = S3Credentials(accessToken: "token")

    private func body(_ request: URLRequest?) -> String { String(decoding: request?.httpBody ?? Data(), as: UTF8.self) }

    // MARK: Service accounts

    /// The claims of the key at the time of the fake clock, and their signature by `openssl dgst -sha256 -sign`.
    private static let assertion =
      "eyJhbGciOiJSUzI1NiIsImtpZCI6ImsxIiwidHlwIjoiSldUIn0.eyJhdWQiOiJodHRwczovL29hdXRoMi5leGFtcGxlLmNvbS90"
      + "b2tlbiIsImV4cCI6MTcwMDAwMzYwMCwiaWF0IjoxNzAwMDAwMDAwLCJpc3MiOiJyZWFkZXJAcHJvamVjdC5pYW0uZ3NlcnZpY2Vh"
      + "Y2NvdW50LmNvbSIsInNjb3BlIjoiaHR0cHM6Ly93d3cuZ29vZ2xlYXBpcy5jb20vYXV0aC9kZXZzdG9yYWdlLnJlYWRfb25seSJ9"
      + ".DsBr6XEUGn8Y-iR9CgSmKcTLF6vHkPgto02yHE5kvrunvr1N_26req8NcJ85PvdUaIJQaRgqAKRkVkHuKjOPaAGCGhoSlVEyWoW"
      + "eFjkCadm6uQYMhu2Gevb2ZOzQhwMkSgxBopOO7AsxNIcW118uSuGRTuDnBt35V_dT0VF3CYo"

    @Test("The key of a service account signs a token that is exchanged for an access token")
    func serviceAccount() async throws {
      let service = FakeCredentialService { _ in (200, Self.answer) }
      let account = try ServiceAccountCredentials(json: Data(ServiceAccountKey.json().utf8))
      let provider = service.makeProvider(of: account)
      #expect(try await provider.credentials() == expected)
      let request = try #require(service.requests.first)
      #expect(request.url?.absoluteString == "https://oauth2.example.com/token")
      #expect(request.httpMethod == "POST")
      #expect(
        body(request)
          == "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=\(Self.assertion)")
      #expect(service.signatures == [nil])
    }

    @Test("An access token is replaced five minutes before it expires")
    func expiration() async throws {
      let service = FakeCredentialService { _ in (200, Self.answer) }
      let account = try ServiceAccountCredentials(json: Data(ServiceAccountKey.json().utf8))
      let provider = service.makeProvider(of: account)
      _ = try await provider.credentials()
      service.advance(seconds: 3298)
      _ = try await provider.credentials()
      #expect(service.requests.count == 1)
      service.advance(seconds: 301)
      _ = try await provider.credentials()
      #expect(service.requests.count == 2)
    }

    @Test(
      "A file that is not the key of a service account is an error that says why, and contains nothing of it",
      arguments: [
        ("", "it is not a JSON object"), ("[]", "it is not a JSON object"), ("{", "it is not a JSON object"),
        (ServiceAccountKey.json(["type": "authorized_user"]), "its type is not service_account"),
        (ServiceAccountKey.json(["type": nil]), "its type is not service_account"),
        (ServiceAccountKey.json(["client_email": ""]), "it has no client_email"),
        (ServiceAccountKey.json(["private_key": "secret"]), "it has no valid private_key"),
        (
          ServiceAccountKey.json([
            "private_key": "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIIB\n-----END ENCRYPTED PRIVATE KEY-----\n"
          ]), "it has no valid private_key"
        ),
        (ServiceAccountKey.json(["token_uri": "file:///token"]), "its token_uri is not an HTTP address"),
        (ServiceAccountKey.json(["token_uri": nil]), "its token_uri is not an HTTP address"),
      ])
    func malformedKeys(json: String, reason: String) {
      let error = #expect(throws: Failure.self) { try S3CredentialProvider(serviceAccountKey: json) }
      #expect(error == .invalidKey(reason: reason))
      #expect(error?.description == "The key of the Google service account is invalid: \(reason).")
    }

    @Test("The error of the token service contains its code, but not its description")
    func refusal() async throws {
      let service = FakeCredentialService { _ in
        (400, #"{"error": "invalid_grant", "error_description": "very.secret"}"#)
      }
      let account = try ServiceAccountCredentials(json: Data(ServiceAccountKey.json().utf8))
      let error = await #expect(throws: Failure.self) { try await service.makeProvider(of: account).credentials() }
      #expect(
        error?.description
          == "No credentials from Google's token service: it answered with status 400 (invalid_grant).")
    }

    // MARK: Machines

    @Test("The metadata service of Google Cloud returns tokens")
    func googleMetadata() async throws {
      let service = FakeCredentialService { _ in (200, Self.answer) }
      for environment in [[:], ["GCE_METADATA_HOST": "localhost:8080"]] {
        let source = try S3CredentialProvider.googleService(environment)
        #expect(try await service.makeProvider(of: source).credentials() == expected)
      }
      let path = "/computeMetadata/v1/instance/service-accounts/default/token"
      #expect(
        service.requests.map { $0.url?.absoluteString }
          == ["http://metadata.google.internal\(path)", "http://localhost:8080\(path)"])
      #expect(service.requests.map { $0.value(forHTTPHeaderField: "Metadata-Flavor") } == ["Google", "Google"])
    }

    @Test("A variable names the file of a key, which is used in place of the metadata service")
    func applicationCredentials() async throws {
      let folder = try TemporaryFolder()
      let file = folder.file("key.json", Data(ServiceAccountKey.json().utf8))
      let service = FakeCredentialService { _ in (200, Self.answer) }
      let variable = "GOOGLE_APPLICATION_CREDENTIALS"
      let source = try S3CredentialProvider.googleService([variable: file.path])
      #expect(try await service.makeProvider(of: source).credentials() == expected)
      #expect(service.requests.first?.url?.host == "oauth2.example.com")
      let missing = folder.url.appendingPathComponent("missing").path
      #expect(throws: Failure.unreadableFile(path: missing, variable: variable)) {
        try S3CredentialProvider(googleEnvironment: [variable: missing])
      }
    }

    @Test("The metadata service of Azure returns tokens of a managed identity, whose lifetime is a text")
    func managedIdentity() async throws {
      let service = FakeCredentialService { _ in (200, #"{"access_token": "token", "expires_in": "86399"}"#) }
      for environment in [[:], ["AZURE_CLIENT_ID": "a b"]] {
        let provider = service.makeProvider(of: try ManagedIdentityCredentials(environment))
        #expect(try await provider.credentials() == expected)
      }
      let address =
        "http://169.254.169.254/metadata/identity/oauth2/token?api-version=2018-02-01"
        + "&resource=https%3A%2F%2Fstorage.azure.com%2F"
      #expect(service.requests.map { $0.url?.absoluteString } == [address, "\(address)&client_id=a%20b"])
      #expect(service.requests.map { $0.value(forHTTPHeaderField: "Metadata") } == ["true", "true"])
    }

    @Test(
      "A malformed response is an error without its secrets",
      arguments: [
        "", "[]", "{}", #"{"access_token": "secret"}"#, #"{"access_token": "secret", "expires_in": 0}"#,
        #"{"access_token": "secret", "expires_in": -1}"#, #"{"access_token": "secret", "expires_in": 1e300}"#,
        #"{"access_token": "secret", "expires_in": "soon"}"#, #"{"access_token": "", "expires_in": 1}"#,
        #"{"access_token": 1, "expires_in": 1}"#, String(repeating: "[", count: 65_536),
      ])
    func malformed(json: String) async throws {
      let service = FakeCredentialService { _ in (200, json) }
      let provider = service.makeProvider(of: try GoogleMetadataCredentials([:]))
      let error = await #expect(throws: Failure.self) { try await provider.credentials() }
      guard case .malformedAnswer(.googleMetadata, _)? = error else { throw Unexpected(error) }
      #expect(error?.description.contains("secret") == false)
    }

    @Test("Neither a provider nor its endpoint writes a key or a token into logs")
    func secrets() async throws {
      let service = FakeCredentialService { _ in (200, #"{"access_token": "secret", "expires_in": 3600}"#) }
      let account = try ServiceAccountCredentials(json: Data(ServiceAccountKey.json().utf8))
      let provider = service.makeProvider(of: account)
      let token = try await provider.credentials()
      let endpoints = [
        S3Endpoint.googleCloudStorage(credentials: .temporary(provider)),
        .azureBlobStorage(
          account: "nuke", credentials: .fixed(S3Credentials(accessKey: "nuke", secretKey: "secret"))),
      ]
      for value in endpoints as [Any] + [token, provider] {
        var dumped = ""
        dump(value, to: &dumped)
        for text in [dumped, "\(value)", String(reflecting: value)] {
          #expect(!text.contains("secret") && !text.contains("PRIVATE"))
        }
      }
      #expect("\(provider)" == "credentials from Google's token service")
    }
  }
#endif
