#if Server
  import Foundation
  import Nuke
  import NukeCodecs
  import NukeS3
  import NukeSandbox
  import NukeServing
  import Tracing

  // The configurations of the parts of a server.
  extension ImageServer.Configuration {
    // MARK: URLs

    var signer: URLSigner? { signer(keys, salts) }

    /// The signer of requests to purge images; `nil` if nothing can be purged.
    var purgeSigner: URLSigner? { signer(purgeKeys, purgeSalts) }

    private func signer(_ keys: [Data], _ salts: [Data]) -> URLSigner? {
      let pairs = zip(keys, salts).map { URLSigner.Pair(key: [UInt8]($0), salt: [UInt8]($1)) }
      return pairs.isEmpty ? nil : URLSigner(pairs, size: signatureSize)
    }

    var verifier: URLVerifier {
      URLVerifier(
        signer: signer, allowsUnsigned: allowsUnsigned, trustedSignatures: Set(trustedSignatures),
        purgeSigner: purgeSigner)
    }

    /// The rules for URLs and their sources.
    var urlRules: URLRules {
      get throws(ConfigurationError) {
        var rules = URLRules()
        rules.presets = try imagePresets
        rules.hasOnlyPresets = allowsOnlyPresets
        rules.hasFilenames = ignoresFilenames
        rules.allowedOptions = Set(allowedOptions)
        rules.sources = try sourceRules
        return rules
      }
    }

    var imagePresets: ImagePresets {
      get throws(ConfigurationError) {
        let text = try presetFile.map { path throws(ConfigurationError) in try Self.text(ofPresets: path) } ?? ""
        do throws(PresetFile.Mistake) {
          return try PresetFile(text).presets(under: presets)
        } catch {
          guard let line = error.line, let presetFile else {
            throw ConfigurationError("presets", error.reason)
          }
          throw ConfigurationError("preset-file", at: "\(presetFile):\(line)", error.reason)
        }
      }
    }

    private static func text(ofPresets path: String) throws(ConfigurationError) -> String {
      guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else {
        throw ConfigurationError("preset-file", at: path, "it cannot be read")
      }
      guard let text = String(data: data, encoding: .utf8) else {
        throw ConfigurationError("preset-file", at: path, "it is not UTF-8")
      }
      return text
    }

    // MARK: Sources

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

    private var sourceRules: SourceRules {
      get throws(ConfigurationError) {
        var rules = SourceRules()
        rules.schemes = ["http", "https", "local", "s3"]
        if let baseURL {
          guard SourcePattern(baseURL) != nil else {
            throw ConfigurationError(
              "base-url", "\(baseURL.debugDescription) is not a URL, such as https://cdn.example.com/photos/")
          }
          rules.base = baseURL
        }
        rules.replacements = urlReplacements
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
      if s3AccessKey != nil || s3Endpoint != nil || role != nil {
        // Validated even if no source uses it.
        let endpoint = try s3Sources(role)
        // The key may be meant only for the result cache, and may grant access to more than clients should read.
        if rules.allowed.contains(where: { $0.scheme == "s3" }) {
          var own = loading
          // The operator chose this address, so it may be private.
          own.addressPolicy = .any
          // It may be in the own network, and is excepted from the environment's proxy by `no_proxy` then.
          (own.proxy, own.proxyEnforcesAddressPolicy) = (.environment, false)
          loaders["s3"] = S3DataLoader(endpoint: endpoint, configuration: own)
        }
      }
      return SourceLoader(loaders, rules: rules)
    }

    /// The contents of the fallback image, if it is a file.
    private var fallbackFile: Data? {
      get throws(ConfigurationError) {
        guard let path = fallbackImage, !path.contains("://") else { return nil }
        return try Self.image("fallback-image", path).data
      }
    }

    /// Returns the image to send in place of one whose source cannot be loaded.
    ///
    /// - Parameter rules: the rules for its URL.
    func fallback(_ rules: SourceRules) throws(ConfigurationError) -> FallbackImage? {
      guard let fallbackImage else { return nil }
      // The name contains the hash of the file, so that the results of another file have other keys.
      let text = try fallbackFile.map { "\(SourceRules.fallbackScheme):///\(Self.hash(of: $0))" } ?? fallbackImage
      do throws(ServingError) {
        return FallbackImage(
          source: try rules.source(text), status: fallbackStatus == 0 ? nil : fallbackStatus, freshness: fallbackTTL)
      } catch {
        throw ConfigurationError("fallback-image", at: fallbackImage, error.description)
      }
    }

    /// Returns the URL of the watermark; `nil` if it is a file or there is none.
    ///
    /// - Parameter rules: the rules for its URL.
    func watermarkURL(_ rules: SourceRules) throws(ConfigurationError) -> URL? {
      guard let watermark, watermark.contains("://") else { return nil }
      do throws(ServingError) {
        return try rules.source(watermark)
      } catch {
        throw ConfigurationError("watermark", at: watermark, error.description)
      }
    }

    var loading: DataLoader.Configuration {
      get throws(ConfigurationError) {
        var loading = DataLoader.defaultConfiguration
        loading.isLocalResourcesSupportEnabled = false
        loading.connectTimeout = connectTimeout
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
        loading.addressPolicy = .publicOnly
        for text in allowedPrivateAddresses {
          guard let block = AddressBlock(text) else {
            throw ConfigurationError(
              "allow-private-addresses",
              "\(text.debugDescription) is neither an address nor a network, such as 10.1.0.0/16")
          }
          loading.addressPolicy.allowed.append(block)
        }
        if let proxy {
          // Who sets a proxy relies on it to refuse addresses.
          (loading.proxy, loading.proxyEnforcesAddressPolicy) = (.url(proxy), true)
        }
        return loading
      }
    }

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
    private func s3Sources(_ role: S3CredentialProvider?) throws(ConfigurationError) -> S3Endpoint {
      try Self.s3("s3-endpoint", s3Endpoint, s3Region, s3AccessKey, s3SecretKey, role)
    }

    /// The store for results: that for sources, unless it has settings of its own.
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
      if let text {
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme), url.host != nil else {
          throw ConfigurationError(
            setting, "\(text.debugDescription) is not a URL, such as https://store.example.com")
        }
        endpoint = S3Endpoint(url: url, region: region, credentials: credentials)
      }
      if credentials == nil, let role { endpoint.credentials = .temporary(role) }
      return endpoint
    }

    private var localSource: LocalSource {
      get throws(ConfigurationError) {
        for (name, path) in localRoots {
          var isFolder: ObjCBool = false
          guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
            throw ConfigurationError(
              "local-roots", at: name.isEmpty ? path : "\(name)=\(path)", "there is no such folder")
          }
        }
        return LocalSource(roots: localRoots.mapValues { URL(fileURLWithPath: $0) }, maximumSize: sourceByteLimit)
      }
    }

    // MARK: Images

    private var codecLimits: CodecLimits {
      CodecLimits(maximumPixelCount: sourcePixelLimit, maximumFrameCount: frameLimit)
    }

    var renderer: Renderer {
      get throws(ConfigurationError) {
        var limits = RenderLimits()
        limits.maximumSourceBytes = sourceByteLimit
        limits.source = codecLimits
        limits.maximumAnimationFrames = animationFrameLimit
        limits.maximumResultPixels = resultPixelLimit
        limits.maximumResultBytes = resultByteLimit
        limits.maximumTrimmingBytes = service.decodeBudget
        var settings = RenderSettings()
        settings.stripsMetadata = stripsMetadata
        settings.keepsCopyright = keepsCopyright
        settings.keepsLocation = keepsLocation
        settings.sendsSVG = sendsSVG
        settings.writesProgressiveJPEG = writesProgressiveJPEG
        for format in ImageFormat.writable where format == .jpeg || settings.qualities[format] == nil {
          settings.qualities[format] = quality
        }
        settings.qualities.merge(formatQuality) { $1 }
        settings.longestSide = resultSideLimit
        settings.efforts = formatEffort.mapValues { Double($0) / 100 }
        settings.usesThumbnails = usesThumbnails
        settings.watermarkOpacity = Double(watermarkOpacity) / 100
        var image: Watermark?
        if let watermark, !watermark.contains("://") {
          image = try Self.watermark(watermark, opacity: watermarkOpacity)
        }
        return Renderer(limits: limits, settings: settings, watermark: image)
      }
    }

    private static func watermark(_ path: String, opacity: Int) throws(ConfigurationError) -> Watermark {
      let (data, image) = try image("watermark", path)
      return Watermark(image: image, id: hash(of: data), opacity: Double(opacity) / 100)
    }

    /// Reads the image file of a setting.
    private static func image(
      _ setting: String, _ path: String
    ) throws(ConfigurationError) -> (data: Data, image: PlatformImage) {
      guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else {
        throw ConfigurationError(setting, at: path, "it cannot be read")
      }
      guard let image = PlatformImage(data: data) else {
        throw ConfigurationError(setting, at: path, "it is not an image that can be read")
      }
      return (data, image)
    }

    /// Returns the FNV-1a hash of a file, so that all machines use the same name for the same image.
    private static func hash(of data: Data) -> String {
      String(data.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }, radix: 16)
    }

    // MARK: Concurrency and results

    var service: ServiceConfiguration {
      var service = ServiceConfiguration()
      service.memoryLimit = memoryCacheSize
      service.defaultTimeToLive = ttl
      service.usesSourceFreshness = usesSourceFreshness
      service.deadline = requestTimeout
      service.maximumWaiting = queueLength
      // Each store has its own time limit, so the service must not end look-ups earlier.
      service.storeTimeout = max(service.storeTimeout, redisTimeout, s3Timeout)
      if let decodeBudget { service.decodeBudget = decodeBudget }
      if let workers { service.maximumRunning = workers }
      return service
    }

    /// Creates the pool of sandboxed processes that render images.
    func sandbox(
      _ renderer: Renderer, report: @escaping @Sendable (String) -> Void
    ) throws(ConfigurationError) -> RenderSandbox {
      let service = service
      var sandbox = SandboxConfiguration()
      sandbox.workerCount = service.maximumRunning + 1
      sandbox.imagesPerWorker = sandboxImages
      sandbox.program = sandboxProgram
      sandbox.timeLimit = requestTimeout
      sandbox.memoryLimit = service.decodeBudget + (512 << 20)
      do throws(SandboxError) {
        return try RenderSandbox(renderer: renderer, configuration: sandbox, report: report)
      } catch {
        throw ConfigurationError("sandbox", error.description)
      }
    }

    /// The disk cache for results.
    var diskResults: DataCache? {
      get throws(ConfigurationError) {
        guard let diskCache else { return nil }
        return try folder("disk-cache", diskCache) { url in
          let cache = try DataCache(path: url)
          cache.sizeLimit = diskCacheSize
          return cache
        }
      }
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

    private func folder<Value>(
      _ setting: String, _ path: String, _ open: (URL) throws -> Value
    ) throws(ConfigurationError) -> Value {
      do {
        return try open(URL(fileURLWithPath: path, isDirectory: true))
      } catch {
        throw ConfigurationError(setting, at: path, "\(error)")
      }
    }

    // MARK: Responses

    /// The header fields and cookies that sources receive.
    var passthrough: FieldPassthrough {
      get throws(ConfigurationError) {
        guard !passedCookies.isEmpty else { return FieldPassthrough(fields: passedHeaders) }
        guard let cookieBaseURL else { throw ConfigurationError("cookie-passthrough", "cookie-base-url is not set") }
        guard let sources = SourcePattern(cookieBaseURL), ["http", "https"].contains(sources.scheme) else {
          throw ConfigurationError(
            "cookie-base-url", "\(cookieBaseURL.debugDescription) is not a URL, such as https://photos.example.com/")
        }
        return FieldPassthrough(
          fields: passedHeaders,
          cookies: .init(passedCookies.contains("*") ? nil : Set(passedCookies), to: sources))
      }
    }

    /// - Parameter passthrough: the fields that sources receive.
    func answers(_ passthrough: FieldPassthrough) -> AnswerSettings {
      var answers = AnswerSettings()
      answers.passthrough = passthrough
      answers.offeredFormats = negotiatedFormats
      answers.clientHints = usesClientHints ? [.dpr, .width] : []
      answers.freshness = ttl
      answers.sendsSizes = sendsSizes
      answers.allowedOrigins =
        corsOrigins.isEmpty ? .none : corsOrigins.contains("*") ? .any : .only(Set(corsOrigins))
      return answers
    }
  }
#endif
