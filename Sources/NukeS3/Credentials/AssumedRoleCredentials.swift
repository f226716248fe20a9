import Dispatch
import Foundation
import FoundationNetworking
import Nuke

/// Exchanges other credentials for temporary credentials of a role (AWS STS API reference, "AssumeRole").
struct AssumedRoleCredentials: CredentialService {
  private let role: String
  private let externalID: String?
  private let base: S3Endpoint.Credentials
  private let region: String
  private let service: SecurityTokenService

  var source: S3CredentialProvider.Source { .assumedRole }

  /// - Parameters:
  ///   - externalID: the identifier that the role may require of those who assume it.
  ///   - base: the credentials that are exchanged.
  init(
    _ role: String, externalID: String?, with base: S3Endpoint.Credentials, environment: [String: String],
    region: String
  ) throws(S3CredentialProvider.Error) {
    guard base != .anonymous else { throw .noSource }
    self.role = role
    self.externalID = externalID
    self.base = base
    self.region = region
    service = try SecurityTokenService(environment, region: region)
  }

  func fetch(_ exchange: CredentialExchange) throws(S3CredentialProvider.Error) -> ExpiringCredentials {
    switch base {
    case .anonymous: throw .noSource
    case .fixed(let credentials): return try fetch(exchange, with: credentials)
    case .temporary(let provider):
      let credentials = try provider.awaitCredentials()
      do throws(S3CredentialProvider.Error) {
        return try fetch(exchange, with: credentials)
      } catch {
        // They may have been revoked.
        if case .refused = error { provider.reject(credentials) }
        throw error
      }
    }
  }

  private func fetch(
    _ exchange: CredentialExchange, with credentials: S3Credentials
  ) throws(S3CredentialProvider.Error) -> ExpiringCredentials {
    var request =
      if let externalID {
        service.request("AssumeRole", role, ("ExternalId", externalID))
      } else {
        service.request("AssumeRole", role)
      }
    if let token = credentials.sessionToken { request.setValue(token, forHTTPHeaderField: "x-amz-security-token") }
    let signature = SignatureV4(
      accessKey: credentials.accessKey, secretKey: credentials.secretKey, region: region, service: "sts")
    return try ExpiringCredentials(
      xml: exchange.body(of: request, signedWith: .signatureV4(signature)), from: source)
  }
}

extension S3CredentialProvider {
  /// Returns valid credentials. Blocks the calling thread while they are fetched.
  fileprivate func awaitCredentials() throws(Error) -> S3Credentials {
    let done = DispatchSemaphore(value: 0)
    let result = Lock<State.Outcome>(.failure(.noSource))
    withCredentials { outcome in
      result.withLock { $0 = outcome }
      done.signal()
    }
    done.wait()
    return try result.withLock { $0 }.get()
  }
}
