#if Server
  import Foundation
  import Nuke
  import NukeS3
  import NukeServing
  import Tracing

  // The settings for loading sources.
  extension ImageServer.Configuration {
    func pipeline(
      metrics: PrometheusRegistry, tracer: any Tracer, role: S3CredentialProvider?
    ) throws(ConfigurationError) -> ImagePipeline.Configuration {
      var pipeline =
        workers.map { ImagePipeline.Configuration.server(processorCount: $0) } ?? ImagePipeline.Configuration.server
      pipeline.dataLoader = try sourceLoader(role)
      pipeline.imageCache = nil
      pipeline.maximumResponseDataSize = sourceByteLimit
      pipeline.codecLimits = codecLimits
      pipeline.metricsFactory = metrics
      if !(tracer is NoOpTracer) { pipeline.tracer = tracer }
      return pipeline
    }

    var sourceRules: SourceRules {
      get throws(ConfigurationError) {
        var rules = SourceRules()
        rules.schemes = ["http", "https", "local", "s3", "gs", "abs"]
        rules.buckets = buckets
        if let baseURL {
          guard SourcePattern(baseURL) != nil else {
            throw ConfigurationError(
              "base-url",
              "\(baseURL.debugDescription) is not the beginning of a URL, such as https://cdn.example.com/photos/")
          }
          rules.base = baseURL
        }
        rules.replacements = urlReplacements
        rules.querySeparator = querySeparator
        for text in allowedSources {
          guard let pattern = SourcePattern(text) else {
            throw ConfigurationError(
              "allowed-sources", "\(text.debugDescription) is not the beginning of a URL, such as https://example.com/")
          }
          rules.allowed.append(pattern)
        }
        return rules
      }
    }

    private func sourceLoader(_ role: S3CredentialProvider?) throws(ConfigurationError) -> SourceLoader {
      let rules = try sourceRules
      let loading = try loading
      let web = DataLoader(configuration: loading)
      var loaders: [String: any DataLoading] = ["http": web, "https": web]
      if !localRoots.isEmpty { loaders["local"] = try localSource }
      if let file = try fallbackFile { loaders[SourceRules.fallbackScheme] = FixedDataLoader(file) }
      loaders.merge(try storeLoaders(rules, loading, role: role)) { first, _ in first }
      return SourceLoader(loaders, rules: rules)
    }

    var loading: DataLoader.Configuration {
      get throws(ConfigurationError) {
        var loading = DataLoader.defaultConfiguration
        loading.isLocalResourcesSupportEnabled = false
        loading.listsFormats = negotiatesSources
        loading.connectTimeout = connectTimeout
        if let userAgent { loading.userAgent = userAgent }
        loading.resourceTimeout = sourceTimeout
        loading.maximumRedirects = redirectLimit
        loading.maximumBodySize = sourceByteLimit
        loading.dialing = dialing
        loading.privateFields = try passthrough.names
        loading.urlCache = try sourceCache.map { path throws(ConfigurationError) in
          let cache = try folder("source-cache", path) { try HTTPCache(path: $0, diskCapacity: sourceCacheSize) }
          cache.policy.storesPrivateResponses = false
          return cache
        }
        loading.addressPolicy = try addressPolicy
        if let proxy {
          // The operator relies on the proxy to refuse addresses.
          (loading.proxy, loading.proxyEnforcesAddressPolicy) = (.url(proxy), true)
        }
        return loading
      }
    }

    /// The addresses that sources may have.
    var addressPolicy: AddressPolicy {
      get throws(ConfigurationError) {
        var policy = AddressPolicy.publicOnly
        for text in allowedPrivateAddresses {
          guard let block = AddressBlock(text) else {
            throw ConfigurationError(
              "allow-private-addresses",
              "\(text.debugDescription) is neither an address nor a network, such as 10.1.0.0/16")
          }
          policy.allowed.append(block)
        }
        return policy
      }
    }

    private var localSource: LocalSource {
      get throws(ConfigurationError) {
        for path in localRoots.values.sorted() {
          var isFolder: ObjCBool = false
          guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
            throw ConfigurationError("local-roots", "there is no folder \(path): create it, or set another one")
          }
        }
        return LocalSource(roots: localRoots.mapValues { URL(fileURLWithPath: $0) }, maximumSize: sourceByteLimit)
      }
    }
  }
#endif
