#if Server
  import Foundation
  import FoundationNetworking

  /// The access tokens of the service account of a machine in Google Cloud (Compute Engine, "About VM metadata").
  struct GoogleMetadataCredentials: CredentialService {
    private let url: URL

    var source: S3CredentialProvider.Source { .googleMetadata }

    init(_ environment: [String: String]) throws(S3CredentialProvider.Error) {
      let host = environment["GCE_METADATA_HOST"] ?? "metadata.google.internal"
      url = try CredentialExchange.url(
        "http://\(host)/computeMetadata/v1/instance/service-accounts/default/token", of: "GCE_METADATA_HOST")
    }

    func fetch(_ exchange: CredentialExchange) throws(S3CredentialProvider.Error) -> ExpiringCredentials {
      var request = URLRequest(url: url)
      request.setValue("Google", forHTTPHeaderField: "Metadata-Flavor")
      return try AccessToken.credentials(in: exchange.body(of: request), at: exchange.date, from: source)
    }
  }
#endif
