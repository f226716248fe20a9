public import Foundation
import FoundationNetworking

// Names and shapes of version 8 that are spelled otherwise since.

/// The processors that come with the package.
@available(*, deprecated, renamed: "ImageProcessors")
public typealias ImageProcessor = ImageProcessors

/// Opaque images become JPEG, those with transparent pixels PNG.
@available(*, deprecated, renamed: "ImageEncoders.Default")
public typealias ImageEncoder = ImageEncoders.Default

/// Loads images into a cache before they are needed.
@available(*, deprecated, renamed: "ImagePrefetcher")
public typealias ImagePreheater = ImagePrefetcher

extension ImagePrefetcher {
  /// Prefetches the images at `urls`.
  @available(*, deprecated, renamed: "startPrefetching(with:)")
  public func startPreheating(with urls: [URL]) { startPrefetching(with: urls) }

  /// Prefetches what `requests` ask for.
  @available(*, deprecated, renamed: "startPrefetching(with:)")
  public func startPreheating(with requests: [ImageRequest]) { startPrefetching(with: requests) }

  /// Gives up the images at `urls`.
  @available(*, deprecated, renamed: "stopPrefetching(with:)")
  public func stopPreheating(with urls: [URL]) { stopPrefetching(with: urls) }

  /// Gives up what was to be prefetched for equal requests.
  @available(*, deprecated, renamed: "stopPrefetching(with:)")
  public func stopPreheating(with requests: [ImageRequest]) { stopPrefetching(with: requests) }

  /// Gives up everything.
  @available(*, deprecated, renamed: "stopPrefetching()")
  public func stopPreheating() { stopPrefetching() }
}

extension ImageCache {
  /// The image of `request`, with its own processors applied. Setting stores it, `nil` removes it.
  @available(*, deprecated, message: "Use pipeline.cache[request], which knows the pipeline's keys and processors")
  public subscript(request: ImageRequest) -> PlatformImage? {
    get { self[ImageCacheKey(request: request)]?.image }
    set { self[ImageCacheKey(request: request)] = newValue.map { ImageContainer(image: $0) } }
  }

  /// The image of `request`, with its own processors applied. Setting stores it, `nil` removes it.
  @available(*, deprecated, message: "Use pipeline.cache[request], which knows the pipeline's keys and processors")
  @_disfavoredOverload
  public subscript(request: ImageRequest) -> ImageContainer? {
    get { self[ImageCacheKey(request: request)] }
    set { self[ImageCacheKey(request: request)] = newValue }
  }
}

extension ImagePipeline.Configuration {
  /// A Boolean value that indicates whether equal work that is wanted at the same time is done once.
  @available(*, deprecated, renamed: "isTaskCoalescingEnabled")
  public var isDeduplicationEnabled: Bool {
    get { isTaskCoalescingEnabled }
    set { isTaskCoalescingEnabled = newValue }
  }

  /// A Boolean value that indicates whether the data of originals is stored in ``dataCache``.
  ///
  /// It and ``isDataCachingForProcessedImagesEnabled`` are a view of ``dataCachePolicy``. With both off nothing is
  /// stored, and what is there is used.
  @available(*, deprecated, renamed: "dataCachePolicy")
  public var isDataCachingForOriginalImageDataEnabled: Bool {
    get { !isDataCacheReadOnly && dataCachePolicy != .storeEncodedImages }
    set { setStored(original: newValue, processed: !isDataCacheReadOnly && dataCachePolicy != .storeOriginalData) }
  }

  /// A Boolean value that indicates whether processed images are stored in ``dataCache``, encoded.
  ///
  /// Those that were asked for are, and not the steps on the way to them.
  @available(*, deprecated, renamed: "dataCachePolicy")
  public var isDataCachingForProcessedImagesEnabled: Bool {
    get { !isDataCacheReadOnly && dataCachePolicy != .storeOriginalData }
    set { setStored(original: !isDataCacheReadOnly && dataCachePolicy != .storeEncodedImages, processed: newValue) }
  }

  private mutating func setStored(original: Bool, processed: Bool) {
    dataCachePolicy = processed ? (original ? .storeAll : .storeEncodedImages) : .storeOriginalData
    isDataCacheReadOnly = !original && !processed
  }
}
