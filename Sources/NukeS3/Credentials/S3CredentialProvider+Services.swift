import Foundation

extension S3CredentialProvider {
  /// Creates a provider for the temporary credentials of a role, which STS grants to other credentials.
  ///
  /// - Parameters:
  ///   - role: the Amazon Resource Name (ARN) of the role.
  ///   - externalID: the identifier that the role may require of those who assume it.
  ///   - credentials: the credentials that sign the requests to STS, not `.anonymous`.
  ///   - environment: the environment variables. `AWS_ROLE_SESSION_NAME` and `AWS_ENDPOINT_URL_STS` have an effect.
  ///   - region: the region whose STS is used.
  /// - Throws: an error if a variable is invalid, or if there are no credentials.
  package convenience init(
    assuming role: String, externalID: String?, with credentials: S3Endpoint.Credentials,
    environment: [String: String], region: String
  ) throws(Error) {
    self.init(
      try AssumedRoleCredentials(
        role, externalID: externalID, with: credentials, environment: environment.filter { !$0.value.isEmpty },
        region: region))
  }

  #if Server
    /// Creates a provider for the access tokens of a Google service account.
    ///
    /// - Parameter serviceAccountKey: the JSON file of a key of the account.
    /// - Throws: ``Error/invalidKey(reason:)``.
    package convenience init(serviceAccountKey: String) throws(Error) {
      self.init(try ServiceAccountCredentials(json: Data(serviceAccountKey.utf8)))
    }

    /// Creates a provider for the access tokens of a machine in Google Cloud.
    ///
    /// - Parameter environment: the environment variables. `GOOGLE_APPLICATION_CREDENTIALS` is the path of the key of a
    ///   service account, which is used instead. `GCE_METADATA_HOST` replaces the address of the metadata service.
    /// - Throws: an error if a variable or the key is invalid.
    package convenience init(googleEnvironment environment: [String: String]) throws(Error) {
      self.init(try Self.googleService(environment))
    }

    /// Creates a provider for the access tokens of the managed identity of a machine in Azure.
    ///
    /// - Parameter environment: the environment variables. `AZURE_CLIENT_ID` selects one of several identities.
    /// - Throws: an error if a variable is invalid.
    package convenience init(azureEnvironment environment: [String: String]) throws(Error) {
      self.init(try ManagedIdentityCredentials(environment.filter { !$0.value.isEmpty }))
    }

    static func googleService(_ environment: [String: String]) throws(Error) -> any CredentialService {
      let environment = environment.filter { !$0.value.isEmpty }
      let variable = "GOOGLE_APPLICATION_CREDENTIALS"
      guard let path = environment[variable] else { return try GoogleMetadataCredentials(environment) }
      return try ServiceAccountCredentials(json: Data(CredentialExchange.token(at: path, of: variable).utf8))
    }
  #endif
}
