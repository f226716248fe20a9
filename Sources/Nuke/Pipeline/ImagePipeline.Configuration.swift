public import CoreMetrics
public import Foundation
public import Logging
import NukeBase
public import NukeCodecs
import NukeHTTP
package import NukeHTTPCaching
import NukeStore
import Synchronization
public import Tracing

extension ImagePipeline {
  /// The settings and dependencies of a pipeline. Changes have no effect on existing pipelines.
  public struct Configuration: Sendable {
    /// The loader that downloads data. The default is a ``DataLoader`` on libcurl.
    public var dataLoader: any DataLoading

    private var customImageCache: (any ImageCaching)?
    private var isImageCacheCustom = false

    /// The memory cache for decoded images; `nil` for none. The default is ``ImageCache/shared``.
    public var imageCache: (any ImageCaching)? {
      get { isImageCacheCustom ? customImageCache : ImageCache.shared }
      set {
        customImageCache = newValue
        isImageCacheCustom = true
      }
    }

    /// The disk cache for encoded data; `nil`, the default, for none. It evicts entries by size.
    /// ``freshnessPolicy`` decides whether their freshness matters.
    public var dataCache: (any DataCaching)?

    /// The policy that decides what is stored in ``dataCache``. By default, original data.
    public var dataCachePolicy = DataCachePolicy.storeOriginalData { didSet { isDataCacheReadOnly = false } }

    /// `true` if ``dataCache`` is read and never written. Version 8 does this if both of its storage options are
    /// `false`.
    var isDataCacheReadOnly = false

    /// A Boolean value that indicates whether a small image may be made from a larger one in ``dataCache``, so that its
    /// original is not loaded again. The default is `false`: images are always made from their originals.
    ///
    /// It applies to a ``ImageProcessors/Resize`` if nothing is stored for its size, and if an encoded image with at
    /// least twice the width and height is stored that was made with the same processors and settings. The result has
    /// the exact size, and its pixels differ from those made from the original; see <doc:Caching> for the errors. It is
    /// stored in memory, and never on disk. ``ImageTask/Facts/isMadeFromLargerImage`` is `true`.
    ///
    /// The pipeline lists the sizes that it stores while this is `true`, in one small entry for each original and list of
    /// processors. Looking up an image that is not stored reads this entry too. ``dataCachePolicy`` must store encoded
    /// images.
    public var isReusingLargerImagesInDataCache = false

    /// Returns the decoder for some data; `nil` if there is none. The default uses ``ImageDecoderRegistry/shared``.
    public var makeImageDecoder: @Sendable (ImageDecodingContext) -> (any ImageDecoding)? = {
      ImageDecoderRegistry.shared.decoder(for: $0)
    }

    /// Returns the encoder for an image. The default is ``ImageEncoders/Default``.
    public var makeImageEncoder: @Sendable (ImageEncodingContext) -> any ImageEncoding = { _ in
      ImageEncoders.Default()
    }

    /// The processors of requests that have none. The default is none.
    public var processors: [any ImageProcessing] = []

    /// How the pipeline treats the freshness of cached images. The default is ``ImagePipeline/FreshnessPolicy/ignore``.
    ///
    /// With the default, a ``dataCache`` keeps entries until the size limit is reached.
    public var freshnessPolicy = FreshnessPolicy.ignore

    /// A Boolean value that indicates whether the pipeline sends no requests and uses cached images of any age. The
    /// default is `false`. ``ImagePipeline/isOffline`` changes it later.
    public var isOffline = false

    /// The current time, for freshness.
    package var now: @Sendable () -> Timestamp = { Timestamp(secondsSince1970: Date().timeIntervalSince1970) }

    /// A Boolean value that indicates whether requests share equal work. The default is `true`.
    public var isTaskCoalescingEnabled = true

    /// A Boolean value that indicates whether a task that is created by a method that returns it, such as `imageTask(with:)`,
    /// starts its load on ``ImagePipelineActor``. The default is `false`: a worker may call the data loader before the
    /// method has returned.
    ///
    /// With `true`, as in Nuke, code that is isolated to the actor can prepare for the load until it suspends: for
    /// example a test that observes its fake data loader once it has the task. A load then starts later, by a switch of
    /// threads. Images in the memory cache are delivered at once in either case.
    public var startsTasksOnPipelineActor = false

    /// A Boolean value that indicates whether the rate of downloads is limited to 80 a second, with bursts of 25. The
    /// default is `true`. It does not apply to loads that skip the data loading queue.
    public var isRateLimiterEnabled = true

    /// A Boolean value that indicates whether the delegate's `decompress` is called. The default is `true`. Decoding
    /// decompresses images in any case.
    public var isDecompressionEnabled = true

    /// Has no effect: images are always decoded before they are delivered. The default is `false`.
    public var isUsingPrepareForDisplay = false

    /// A Boolean value that indicates whether previews are decoded while data arrives. The default is `false`.
    public var isProgressiveDecodingEnabled = false

    /// The minimum seconds between two previews. The default is 0.5.
    public var progressiveDecodingInterval: TimeInterval = 0.5

