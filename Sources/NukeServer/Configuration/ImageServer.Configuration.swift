#if Server
  public import Foundation
  public import Logging
  package import Nuke
  public import NukeCodecs

  extension ImageServer {
    /// How a server listens, what it serves, and how much of the machine it may take: all that `nuke serve` can be told.
    ///
    /// The defaults serve nothing but signed URLs, and only to this machine. Sizes are in bytes and times in seconds.
    public struct Configuration: Sendable, Hashable {
      // MARK: Listening

      /// The address to listen on: this machine's own, unless set. `0.0.0.0` and `::` are all that it has.
      public var host = "127.0.0.1"
      /// The port to listen on, 8080 unless set; 0 for any that is free.
      public var port = 8080
      /// A Unix domain socket to listen on in place of ``host`` and ``port``.
      public var socket: String?
      /// What stands before all paths of images, such as `/images`; nothing unless set.
      public var pathPrefix = ""
      /// The certificate chain in PEM, by which the server speaks TLS; none unless set.
      public var tlsCertificate: String?
      /// The private key of ``tlsCertificate`` in PEM.
      public var tlsKey: String?
      /// A Boolean value that indicates whether HTTP/2 is spoken to clients that ask for it, which takes TLS; false
      /// unless set.
      public var isHTTP2Enabled = false
      /// How many clients may be connected at a time; others wait for a place. Half of the files that the process may have
      /// open, unless set, so that the other half is left for sources and stores.
      public var connectionLimit: Int?
      /// What one client may cost.
      package var clientLimits = ConnectionLimits()

      // MARK: URLs

      /// Keys that URLs are signed with, each with the salt at the same place in ``salts``. The first one signs.
      public var keys: [Data] = []
      /// Salts that URLs are signed with; as many as ``keys``.
      public var salts: [Data] = []
      /// A Boolean value that indicates whether URLs without a signature are answered, at `/unsafe/…` and
      /// `/insecure/…`; false unless set.
      public var allowsUnsigned = false
      /// Options by the name that a URL may give in their place; none unless set. `default` holds for all URLs.
      public var presets: [String: String] = [:]
      /// A file of presets, `name=options` a line, which ``presets`` stand over; none unless set.
      public var presetFile: String?
      /// A Boolean value that indicates whether URLs may name presets and nothing else; false unless set.
      public var allowsOnlyPresets = false

      // MARK: Sources

      /// What sources have to begin with, such as `https://example.com/` or `s3://bucket/`; all sources of the web and of
      /// ``localRoots`` unless set. Of `s3://` those alone are loaded that are named here.
      public var allowedSources: [String] = []
      /// The folders of `local://name/…` by their names; the one of `local:///…` has none. No folders unless set.
      public var localRoots: [String: String] = [:]
      /// The folder in which sources are kept for as long as they say, as a cache of HTTP's; none unless set.
      public var sourceCache: String?
      /// Bytes that the folder may take: 1 GiB unless set.
      public var sourceCacheSize = 1 << 30
      /// The address of a store that speaks Amazon S3's protocol; Amazon's own unless set.
      public var s3Endpoint: String?
      /// The region of the store: `us-east-1` unless set.
      public var s3Region = "us-east-1"
      /// The key's name at the store, for ``s3Cache`` and for those of the ``allowedSources`` that begin with `s3://`.
      /// Without it and ``s3Endpoint``, `s3://` is refused.
      public var s3AccessKey: String?
      /// The key itself.
      public var s3SecretKey: String?
      /// Networks inside which sources may be, such as `10.1.0.0/16`; unless set, no address that is not public.
      public var allowedPrivateAddresses: [String] = []
      /// Seconds that connecting to a source may take: 5 unless set.
      public var connectTimeout: TimeInterval = 5
      /// Seconds that loading a source may take in all: 20 unless set.
      public var sourceTimeout: TimeInterval = 20
      /// How many redirects of a source are followed: 5 unless set.
      public var redirectLimit = 5
      /// Takes the place of the system's names and connections in tests.
      package var dialing: Dialing?

      // MARK: Limits

      /// The largest source: 64 MiB unless set.
      public var sourceByteLimit = 64 << 20
      /// The most pixels that a source may have: 100 million unless set.
      public var sourcePixelLimit = 100_000_000
      /// The most frames that a source may have: 10,000 unless set. Of fewer, but too many to go on moving, the first is sent.
      public var frameLimit = 10_000
      /// The most pixels that a result may have: 50 million unless set.
      public var resultPixelLimit = 50_000_000
      /// The largest result: 64 MiB unless set.
      public var resultByteLimit = 64 << 20
      /// Seconds after which a request is given up: 30 unless set.
      public var requestTimeout: TimeInterval = 30

      // MARK: Work

      /// How many images are made at a time: as many as there are processors unless set.
      public var workers: Int?
      /// How many requests wait for their turn before others are turned away: 256 unless set.
      public var queueLength = 256
      /// Bytes of pixels in work at a time: from what the process may use, unless set.
      public var decodeBudget: Int?
      /// Bytes of answers that are held at a time until clients have taken them, where they were not taken at once: an eighth
      /// of what the process may use unless set. Past it clients that take nothing are given up, and where there are none,
      /// long answers are refused, and connections closed that take no short ones.
      public var sendBudget: Int?
      /// A Boolean value that indicates whether images are made in processes that can touch nothing; false unless set.
      public var isSandboxed = false
      /// Images after which such a process makes room for a new one: 1000 unless set.
      public var sandboxImages = 1000
      /// The program of these processes, which calls `RenderWorker.runIfAsked()`; this program unless set.
      public var sandboxProgram: String?
      /// Seconds that what runs may take to end when the server is told to: 20 unless set. It ends 4 seconds later at the
      /// latest, in which what was made is written to the stores.
      public var gracePeriod: TimeInterval = 20

      // MARK: Results

      /// Bytes of results that are kept in memory: 128 MiB unless set, 0 for none.
      public var memoryCacheSize = 128 << 20
      /// The folder that results are kept in; none unless set.
      public var diskCache: String?
      /// Bytes that the folder may take: 10 GiB unless set.
      public var diskCacheSize = 10 << 30
      /// The address of a Redis that results are shared through; none unless set.
      public var redisURL: String?
      /// Seconds that an answer of Redis's may take: half of one unless set. After that it is done without.
      public var redisTimeout: TimeInterval = 0.5
      /// The bucket at ``s3Endpoint``, with a prefix if need be, that results are kept in; none unless set.
      public var s3Cache: String?
      /// Seconds that an answer of the bucket's may take: 2 unless set. After that it is done without.
      public var s3Timeout: TimeInterval = 2
      /// A Boolean value that indicates whether the server is not ready while Redis is gone; false unless set, since it
      /// works without.
      public var requiresRedis = false

      // MARK: Images

      /// The quality of JPEG, and of formats for which nothing better is known, from 1 to 100: 80 unless set.
      public var quality = 80
      /// The quality by format, over ``quality`` and over what is known to be good; none unless set.
      public var formatQuality: [ImageFormat: Int] = [:]
      /// Formats that are chosen where the client says it reads them, best first: of AVIF, WebP and JPEG XL those that this
      /// build writes unless set.
      public var negotiatedFormats = AnswerSettings().offeredFormats.filter { ImageFormat.writable.contains($0) }
      /// A Boolean value that indicates whether width and pixel ratio are taken from the client's hints; false unless
      /// set.
      public var usesClientHints = false
      /// A Boolean value that indicates whether metadata is left out where the URL says nothing: true unless set.
      public var stripsMetadata = true
      /// A Boolean value that indicates whether the copyright stays where metadata is left out: true unless set.
      public var keepsCopyright = true
      /// A Boolean value that indicates whether places stay in metadata that is kept: false unless set.
      public var keepsLocation = false
      /// A Boolean value that indicates whether SVG is sent as it is to those that ask for that, though it can hold
      /// scripts: false unless set.
      public var sendsSVG = false
      /// A Boolean value that indicates whether JPEG is written in passes of growing quality where the URL says
      /// nothing: false unless set.
      public var writesProgressiveJPEG = false
      /// The image that the option `watermark` lays over others; none unless set.
      public var watermark: String?

      // MARK: Answers

      /// Seconds that answers are fresh where the source says nothing: a day unless set.
      public var ttl = 86_400
      /// Origins whose scripts may read answers, or `*`; none unless set.
      public var corsOrigins: [String] = []
      /// A Boolean value that indicates whether answers tell what took how long, in `Server-Timing`, which strangers
      /// can read; false unless set.
      public var sendsTiming = false

      // MARK: Operation

      /// The least that is logged: `info` unless set.
      public var logLevel = Logger.Level.info
      /// How lines of the log look: `text` unless set.
      public var logFormat = LogFormat.text
      /// A Boolean value that indicates whether `/metrics` tells figures: true unless set.
      public var servesMetrics = true
      /// A Boolean value that indicates whether `/health` and `/ready` answer: true unless set.
      public var servesHealth = true
      /// A Boolean value that indicates whether `/_playground` shows a page to try URLs with, and signs them; false
      /// unless set.
      public var servesPlayground = false
      /// A Boolean value that indicates whether the server shows itself off: the sample images, unsigned, to this
      /// machine alone; false unless set.
      public var isDemo = false

      public init() {}
    }
  }

  extension ImageServer.Configuration {
    /// How lines of the log look.
    public enum LogFormat: String, Sendable, Hashable, CaseIterable {
      /// For people.
      case text
      /// An object of JSON a line.
      case json
    }

    /// What the demo starts from: the images of a folder, served unsigned, and the page at `/`.
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

    /// `true` if nobody but this machine can reach the server.
    package var isLoopbackOnly: Bool {
      socket != nil || host == "localhost" || host == "::1" || host == "127.0.0.1"
    }
  }
#endif
