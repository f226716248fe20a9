public import CoreMetrics
public import Foundation
public import Logging
public import NukeCodecs
package import NukeHTTPCaching
import NukeImaging
import Synchronization
public import Tracing

extension ImagePipeline {
  /// The settings and dependencies of a pipeline. Changes have no effect on existing pipelines.
  public struct Configuration: Sendable {
    /// Downloads data. A ``DataLoader`` over libcurl by default.
    public var dataLoader: any DataLoading

    private var customImageCache: (any ImageCaching)?
    private var isImageCacheCustom = false

    /// Keeps decoded images in memory: ``ImageCache/shared`` by default, which is not made when it is replaced; `nil`
    /// for none.
    public var imageCache: (any ImageCaching)? {
      get { isImageCacheCustom ? customImageCache : ImageCache.shared }
      set {
        customImageCache = newValue
        isImageCacheCustom = true
      }
    }

    /// Keeps encoded data on disk until there is no room; `nil`, which is the default, for none. What servers say of
    /// its freshness counts where ``freshnessPolicy`` says so.
    public var dataCache: (any DataCaching)?

    /// Decides what is stored in ``dataCache``. The default is the data of originals.
    public var dataCachePolicy = DataCachePolicy.storeOriginalData { didSet { isDataCacheReadOnly = false } }

    /// Version 8's switches can both be off: then what is in ``dataCache`` is used and nothing is stored.
    var isDataCacheReadOnly = false

    /// Gives the decoder for some data; `nil` if there is none. By default ``ImageDecoderRegistry/shared`` is asked.
    public var makeImageDecoder: @Sendable (ImageDecodingContext) -> (any ImageDecoding)? = {
      ImageDecoderRegistry.shared.decoder(for: $0)
    }

    /// Gives the encoder for an image. ``ImageEncoders/Default`` by default.
    public var makeImageEncoder: @Sendable (ImageEncodingContext) -> any ImageEncoding = { _ in
      ImageEncoders.Default()
    }

    /// The processors of requests that have none. The default is none.
    public var processors: [any ImageProcessing] = []

    /// How the pipeline treats the freshness of cached images. The default is ``ImagePipeline/FreshnessPolicy/ignore``.
    ///
    /// A ``dataCache`` then keeps what it has until there is no room, whatever servers say.
    public var freshnessPolicy = FreshnessPolicy.ignore

    /// A Boolean value that indicates whether nothing is sent, so that what is stored is used, however old. False by
    /// default; ``ImagePipeline/isOffline`` changes it while the pipeline is in use.
    public var isOffline = false

    /// The moment by which freshness is told.
    package var now: @Sendable () -> Timestamp = { Timestamp(secondsSince1970: Date().timeIntervalSince1970) }

    /// A Boolean value that indicates whether equal work that is wanted at the same time is done once. True by default.
    public var isTaskCoalescingEnabled = true

    /// A Boolean value that indicates whether downloads begin at most 80 times a second, after a burst of 25 that begin
    /// at once. True by default. A load that skips the data loading queue does not wait for this either.
    public var isRateLimiterEnabled = true

    /// A Boolean value that indicates whether the delegate's `decompress` is called. Images are decompressed by
    /// decoding in any case. True by default.
    public var isDecompressionEnabled = true

    /// Accepted for programs that set it, without an effect: images are decoded before they are delivered, and there is
    /// no other preparation. False by default.
    public var isUsingPrepareForDisplay = false

    /// A Boolean value that indicates whether previews are made while data is coming. False by default.
    public var isProgressiveDecodingEnabled = false

    /// The least seconds from one attempt at a preview to the next. 0.5 by default.
    public var progressiveDecodingInterval: TimeInterval = 0.5

    /// A Boolean value that indicates whether previews are kept in the memory cache until the image is there. True by
    /// default.
    public var isStoringPreviewsInMemoryCache = true

    /// A Boolean value that indicates whether a download that failed or was canceled goes on where it ended when the
    /// same is asked for again, if the server names the body by a strong validator. True by default.
    ///
    /// What had come is kept in ``dataCache``, where that is a ``DataCache`` in which the whole would be stored, so
    /// that a later process finds it too; otherwise in memory, 32 MiB at most in a pipeline. A request that has a
    /// `Range` field or conditions of its own is sent as it is.
    public var isResumableDataEnabled = true