    /// A Boolean value that indicates whether previews are stored in the memory cache until the image replaces them.
    /// The default is `true`.
    public var isStoringPreviewsInMemoryCache = true

    /// A Boolean value that indicates whether failed and canceled downloads are resumed by the next equal request, if
    /// the server has sent a strong validator. The default is `true`.
    ///
    /// Partial downloads are stored in ``dataCache`` if that is a ``DataCache`` and would store the whole body, so that
    /// a later process can resume them too. Otherwise they are in memory, at most 32 MiB for a pipeline. Requests with
    /// their own `Range` field or conditions are not changed.
    public var isResumableDataEnabled = true

    /// A Boolean value that indicates whether the pipeline reads `file:` and `data:` URLs without the data loader. The
    /// default is `true`.
    public var isLocalResourcesSupportEnabled = true

    /// The maximum size of a download, in bytes; `nil` for no limit. The default is 200 MB, or a tenth of the memory
    /// that the process may use if that is less.
    public var maximumResponseDataSize: Int? = min(200 << 20, MemoryLimit.bytes / 10)

    /// The limits that are checked before decoding. The defaults are 100 megapixels and 16,384 pixels a side.
    public var codecLimits = CodecLimits()

    /// The queue for downloads. By default, 6 run at a time.
    ///
    /// With the loaders of this package, a host that does not respond delays only its own downloads. While other hosts
    /// have several slots each, a host without a slot may exceed the limit by one.
    public var dataLoadingQueue = TaskQueue(maxConcurrentOperationCount: 6)
    /// The queue for reading from ``dataCache``. By default, 2 reads run at a time. The cache itself schedules writes.
    public var dataCachingQueue = TaskQueue(maxConcurrentOperationCount: 2, pool: .io)
    /// The queue for decoding. By default, 1 runs at a time.
    public var imageDecodingQueue = TaskQueue(maxConcurrentOperationCount: 1)
    /// The queue for encoding for the disk cache. By default, 1 runs at a time.
    public var imageEncodingQueue = TaskQueue(maxConcurrentOperationCount: 1)
    /// The queue for the delegate's `decompress`. By default, 2 run at a time.
    public var imageDecompressingQueue = TaskQueue(maxConcurrentOperationCount: 2)
    /// The queue for processing. By default, 2 run at a time.
    public var imageProcessingQueue = TaskQueue(maxConcurrentOperationCount: 2)

    // MARK: Observing

    /// The log of the pipeline. The default is `nil`: nothing is logged.
    ///
    /// Tasks and stages are logged at the level `debug`, and memory hits at `trace`. Problems that cause no error, such
    /// as a disk cache that cannot be written, are logged at `warning`, each at most once a minute. URLs are logged
    /// without their query.
    public var logger: Logger?

    /// The factory of the pipeline's metrics, such as `MetricsSystem.factory`. The default is `nil`: nothing is
    /// measured.
    ///
    /// - `nuke_loads_total`: tasks that have ended, by `outcome` (success, failure, canceled) and `origin`
    /// - `nuke_load_duration_seconds`: timer of tasks, by `origin`, memory hits without a task left out
    /// - `nuke_joined_loads_total`: tasks that shared their work
    /// - `nuke_loaded_bytes_total`: encoded data that was loaded, by `origin`
    /// - `nuke_stage_duration_seconds`: timer by `stage` (read, load, open, decode, process, decompress,
    ///   encode)
    /// - `nuke_cache_lookups_total`: by `cache` (memory, disk) and `result` (hit, miss)
    /// - `nuke_queue_waiting`, `nuke_queue_running`: gauges by `queue` (load, decode, process, encode)
    /// - `nuke_loads_active`, `nuke_memory_cache_bytes`, `nuke_memory_cache_images`: gauges
    ///
    /// Gauges are read when a load ends, once a second at most and when the last one has ended.
    public var metricsFactory: (any MetricsFactory)?

    /// The tracer of loads. The default is `nil`: nothing is traced, unless ``isSignpostLoggingEnabled`` is set.
    ///
    /// A task has a span from its creation to its end, a child of the `ServiceContext` of the Swift task that created
    /// it. Memory hits have none. The spans of stages are children of the first task that needed them. Other tasks that
    /// share the work link to that task. Closures of requests and the delegate's `willLoadData` run in the context of
    /// their stage. Requests to servers have the header fields that the tracer injects.
    public var tracer: (any Tracer)?

    private static let isTracing = Atomic<Bool>(false)

    /// A Boolean value that indicates whether pipelines that are created later, and have no tracer, use the tracer of
    /// `InstrumentationSystem.bootstrap(_:)`. The default is `false`.
    ///
    /// On Apple's systems this switches signposts on; here the intervals are spans of swift-distributed-tracing.
    public static var isSignpostLoggingEnabled: Bool {
      get { isTracing.load(ordering: .relaxed) }
      set { isTracing.store(newValue, ordering: .relaxed) }
    }

    /// Creates a configuration with the defaults and a data loader.
    public init(dataLoader: any DataLoading = DataLoader()) { self.dataLoader = dataLoader }
  }
}
