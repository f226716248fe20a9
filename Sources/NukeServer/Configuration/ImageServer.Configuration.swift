#if Server
  public import Foundation
  public import Logging
  package import Nuke
  public import NukeCodecs
  public import NukeServing

  extension ImageServer {
    /// The settings of an image server: the address, the sources, the limits, and everything else `nuke serve` has a
    /// flag for.
    ///
    /// The defaults serve only signed URLs, and only on a loopback address. Sizes are in bytes and times in seconds.
    public struct Configuration: Sendable, Hashable {
      // MARK: Listening

      /// The address to listen on. The default is `127.0.0.1`. `0.0.0.0` stands for all addresses of IPv4, and `::` for
      /// those of IPv6 and IPv4. On a machine without IPv6, `::` means `0.0.0.0`.
      public var host = "127.0.0.1"
      /// The port to listen on. The default is 8080; 0 chooses a free one.
      public var port = 8080
      /// A Unix domain socket to listen on instead of ``host`` and ``port``.
      public var socket: String?
      /// The prefix of all image paths, such as `/images`. The default is none.
      public var pathPrefix = ""
      /// The certificate chain (PEM). The default is none: the server does not use TLS.
      public var tlsCertificate: String?
      /// The private key of ``tlsCertificate`` (PEM).
      public var tlsKey: String?
      /// A Boolean value that indicates whether HTTP/2 is offered, which requires TLS. The default is `false`.
      public var isHTTP2Enabled = false
      /// The maximum number of client connections; others wait. The default is half of the process's open file limit,
      /// which leaves the other half to sources and stores.
      public var connectionLimit: Int?
      /// The limits of a client's connection.
      package var clientLimits = ConnectionLimits()

      // MARK: URLs

      /// The keys of URL signatures, each with the salt at the same index in ``salts``. The first one signs.
      public var keys: [Data] = []
      /// The salts of URL signatures; as many as ``keys``.
      public var salts: [Data] = []
      /// A Boolean value that indicates whether `/unsafe/…` and `/insecure/…` URLs without a signature are accepted;
      /// without ``keys``, those with any text in its place. The default is `false`.
      public var allowsUnsigned = false
      /// Named sets of options that URLs can refer to. The preset `default` applies to all URLs.
      public var presets: [String: String] = [:]
      /// A file of more presets, one `name=options` per line. ``presets`` take precedence.
      public var presetFile: String?
      /// A Boolean value that indicates whether URLs contain the names of presets, separated by colons, in place of
      /// options. The default is `false`.
      public var allowsOnlyPresets = false
      /// A Boolean value that indicates whether the last path component is ignored if it follows a source in Base64.
      /// Such URLs end in a file name for search engines. The default is `false`.
      public var ignoresFilenames = false
      /// The options that URLs may contain, by any of their names. Presets may contain others. The default allows all.
      public var allowedOptions: [String] = []
      /// The size of URL signatures in bytes, from 8 to 32. The default is 32. Longer and shorter ones are rejected.
      public var signatureSize = 32
      /// Texts that are accepted in place of a signature, for every URL. The default is none.
      public var trustedSignatures: [String] = []
      /// The token that requests for images and metadata must have in the field `Authorization: Bearer …`, such as those
      /// of a CDN. The default is none.
      public var bearerToken: String?
      /// The keys of requests to purge images, each with the salt at the same index in ``purgeSalts``. They must not be
      /// among ``keys``. Without them, the default, nothing can be purged.
      public var purgeKeys: [Data] = []
      /// The salts of requests to purge images; as many as ``purgeKeys``.
      public var purgeSalts: [Data] = []
      /// The key of the encrypted sources in URLs with `/enc/`: 16, 24 or 32 bytes, for AES-128, AES-192 or AES-256.
      /// Without it, the default, such URLs are rejected.
      public var sourceEncryptionKey: Data?
      /// A Boolean value that indicates whether `/info/…` responds with the metadata of images, which may contain who
      /// took a photo, and where. Its URLs have separate signatures. The default is `false`.
      public var servesInfo = false

      /// A Boolean value that indicates whether imgproxy's environment variables are read, and imgproxy's defaults apply.
      /// The default is `false`.
      public var usesImgproxyEnvironment = false

      // MARK: Sources

      /// The allowed prefixes of source URLs, such as `https://example.com/` or `s3://bucket/`. The default allows all
      /// of http and https, and ``localRoots``. Sources in `s3://`, `gs://` and `abs://` are loaded only if a prefix
      /// allows them.
      public var allowedSources: [String] = []
      /// The base URL of sources without a scheme, such as `https://cdn.example.com/photos/`. The default is none. With a
      /// base URL, and without ``allowedSources``, all other sources are rejected.
      public var baseURL: String?
      /// The replacements for the beginning of sources, applied one after the other, before ``baseURL`` is added.
      public var urlReplacements: [SourceReplacement] = []
      /// The text that separates the name of an object in `s3://` or `gs://` from its version. In `abs://` and `local://`,
      /// the rest after it is ignored. If it is empty, everything is the name. The default is `?versionId=`.
      public var querySeparator = "?versionId="
      /// A Boolean value that indicates whether requests to sources list all formats that can be read in `Accept`, in
      /// place of `*/*`. Sources that negotiate may then send another format, such as AVIF. The default is `false`.
      public var negotiatesSources = false
      /// The field `User-Agent` of requests to `http` and `https` sources. The default is that of the data loader.
      public var userAgent: String?
      /// The image that is sent in place of one whose source cannot be loaded: a file, or the URL of a source. It is
      /// processed like that source. The default is none.
      public var fallbackImage: String?
      /// The file of the fallback image. It takes precedence over ``fallbackImage``. The default is none.
      public var fallbackImageData: Data?
      /// The status code of responses with ``fallbackImage``; 0 for that of the error. The default is 200.
      public var fallbackStatus = 200
      /// The freshness lifetime of responses with ``fallbackImage``, in seconds. The default is a minute.
      public var fallbackTTL = 60
      /// The folders of `local://name/…` sources, by name. The folder of `local:///…` has an empty name.
      public var localRoots: [String: String] = [:]
      /// The folder of the HTTP cache for sources. The default is none.
      public var sourceCache: String?
      /// The size limit of the source cache, in bytes. The default is 1 GiB.
      public var sourceCacheSize = 1 << 30
      /// The endpoint of an S3-compatible store. The default is Amazon's.
      public var s3Endpoint: String?
      /// The region of the store. The default is `us-east-1`.
      public var s3Region = "us-east-1"
      /// The access key ID for ``s3Cache`` and for ``allowedSources`` in `s3://`. Without it and ``s3Endpoint``, `s3://`
      /// sources are rejected.
      public var s3AccessKey: String?
      /// The secret access key.
      public var s3SecretKey: String?
      /// The origin of the credentials for the store. The default is ``S3CredentialsOrigin/fixed``.
      public var s3Credentials = S3CredentialsOrigin.fixed
      /// The Amazon Resource Name (ARN) of a role that the credentials assume for `s3://` sources. The default is none.
      public var s3AssumedRole: String?
      /// The external identifier that ``s3AssumedRole`` requires. The default is none.
      public var s3ExternalID: String?
      /// The buckets of `s3://` sources. The default allows all that ``allowedSources`` allows.
      public var s3AllowedBuckets: [String] = []
      /// The buckets that `s3://` sources must not be in, even if ``s3AllowedBuckets`` has them. The default is none.
      public var s3DeniedBuckets: [String] = []
      /// The endpoint of Google Cloud Storage. The default is Google's.
      public var gcsEndpoint: String?
      /// The key of a service account that may read `gs://` sources: the JSON file that Google creates for it. Without
      /// it and ``gcsEndpoint``, these sources are rejected unless the credentials are those of the machine.
      public var gcsKey: String?
      /// The origin of the credentials for Google Cloud Storage. The default is ``S3CredentialsOrigin/fixed``.
      public var gcsCredentials = S3CredentialsOrigin.fixed
      /// The buckets of `gs://` sources. The default allows all that ``allowedSources`` allows.
      public var gcsAllowedBuckets: [String] = []
      /// The buckets that `gs://` sources must not be in, even if ``gcsAllowedBuckets`` has them. The default is none.
      public var gcsDeniedBuckets: [String] = []
      /// The storage account of `abs://` sources in Azure Blob Storage.
      public var absName: String?
      /// The key of ``absName``, in Base64. Without it and ``absEndpoint``, `abs://` sources are rejected unless the
      /// credentials are those of the machine.
      public var absKey: String?
      /// The endpoint of the storage account. The default is Azure's.
      public var absEndpoint: String?
      /// The origin of the credentials for Azure Blob Storage. The default is ``S3CredentialsOrigin/fixed``.
      public var absCredentials = S3CredentialsOrigin.fixed
      /// The containers of `abs://` sources. The default allows all that ``allowedSources`` allows.
      public var absAllowedContainers: [String] = []
      /// The containers that `abs://` sources must not be in, even if ``absAllowedContainers`` has them. The default is
      /// none.
      public var absDeniedContainers: [String] = []
      /// The header fields of requests that are passed on to `http` and `https` sources. Their values are part of the keys
      /// of results, and responses are private. The default is none.
      public var passedHeaders: [String] = []
      /// The cookies of requests that are passed on to sources below ``cookieBaseURL``; `*` for all. Their values are part
      /// of the keys of results, and responses are private. The default is none.
      public var passedCookies: [String] = []
      /// The beginning of the URLs of sources that receive cookies, such as `https://photos.example.com/`.
      public var cookieBaseURL: String?
      /// Private networks that sources may be loaded from, such as `10.1.0.0/16`. The default is none.
      public var allowedPrivateAddresses: [String] = []
      /// The proxy for `http` and `https` sources, with the scheme `http`, `https` or `socks5h`. The default is none.
      ///
      /// The proxy resolves names, so it must refuse connections to private addresses. The server refuses only URLs with
      /// such an address, and names that are never public.
      public var proxy: URL?
      /// The time limit for connecting to a source, in seconds. The default is 5.
      public var connectTimeout: TimeInterval = 5
      /// The time limit for loading a source, in seconds. The default is 20.
      public var sourceTimeout: TimeInterval = 20
      /// The maximum number of redirects of a source. The default is 5.
      public var redirectLimit = 5
      /// Replaces name resolution and connections in tests.
      package var dialing: Dialing?

      // MARK: Limits

      /// The maximum size of a source, in bytes. The default is 64 MiB.
      public var sourceByteLimit = 64 << 20
      /// The maximum number of pixels of a source. The default is 100 million.
      public var sourcePixelLimit = 100_000_000
      /// The maximum number of frames of a source. The default is 10,000. If an animated result would be too large, its
      /// first frame is sent.
      public var frameLimit = 10_000
      /// The maximum number of frames of an animated result. The following frames are dropped. The default is 250.
      public var animationFrameLimit = 250
      /// The maximum number of pixels of a frame of an animated source. The default is ``sourcePixelLimit``.
      public var framePixelLimit: Int?
      /// The maximum number of pixels of a result. The default is 50 million.
      public var resultPixelLimit = 50_000_000
      /// The maximum side of a result, in pixels. A larger result is scaled down. The default is none.
      public var resultSideLimit: Int?
      /// The maximum size of a result, in bytes. The default is 64 MiB.
      public var resultByteLimit = 64 << 20
      /// The time limit for a request, in seconds. The default is 30.
      public var requestTimeout: TimeInterval = 30

      // MARK: Concurrency

      /// The number of images rendered at a time. The default is the number of processors.
      public var workers: Int?
      /// The maximum number of waiting requests; others receive the status 429. The default is 256.
      public var queueLength = 256
      /// The memory budget for decoded pixels, in bytes. The default is a quarter of the available memory.
      public var decodeBudget: Int?
      /// The memory budget for responses being sent, in bytes. The default is an eighth of the available memory. When it
      /// is exceeded, clients that receive nothing are disconnected, and then long responses are rejected.
      public var sendBudget: Int?
      /// A Boolean value that indicates whether images are rendered in sandboxed processes. By default, `nuke serve` uses
      /// them if the kernel supports it, and ``ImageServer`` does not, because the program has to call
      /// `RenderWorker.runIfAsked()`.
      public var isSandboxed: Bool?
      /// The number of images after which a sandboxed process is replaced. The default is 1000.
      public var sandboxImages = 1000
      /// The program of the sandboxed processes, which calls `RenderWorker.runIfAsked()`. The default is this program.
      public var sandboxProgram: String?
      /// The time between SIGTERM and the shutdown of `nuke serve`, in seconds. The default is 0. During this time,
      /// requests are served but `/ready` fails, so that load balancers send requests to other servers before any is
      /// refused. Connections of HTTP/1.1 close after their next response.
      public var drainDelay: TimeInterval = 0
      /// The time limit for running requests at shutdown, in seconds. The default is 20. The server exits at most 4
      /// seconds later, after it has written results to the caches.
      public var gracePeriod: TimeInterval = 20

      // MARK: Results

      /// The maximum time for which a result is sent before its source is validated, in seconds. It does not change the
      /// lifetime that clients are told. The default is `nil`: the source is validated when the result is stale. The
      /// files of ``localRoots`` are checked for each request.
      public var validationInterval: Int?
      /// The size limit of the memory cache, in bytes. The default is 128 MiB; 0 disables the cache.
      public var memoryCacheSize = 128 << 20
      /// The folder of the disk cache. The default is none.
      public var diskCache: String?
      /// The size limit of the disk cache, in bytes. The default is 10 GiB.
      public var diskCacheSize = 10 << 30
      /// The URL of a Redis server or of its sentinels, which shares results among nodes. The default is none.
      public var redisURL: String?
      /// A PEM file with the certificate authorities to trust for Redis and its sentinels. The default is the system's.
      public var redisCA: String?
      /// A PEM file with the certificate chain that is presented to Redis and its sentinels. The default is none.
      public var redisCertificate: String?
      /// A PEM file with the private key of ``redisCertificate``.
      public var redisKey: String?
      /// The user name for the sentinels. The default is their default user.
      public var redisSentinelUsername: String?
      /// The password for the sentinels. The default is none.
      public var redisSentinelPassword: String?
      /// The prefix of all keys in Redis. Servers that share nothing need different prefixes. The default is `nuke:`.
      public var redisPrefix = "nuke:"
      /// The lifetime of a result in Redis, in seconds. The default is a week.
      public var redisTTL = 7 * 86_400
      /// The maximum number of connections to Redis. The default is 4.
      public var redisConnectionLimit = 4
      /// The time limit for a Redis command, in seconds. The default is 0.5. After a timeout the server works without it.
      public var redisTimeout: TimeInterval = 0.5
      /// The bucket that stores results, with an optional prefix. The default is none.
      public var s3Cache: String?
      /// The endpoint of ``s3Cache``, if it is another one than ``s3Endpoint``.
      public var s3CacheEndpoint: String?
      /// The region of ``s3CacheEndpoint``. The default is ``s3Region``.
      public var s3CacheRegion: String?
      /// The access key ID for ``s3Cache``. The default is ``s3AccessKey``.
      public var s3CacheAccessKey: String?
      /// The secret access key of ``s3CacheAccessKey``.
      public var s3CacheSecretKey: String?
      /// The time limit for a request to the bucket, in seconds. The default is 2. After a timeout the server works
      /// without it.
      public var s3Timeout: TimeInterval = 2
      /// A Boolean value that indicates whether the readiness check fails while Redis is unreachable. The default is
      /// `false`, since the server works without Redis.
      public var requiresRedis = false

      // MARK: Images

      /// The quality of JPEG, from 1 to 100. The default is 80.
      public var quality = 80
      /// The quality of other formats, from 1 to 100. The default is a good value for each format.
      public var formatQuality: [ImageFormat: Int] = [:]
      /// The effort of encoding by format, from 0 (fastest) to 100 (smallest file). The default is a good value for each
      /// format.
      public var formatEffort: [ImageFormat: Int] = [:]
      /// The formats for clients that accept them, in order of preference. The default is AVIF, WebP and JPEG XL, as far
      /// as this build writes them.
      public var negotiatedFormats = AnswerSettings().offeredFormats.filter { ImageFormat.writable.contains($0) }
      /// The formats that clients receive if they accept them, even if the URL names another format. The default is none.
      public var enforcedFormats: [ImageFormat] = []
      /// The formats of results if neither the URL nor the client names one, in order of preference. A source in one of
      /// them keeps its format. For other sources, the first one that can represent the image is used. The default is
      /// JPEG, PNG and GIF.
      public var preferredFormats = RenderSettings().preferredFormats
      /// The formats of sources that are sent unchanged unless the URL names another format. The default is none.
      public var skippedFormats: [ImageFormat] = []
      /// A Boolean value that indicates whether the orientation in the file of a source is applied unless the URL says
      /// otherwise. The default is `true`.
      public var autoRotates = true
      /// The maximum number of colors of PNG unless the URL says otherwise, from 2 to 256. The default is no limit.
      public var colorCountOfPNG: Int?
      /// A Boolean value that indicates whether the width and pixel ratio of client hints are used. The default is
      /// `false`.
      public var usesClientHints = false
      /// A Boolean value that indicates whether metadata is removed unless the URL says otherwise. The default is `true`.
      public var stripsMetadata = true
      /// A Boolean value that indicates whether the copyright is kept when metadata is removed. The default is `true`.
      public var keepsCopyright = true
      /// A Boolean value that indicates whether the location is kept when metadata is kept. The default is `false`.
      public var keepsLocation = false
      /// A Boolean value that indicates whether SVG is sent unchanged if a URL has the option `raw` or
      /// `skip_processing`. SVG can contain scripts. The default is `false`.
      public var sendsSVG = false
      /// A Boolean value that indicates whether progressive JPEGs are encoded unless the URL says otherwise. The default
      /// is `false`.
      public var writesProgressiveJPEG = false
      /// A Boolean value that indicates whether the thumbnail in a HEIC or AVIF file is rendered in place of its image, if
      /// there is one, unless the URL says otherwise. The default is `false`.
      public var usesThumbnails = false
      /// The image of the option `watermark`: a file, or the URL of a source. The default is none.
      public var watermark: String?
      /// The file of the watermark. It takes precedence over ``watermark``. The default is none.
      public var watermarkData: Data?
      /// The opacity of the watermark in percent, by which that of the URL is multiplied. The default is 100.
      public var watermarkOpacity = 100

      // MARK: Responses

      /// The freshness lifetime of responses if the source states none, in seconds. The default is a day.
      public var ttl = 86_400
      /// A Boolean value that indicates whether the `Cache-Control` and `Expires` fields of sources determine how long
      /// results are fresh, and whether they may be stored at all. If it is `false`, ``ttl`` applies to all sources,
      /// and private responses are stored and shared, too. The default is `true`, because a server that shares private
      /// responses may show one person's image to another.
      public var usesSourceFreshness = true
      /// A Boolean value that indicates whether the source is validated if a request has `Cache-Control: no-cache`. Every
      /// client can then cause a request to the source. The default is `false`.
      public var honorsNoCache = false
      /// A Boolean value that indicates whether browsers save images instead of showing them, unless the URL says
      /// otherwise. The default is `false`.
      public var sendsAttachments = false
      /// A text at the end of all entity tags. With another text, clients load all images again. The default is none.
      public var entityTagSuffix: String?
      /// The origins that may read responses, or `*`. The default is none.
      public var corsOrigins: [String] = []
      /// A Boolean value that indicates whether responses have the duration of each stage in `Server-Timing`, which
      /// every client can read. The default is `false`.
      public var sendsTiming = false
      /// A Boolean value that indicates whether responses state the sizes of the source and the result in fields such as
      /// `X-Origin-Width` and `X-Result-Width`. The default is `false`.
      public var sendsSizes = false

      // MARK: Operation

      /// The minimum level of log entries. The default is `info`.
      public var logLevel = Logger.Level.info
      /// The format of log entries. The default is `text`.
      public var logFormat = LogFormat.text
      /// The port of a second listener, without TLS, for `/health`, `/ready` and `/metrics`, which ``port`` does not serve
      /// then; 0 chooses a free one. The default is none.
      public var operationPort: Int?
      /// The address of ``operationPort``. The default is `127.0.0.1`.
      public var operationHost = "127.0.0.1"
      /// A Boolean value that indicates whether metrics are served at `/metrics` on ``port``, where every client can read
      /// them. The default is `false`.
      public var servesMetrics = false
      /// A Boolean value that indicates whether `/health` and `/ready` are served on ``port``. The default is `true`.
      public var servesHealth = true
      /// An additional path of the health check on ``port``, such as `/healthz`. The default is none.
      public var healthPath: String?
      /// A text before the names of all metrics, such as `photos_`. The default is none.
      public var metricsPrefix: String?
      /// A Boolean value that indicates whether a page for trying URLs is served at `/_playground`. It signs any URL. The
      /// default is `false`.
      public var servesPlayground = false
      /// The URL of an OpenTelemetry collector that receives traces and metrics (OTLP over HTTP, in JSON), such as
      /// `http://127.0.0.1:4318`. `/v1/traces` and `/v1/metrics` are appended. The default is none.
      public var otlpEndpoint: URL?
      /// The header fields of requests to the collector, such as an API key. The default is none.
      public var otlpHeaders: [String: String] = [:]
      /// The name of the service in traces and metrics. The default is `service.name` of ``otlpAttributes``, or `nuke`.
      public var otlpServiceName: String?
      /// Further attributes of the resource in traces and metrics, such as `deployment.environment.name`.
      public var otlpAttributes: [String: String] = [:]
      /// The time between two exports of metrics, in seconds. The default is 60; 0 exports no metrics.
      public var otlpMetricsInterval: TimeInterval = 60
      /// The share of the requests that are traced, from 0 to 1. If a client sends a trace context, that decides. The
      /// default is 1.
      public var traceRatio = 1.0
      /// A Boolean value that indicates whether the trace context of requests is passed on to sources. It has no effect
      /// on a tracer of the program. The default is `true`.
      public var propagatesTraces = true
      /// A Boolean value that indicates whether the sample images are served, unsigned and on a loopback address. The
      /// default is `false`.
      public var isDemo = false

      public init() {}
    }
  }

  extension ImageServer.Configuration {
    /// The origin of the credentials for an object store.
    public enum S3CredentialsOrigin: String, Sendable, Hashable, CaseIterable {
      /// The keys in the configuration; none if they are not set.
      case fixed
      /// The role of the machine. For S3, it is fetched and renewed as by Amazon's tools: from the environment, a web
      /// identity, a container, or the instance metadata service. For Google Cloud Storage, it is a service account, and
      /// for Azure Blob Storage, a managed identity.
      case role
    }

    /// The format of log entries.
    public enum LogFormat: String, Sendable, Hashable, CaseIterable {
      /// Text with `name=value` pairs, for reading in a terminal.
      case text
      /// One JSON object per line.
      case json
    }

    /// Returns the settings of the demo: unsigned images of a folder, with the playground at `/`.
    package static func demo(samples folder: String) -> Self {
      var configuration = Self()
      configuration.isDemo = true
      configuration.allowsUnsigned = true
      configuration.localRoots = ["": folder]
      configuration.allowedSources = ["local:///"]
      configuration.servesPlayground = true
      configuration.sendsTiming = true
      return configuration
    }

    /// The path of the additional health check. With imgproxy's environment, it is below the prefix of all paths.
    var healthRoute: String? {
      guard servesHealth, let healthPath, healthPath != "/health" else { return nil }
      return (usesImgproxyEnvironment ? pathPrefix : "") + healthPath
    }

    /// `true` if the server can be reached only from this machine.
    package var isLoopbackOnly: Bool {
      socket != nil || host == "localhost" || host == "::1" || host == "127.0.0.1"
    }
  }
#endif
