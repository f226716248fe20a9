import Nuke

extension S3Endpoint {
  /// A service that stores objects. The services differ in the URLs of objects, and in the authorization of requests.
  package enum Service: Sendable, Hashable {
    case amazonS3
    #if Server
      /// Google Cloud Storage, whose XML API has the URLs of Amazon's (Google Cloud Storage reference, "XML API").
      case googleCloudStorage
      /// Azure Blob Storage. Its containers are buckets, and its blobs are objects (Azure Storage REST API, "Get Blob").
      case azureBlobStorage
    #endif

    /// The scheme of the URLs of objects.
    var scheme: String {
      switch self {
      case .amazonS3: "s3"
      #if Server
        case .googleCloudStorage: "gs"
        case .azureBlobStorage: "abs"
      #endif
      }
    }

    /// The name of the query item that selects a version; `nil` if a URL cannot select one.
    var versionItem: String? {
      switch self {
      case .amazonS3: "versionId"
      #if Server
        case .googleCloudStorage: "generation"
        case .azureBlobStorage: nil
      #endif
      }
    }

    /// The status with which the service rejects credentials that have expired.
    var expiryStatus: Int {
      switch self {
      // `ExpiredToken` has this status. The code itself is in the body, which responses to HEAD do not have.
      case .amazonS3: 400
      #if Server
        case .googleCloudStorage, .azureBlobStorage: 401
      #endif
      }
    }

    /// Returns the authorization of requests with these credentials.
    func signing(with credentials: S3Credentials, region: String) -> RequestSigning {
      switch self {
      case .amazonS3:
        .signatureV4(
          SignatureV4(
            accessKey: credentials.accessKey, secretKey: credentials.secretKey, region: region, service: "s3"))
      #if Server
        case .googleCloudStorage: .accessToken(credentials)
        case .azureBlobStorage:
          if credentials.sessionToken == nil {
            .sharedKey(credentials)
          } else {
            .accessToken(credentials, SharedKeySignature.versionField)
          }
      #endif
      }
    }
  }
}
