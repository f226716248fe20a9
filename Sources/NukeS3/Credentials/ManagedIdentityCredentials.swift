#if Server
  import Foundation
  import FoundationNetworking

  /// The access tokens of the managed identity of a machine in Azure (Microsoft Entra, "How to use managed identities
  /// for Azure resources on an Azure VM to acquire an access token").
  struct ManagedIdentityCredentials: CredentialService {
    private let url: URL

    var source: S3CredentialProvider.Source { .managedIdentity }

    init(_ environment: [String: String]) throws(S3CredentialProvider.Error) {
      let host = environment["AZURE_POD_IDENTITY_AUTHORITY_HOST"] ?? "http://169.254.169.254"
      var text = "\(host)/metadata/identity/oauth2/token?api-version=2018-02-01&resource="
      text += S3Requests.escaped("https://storage.azure.com/")
      // Selects one of several identities.
      if let client = environment["AZURE_CLIENT_ID"] { text += "&client_id=\(S3Requests.escaped(client))" }
      url = try CredentialExchange.url(text, of: "AZURE_POD_IDENTITY_AUTHORITY_HOST")
    }

    func fetch(_ exchange: CredentialExchange) throws(S3CredentialProvider.Error) -> ExpiringCredentials {
      var request = URLRequest(url: url)
      request.setValue("true", forHTTPHeaderField: "Metadata")
      return try AccessToken.credentials(in: exchange.body(of: request), at: exchange.date, from: source)
    }
  }
#endif
