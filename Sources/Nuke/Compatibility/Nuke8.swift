public import Foundation
import FoundationNetworking

// The API of version 8 that has other names or types in the current version.

/// The built-in processors.
@available(*, deprecated, renamed: "ImageProcessors")
public typealias ImageProcessor = ImageProcessors

/// Encodes opaque images as JPEG, and images with transparent pixels as PNG.
@available(*, deprecated, renamed: "ImageEncoders.Default")
public typealias ImageEncoder = ImageEncoders.Default

/// Loads images into a cache before they are needed.
@available(*, deprecated, renamed: "ImagePrefetcher")
public typealias ImagePreheater = ImagePrefetcher

extension ImagePrefetcher {
  /// Prefetches the images at `urls`.
  @available(*, deprecated, renamed: "startPrefetching(with:)")
  public func startPreheating(with urls: [URL]) { startPrefetching(with: urls) }

  /// Prefetches the images of `requests`.
  @available(*, deprecated, renamed: "startPrefetching(with:)")
  public func startPreheating(with requests: [ImageRequest]) { startPrefetching(with: requests) }

  /// Stops prefetching the images at `urls`.
  @available(*, deprecated, renamed: "stopPrefetching(with:)")
  public func stopPreheating(with urls: [URL]) { stopPrefetching(with: urls) }

  /// Stops prefetching for equal requests.
  @available(*, deprecated, renamed: "stopPrefetching(with:)")
  public func stopPreheating(with requests: [ImageRequest]) { stopPrefetching(with: requests) }

  /// Stops all prefetching.
  @available(*, deprecated, renamed: "stopPrefetching()")
  public func stopPreheating() { stopPrefetching() }
}

extension ImageCache {
  /// The image of `request`, with its own processors applied. Setting stores it, `nil` removes it.
  @available(*, deprecated, message: "Use pipeline.cache[request], which uses the pipeline's keys and processors")
  public subscript(request: ImageRequest) -> PlatformImage? {
    get { self[ImageCacheKey(request: request)]?.image }
    set { self[ImageCacheKey(request: request)] = newValue.map { ImageContainer(image: $0) } }
  }

  /// The image of `request`, with its own processors applied. Setting stores it, `nil` removes it.
  @available(*, deprecated, message: "Use pipeline.cache[request], which uses the pipeline's keys and processors")
  @_disfavoredOverload
  public subscript(request: ImageRequest) -> ImageContainer? {
    get { self[ImageCacheKey(request: request)] }
    set { self[ImageCacheKey(request: request)] = newValue }
  }
}

extension ImagePipeline.Configuration {
  /// A Boolean value that indicates whether equal concurrent work is coalesced.
  @available(*, deprecated, renamed: "isTaskCoalescingEnabled")
  public var isDeduplicationEnabled: Bool {
    get { isTaskCoalescingEnabled }
    set { isTaskCoalescingEnabled = newValue }
  }

  /// A Boolean value that indicates whether the data of originals is stored in ``dataCache``.
  ///
  /// Together with ``isDataCachingForProcessedImagesEnabled``, it sets ``dataCachePolicy``. If both are `false`,
  /// nothing is stored, but stored data is used.
  @available(*, deprecated, renamed: "dataCachePolicy")
  public var isDataCachingForOriginalImageDataEnabled: Bool {
    get { !isDataCacheReadOnly && dataCachePolicy != .storeEncodedImages }
    set { setStored(original: newValue, processed: !isDataCacheReadOnly && dataCachePolicy != .storeOriginalData) }
  }

  /// A Boolean value that indicates whether processed images are stored in ``dataCache``, encoded.
  ///
  /// Only requested images are stored, not the intermediate results.
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
