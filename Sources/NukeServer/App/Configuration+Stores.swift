#if Server
  import Foundation
  import Nuke
  import NukeS3
  import NukeServing

  // The object stores for sources.
  extension ImageServer.Configuration {
    /// The buckets of object stores that may be read.
    var buckets: [String: SourceRules.Buckets] {
      [
        "s3": .init(allowed: s3AllowedBuckets, denied: s3DeniedBuckets),
        "gs": .init(allowed: gcsAllowedBuckets, denied: gcsDeniedBuckets),
        "abs": .init(allowed: absAllowedContainers, denied: absDeniedContainers),
      ]
    }

    /// Returns the loaders of the object stores that sources may be in, by scheme.
    ///
    /// - Parameter loading: the limits of sources.
    func storeLoaders(
      _ rules: SourceRules, _ loading: DataLoader.Configuration, role: S3CredentialProvider?
    ) throws(ConfigurationError) -> [String: any DataLoading] {
      var loading = loading
      // The operator chose these addresses, so they may be private.
      loading.addressPolicy = .any
      // They may be in the network of the server. `no_proxy` then excepts them from the proxy of the environment.
      (loading.proxy, loading.proxyEnforcesAddressPolicy) = (.environment, false)
      var loaders: [String: any DataLoading] = [:]
      // All are validated, even if no source uses them.
      for (scheme, endpoint) in [
        ("s3", try s3Store(role)), ("gs", try googleStore), ("abs", try azureStore),
      ] {
        // A key may be meant for something else, and may grant access to more than clients should read.
        guard let pattern = rules.allowed.first(where: { $0.scheme == scheme }) else { continue }
        guard let endpoint else {
          throw ConfigurationError("allowed-sources", "\(pattern) needs a store: \(Self.hint(for: scheme))")
        }
        loaders[scheme] = S3DataLoader(endpoint: endpoint, configuration: loading)
      }
      return loaders
    }

    private static func hint(for scheme: String) -> String {
      switch scheme {
      case "gs": "set gcs-key, gcs-credentials, or for public buckets gcs-endpoint"
      case "abs": "set abs-name and abs-key, abs-credentials, or for public containers abs-endpoint"
      default: "set s3-access-key and s3-secret-key, s3-credentials, or for public buckets s3-endpoint"
      }
    }

    private func s3Store(_ role: S3CredentialProvider?) throws(ConfigurationError) -> S3Endpoint? {
      s3AccessKey != nil || s3Endpoint != nil || role != nil ? try s3Sources(role) : nil
    }

    /// The store for `gs://` sources; `nil` if there is none.
    private var googleStore: S3Endpoint? {
      get throws(ConfigurationError) {
        let url = try Self.storeURL("gcs-endpoint", gcsEndpoint)
        do throws(S3CredentialProvider.Error) {
          if let gcsKey {
            let provider = try S3CredentialProvider(serviceAccountKey: gcsKey)
            return .googleCloudStorage(url: url, credentials: .temporary(provider))
          }
          if gcsCredentials == .role {
            let provider = try S3CredentialProvider(googleEnvironment: ProcessInfo.processInfo.environment)
            return .googleCloudStorage(url: url, credentials: .temporary(provider))
          }
        } catch {
          throw ConfigurationError(gcsKey == nil ? "gcs-credentials" : "gcs-key", error.description)
        }
        return url.map { .googleCloudStorage(url: $0, credentials: .anonymous) }
      }
    }

    /// The store for `abs://` sources; `nil` if there is none.
    private var azureStore: S3Endpoint? {
      get throws(ConfigurationError) {
        let url = try Self.storeURL("abs-endpoint", absEndpoint)
        let name = absName ?? ""
        guard name.utf8.allSatisfy({ $0 &- 0x30 < 10 || $0 &- 0x61 < 26 }) else {
          throw ConfigurationError(
            "abs-name", "\(name.debugDescription) is not a name of lower-case letters and digits")
        }
        if let absKey {
          guard Data(base64Encoded: absKey)?.isEmpty == false else {
            throw ConfigurationError("abs-key", "it is not Base64, as Azure shows the keys of an account")
          }
          return .azureBlobStorage(
            account: name, url: url, credentials: .fixed(S3Credentials(accessKey: name, secretKey: absKey)))
        }
        if absCredentials == .role {
          do throws(S3CredentialProvider.Error) {
            let provider = try S3CredentialProvider(azureEnvironment: ProcessInfo.processInfo.environment)
            return .azureBlobStorage(account: name, url: url, credentials: .temporary(provider))
          } catch {
            throw ConfigurationError("abs-credentials", error.description)
          }
        }
        return url.map { .azureBlobStorage(account: name, url: $0, credentials: .anonymous) }
      }
    }
  }
#endif