    /// A Boolean value that indicates whether `file:` and `data:` URLs are read by the pipeline itself. True by
    /// default.
    public var isLocalResourcesSupportEnabled = true

    /// The most bytes of one download; `nil` for no limit. By default 200 MB, or a tenth of the memory this process may
    /// use where that is less.
    public var maximumResponseDataSize: Int? = min(200 << 20, MemoryLimit.bytes / 10)

    /// The limits checked before an image is decoded. The defaults are 100 megapixels and 16,384 pixels a side.
    public var codecLimits = CodecLimits()

    /// Downloads: 6 at a time by default.
    ///
    /// With ``DataLoader``, and other loaders that come with Nuke, a host that does not answer holds up itself alone:
    /// while others have several slots each, a host that has none may have one beyond the limit, and what ends next is
    /// not replaced.
    public var dataLoadingQueue = TaskQueue(maxConcurrentOperationCount: 6)
    /// Reading from ``dataCache``: 2 at a time by default. Writing is the cache's own business.
    public var dataCachingQueue = TaskQueue(maxConcurrentOperationCount: 2, pool: .io)
    /// Decoding: 1 at a time by default.
    public var imageDecodingQueue = TaskQueue(maxConcurrentOperationCount: 1)
    /// Encoding for the disk cache: 1 at a time by default.
    public var imageEncodingQueue = TaskQueue(maxConcurrentOperationCount: 1)
    /// The delegate's `decompress`: 2 at a time by default.
    public var imageDecompressingQueue = TaskQueue(maxConcurrentOperationCount: 2)
    /// Processing: 2 at a time by default.
    public var imageProcessingQueue = TaskQueue(maxConcurrentOperationCount: 2)

    // MARK: Watching

    /// The log of the pipeline. The default is `nil`: nothing is logged.
    ///
    /// Tasks and stages are written at the level `debug`, hits of the memory cache at `trace`. What nobody else is told
    /// and a person should see to, such as a disk cache that cannot be written to, is a `warning`, each once a minute
    /// at most. An error that the program gets itself is no warning. URLs are written without their query.
    public var logger: Logger?

    /// The factory of the pipeline's metrics, such as `MetricsSystem.factory`. The default is `nil`: nothing is
    /// measured.
    ///
    /// - `nuke_loads_total`: tasks that have ended, by `outcome` (success, failure, canceled) and `origin`
    /// - `nuke_load_duration_seconds`: timer of tasks, by `origin`, memory hits without a task left out
    /// - `nuke_joined_loads_total`: tasks that shared their work
    /// - `nuke_loaded_bytes_total`: encoded data that was loaded, by `origin`
    /// - `nuke_stage_duration_seconds`: timer by `stage` (read, load, decode, process, decompress, encode)
    /// - `nuke_cache_lookups_total`: by `cache` (memory, disk) and `result` (hit, miss)
    /// - `nuke_queue_waiting`, `nuke_queue_running`: gauges by `queue` (load, decode, process, encode)
    /// - `nuke_loads_active`, `nuke_memory_cache_bytes`, `nuke_memory_cache_images`: gauges
    ///
    /// Gauges are read when a load ends, once a second at most and when the last one has ended.
    public var metricsFactory: (any MetricsFactory)?

    /// The tracer of loads. The default is `nil`: nothing is traced, unless ``isSignpostLoggingEnabled`` is set.
    ///
    /// A task has a span from its creation to its end, below the `ServiceContext` of the Swift task that made it; a
    /// memory hit has none. Stages have spans below that of the task which was first to ask for them; others that share
    /// the work link to that task. Closures of requests and the delegate's `willLoadData` run in the context of their
    /// stage, and requests to servers carry the header fields that the tracer injects.
    public var tracer: (any Tracer)?

    private static let isTracing = Atomic<Bool>(false)

    /// A Boolean value that indicates whether pipelines that are made from now on trace their loads with the tracer
    /// that was given to `InstrumentationSystem.bootstrap(_:)`, if one was and the configuration has none. False by
    /// default.
    ///
    /// On Apple's systems this switches signposts on; here the intervals are spans of swift-distributed-tracing.
    public static var isSignpostLoggingEnabled: Bool {
      get { isTracing.load(ordering: .relaxed) }
      set { isTracing.store(newValue, ordering: .relaxed) }
    }

    /// A configuration of the defaults, with a data loader.
    public init(dataLoader: any DataLoading = DataLoader()) { self.dataLoader = dataLoader }
  }
}
