#if Server
  import Foundation
  import Nuke
  import NukeS3

  // The stores for sources and results that speak the protocol of Amazon S3.
  extension ImageServer.Configuration {
    /// The credentials of the machine's role, which sources and results share; `nil` if it is not used.
    var s3Role: S3CredentialProvider? {
      get throws(ConfigurationError) {
        guard s3Credentials == .role else { return nil }
        do throws(S3CredentialProvider.Error) {
          return try S3CredentialProvider(environment: ProcessInfo.processInfo.environment, region: s3Region)
        } catch {
          throw ConfigurationError("s3-credentials", error.description)
        }
      }
    }

    /// The store for `s3://` sources.
    func s3Sources(_ role: S3CredentialProvider?) throws(ConfigurationError) -> S3Endpoint {
      var endpoint = try Self.s3("s3-endpoint", s3Endpoint, s3Region, s3AccessKey, s3SecretKey, role)
      guard let s3AssumedRole else { return endpoint }
      do throws(S3CredentialProvider.Error) {
        endpoint.credentials = .temporary(
          try S3CredentialProvider(
            assuming: s3AssumedRole, externalID: s3ExternalID, with: endpoint.credentials,
            environment: ProcessInfo.processInfo.environment, region: s3Region))
      } catch {
        throw ConfigurationError("s3-assume-role", error.description)
      }
      return endpoint
    }

    /// The store for results. Settings that are not specified for it are those of the store for sources.
    private func s3Results(_ role: S3CredentialProvider?) throws(ConfigurationError) -> S3Endpoint {
      let (accessKey, secretKey) =
        s3CacheAccessKey == nil ? (s3AccessKey, s3SecretKey) : (s3CacheAccessKey, s3CacheSecretKey)
      return try Self.s3(
        s3CacheEndpoint == nil ? "s3-endpoint" : "s3-cache-endpoint", s3CacheEndpoint ?? s3Endpoint,
        s3CacheRegion ?? s3Region, accessKey, secretKey, role)
    }

    private static func s3(
      _ setting: String, _ text: String?, _ region: String, _ accessKey: String?, _ secretKey: String?,
      _ role: S3CredentialProvider?
    ) throws(ConfigurationError) -> S3Endpoint {
      let credentials = accessKey.flatMap { name in secretKey.map { S3Credentials(accessKey: name, secretKey: $0) } }
      var endpoint = S3Endpoint(region: region, credentials: credentials)
      if let url = try storeURL(setting, text) {
        endpoint = S3Endpoint(url: url, region: region, credentials: credentials)
      }
      if credentials == nil, let role { endpoint.credentials = .temporary(role) }
      return endpoint
    }

    /// Reads the URL of a store.
    static func storeURL(_ setting: String, _ text: String?) throws(ConfigurationError) -> URL? {
      guard let text else { return nil }
      guard let url = URL(escaping: text), ["http", "https"].contains(url.scheme?.lowercased()), url.host != nil
      else {
        throw ConfigurationError(
          setting, "\(text.debugDescription) is not an http or https URL, such as https://store.example.com")
      }
      return url
    }

    /// Returns the S3 cache for results.
    ///
    /// - Parameters:
    ///   - metrics: receives the duration of requests.
    ///   - report: receives messages for the operator.
    func bucketResults(
      _ role: S3CredentialProvider?, metrics: PrometheusRegistry, _ report: @escaping @Sendable (String) -> Void
    ) throws(ConfigurationError) -> S3DataCache? {
      guard let s3Cache else { return nil }
      let parts = s3Cache.split(separator: "/", maxSplits: 1).map(String.init)
      let endpoint = try s3Results(role)
      var limits = S3DataCache.Configuration()
      limits.timeout = s3Timeout
      limits.connectTimeout = s3Timeout / 2
      do throws(S3DataCache.Error) {
        return try S3DataCache(
          endpoint: endpoint, bucket: parts.first ?? "", prefix: parts.count > 1 ? parts[1] : "nuke",
          configuration: limits, metricsFactory: metrics, report: report)
      } catch {
        throw ConfigurationError("s3-cache", error.description)
      }
    }
  }
#endif
