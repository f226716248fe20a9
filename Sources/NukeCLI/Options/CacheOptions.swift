#if Command
  import ArgumentParser
  import Nuke

  /// The options for the disk cache.
  struct CacheOptions: ParsableArguments {
    enum Policy: String, ExpressibleByArgument, CaseIterable {
      case ignore, respect, revalidate

      var policy: ImagePipeline.FreshnessPolicy {
        switch self {
        case .ignore: .ignore
        case .respect: .respect
        case .revalidate: .revalidate
        }
      }

      static let allValueDescriptions = [
        "ignore": "use cached images, however old, until they are evicted",
        "respect": "validate stale images with the server",
        "revalidate": "validate all images, except fresh ones that never change (immutable)",
      ]
    }

    enum Stored: String, ExpressibleByArgument, CaseIterable {
      case original, encoded, automatic, all

      var policy: ImagePipeline.DataCachePolicy {
        switch self {
        case .original: .storeOriginalData
        case .encoded: .storeEncodedImages
        case .automatic: .automatic
        case .all: .storeAll
        }
      }

      static let allValueDescriptions = [
        "original": "the downloaded data",
        "encoded": "the resulting images, encoded",
        "automatic": "encoded images if they were processed, otherwise originals",
        "all": "originals and encoded images",
      ]
    }

    @Option(
      help: ArgumentHelp(
        "Cache downloads in this folder. It is created if necessary; one with other files is rejected.",
        valueName: "folder"),
      completion: .directory)
    var cache: String?

    @Option(
      help: ArgumentHelp(
        "How to treat the freshness of cached images. (default: respect)", discussion: "", valueName: "policy"))
    var cachePolicy: Policy?

    @Option(
      help: ArgumentHelp(
        """
        Size limit of --cache, in bytes or as 500K, 20M, 1G. The least recently used images are evicted. (default: \
        150 MiB, or the current size if it is larger)
        """, valueName: "bytes"))
    var cacheSize: ByteLimit?

    @Option(
      help: ArgumentHelp("What to store in --cache. (default: original)", discussion: "", valueName: "what"))
    var store: Stored?

    @Option(
      help: ArgumentHelp(
        "Use images that have been stale for at most this long without validation, unless the server forbids it.",
        valueName: "seconds"))
    var maxStale: Double?

    @Flag(help: "Send no requests. Use images in --cache, however old, and local files; everything else fails.")
    var offline = false

    @Flag(help: "Ignore the images in --cache, and replace them.")
    var reload = false

    func validate() throws {
      if cache == "" { throw ValidationError("--cache needs a folder.") }
      if cache == nil {
        try reject([
          "--cache-policy": cachePolicy != nil, "--cache-size": cacheSize != nil, "--store": store != nil,
          "--reload": reload, "--max-stale": maxStale != nil,
        ]) { "\($0) needs --cache." }
      }
      if let maxStale, !(maxStale >= 0) { throw ValidationError("--max-stale must be 0 seconds or more.") }
      if maxStale != nil, let cachePolicy, cachePolicy != .respect {
        throw ValidationError("Use either --max-stale or --cache-policy \(cachePolicy.rawValue).")
      }
      if offline, reload { throw ValidationError("Use either --offline or --reload.") }
    }

    /// The freshness policy of the pipeline. Without a cache folder, it is ``ImagePipeline/FreshnessPolicy/ignore``:
    /// each image is loaded once, and none is stored after the command has ended.
    var freshnessPolicy: ImagePipeline.FreshnessPolicy {
      cache == nil ? .ignore : (cachePolicy ?? .respect).policy
    }

    /// Returns the request for a source. Throws if the source is unusable.
    func request(
      for source: Source, _ processors: [any ImageProcessing], _ limits: TransferLimits
    ) throws(LoadFailure) -> ImageRequest {
      var request = try source.request(limit: limits.byteLimit)
      request.processors = processors
      if source.pipe == nil {
        request.options.formUnion(offline ? .returnCacheDataDontLoad : reload ? .reloadIgnoringCachedData : [])
      }
      request.maxStale = maxStale
      return request
    }

    /// Returns the request for a source, processed by the command's options. Throws if the source is unusable.
    func request(
      for source: Source, _ processing: ProcessingOptions, _ limits: TransferLimits
    ) throws(LoadFailure) -> ImageRequest {
      var request = try request(for: source, [], limits)
      processing.apply(to: &request)
      return request
    }
  }
#endif
