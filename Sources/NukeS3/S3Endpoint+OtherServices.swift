#if Server
  package import Foundation

  extension S3Endpoint {
    /// Creates an endpoint of Google Cloud Storage, for the URLs `gs://bucket/object`.
    ///
    /// - Parameters:
    ///   - url: the URL of the service; `nil` for Google's.
    ///   - credentials: access tokens, as from ``S3CredentialProvider/init(serviceAccountKey:)``, or none.
    package static func googleCloudStorage(url: URL? = nil, credentials: Credentials) -> S3Endpoint {
      make(.googleCloudStorage, url, "https://storage.googleapis.com", credentials)
    }

    /// Creates an endpoint of Azure Blob Storage, for the URLs `abs://container/blob`.
    ///
    /// - Parameters:
    ///   - account: the name of the storage account.
    ///   - url: the URL of the account; `nil` for Azure's.
    ///   - credentials: the account's name and its key in Base64, access tokens, or none.
    package static func azureBlobStorage(account: String, url: URL? = nil, credentials: Credentials) -> S3Endpoint {
      make(.azureBlobStorage, url, "https://\(account).blob.core.windows.net", credentials)
    }

    private static func make(
      _ service: Service, _ url: URL?, _ text: String, _ credentials: Credentials
    ) -> S3Endpoint {
      var endpoint = S3Endpoint(url: url ?? URL(string: text) ?? URL(fileURLWithPath: "/"), credentials: nil)
      (endpoint.service, endpoint.credentials) = (service, credentials)
      return endpoint
    }
  }
#endif
