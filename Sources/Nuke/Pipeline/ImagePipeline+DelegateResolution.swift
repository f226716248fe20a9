import Foundation
import FoundationNetworking
import NukeHTTP
import NukeStore

/// Values that come from the delegate, if there is one, or else from the configuration.
extension ImagePipeline {
  func imageCache(for request: ImageRequest) -> (any ImageCaching)? {
    guard let delegate else { return configuration.imageCache }
    return delegate.imageCache(for: request, pipeline: self)
  }

  func dataCache(for request: ImageRequest) -> (any DataCaching)? {
    guard let delegate else { return configuration.dataCache }
    return delegate.dataCache(for: request, pipeline: self)
  }

  func dataLoader(for request: ImageRequest) -> any DataLoading {
    guard let delegate else { return configuration.dataLoader }
    return delegate.dataLoader(for: request, pipeline: self)
  }

  /// Returns the data loader if it supports streaming, as the loaders of this package do; otherwise `nil`.
  func streamingLoader(for request: ImageRequest) -> (any StreamingDataLoading)? {
    guard delegate != nil else { return streamingLoader }
    return dataLoader(for: request) as? any StreamingDataLoading
  }

  /// Returns the data loader, and the same loader again if it supports streaming. Calls the delegate once.
  func loaders(for request: ImageRequest) -> (loader: any DataLoading, streaming: (any StreamingDataLoading)?) {
    let loader = dataLoader(for: request)
    return (loader, delegate == nil ? streamingLoader : loader as? any StreamingDataLoading)
  }

  func imageDecoder(for context: ImageDecodingContext) -> (any ImageDecoding)? {
    guard let delegate else { return configuration.makeImageDecoder(context) }
    return delegate.imageDecoder(for: context, pipeline: self)
  }

  func previewPolicy(for context: ImageDecodingContext) -> PreviewPolicy {
    guard let delegate else { return .default(for: context.data) }
    return delegate.previewPolicy(for: context, pipeline: self)
  }

  func imageEncoder(for context: ImageEncodingContext) -> any ImageEncoding {
    guard let delegate else { return configuration.makeImageEncoder(context) }
    return delegate.imageEncoder(for: context, pipeline: self)
  }

  /// Returns `true` if the pipeline reads `url` itself, without a data loader.
  func readsLocally(_ url: URL) -> Bool {
    configuration.isLocalResourcesSupportEnabled && LocalResource.isLocal(url)
  }

  /// Returns the request with the processors of the configuration if it has none, and cache-only if the pipeline is
  /// offline. Every request of the program passes through this before it gets an identity.
  func withDefaultProcessors(_ request: ImageRequest) -> ImageRequest {
    if !isOffline, configuration.processors.isEmpty { return request }
    var request = request
    if isOffline, request.url != nil { request.options.insert(.returnCacheDataDontLoad) }
    if !configuration.processors.isEmpty, request.processors.isEmpty { request.processors = configuration.processors }
    return request
  }

  /// Reads a resource for which ``readsLocally(_:)`` returns `true`, on the calling thread.
  func readLocal(_ url: URL) -> Result<(data: Data, response: URLResponse), Error> {
    do {
      let (data, response) = try LocalResource.load(url, limit: configuration.maximumResponseDataSize)
      return data.isEmpty ? .failure(.dataIsEmpty) : .success((data, response))
    } catch .bodyTooLarge {
      return .failure(.dataDownloadExceededMaximumSize)
    } catch {
      return .failure(.dataLoadingFailed(error: error.urlError(for: url)))
    }
  }

  /// Returns the memory cache key of the image.
  func imageCacheKey(for request: ImageRequest) -> ImageCacheKey {
    guard delegate != nil else { return ImageCacheKey(request: request) }
    return imageCacheKey(for: request, processorCount: request.processors.count)
  }

  /// Returns the memory cache key of the image after the first `count` processors.
  func imageCacheKey(for request: ImageRequest, processorCount count: Int) -> ImageCacheKey {
    if let custom = customKey(for: request, processorCount: count) { return ImageCacheKey(key: custom) }
    return ImageCacheKey(request.storage.identity, processorCount: count)
  }

  /// Returns the disk cache key of the encoded image after the first `count` processors.
  func dataCacheKey(for request: ImageRequest, processorCount count: Int) -> String {
    if let custom = customKey(for: request, processorCount: count) { return custom }
    var key = request.imageID ?? ""
    // Without thumbnail and processors, it is the key of the video itself.
    if count > 0 || request.thumbnail != nil { key += request.posterFrame.identifier }
    if let thumbnail = request.thumbnail { key += thumbnail.identifier }
    for processor in request.processors.prefix(count) { key += processor.identifier }
    return key
  }

  /// Returns the disk cache key of the original data.
  func originalDataCacheKey(for request: ImageRequest) -> String {
    guard delegate != nil else { return request.imageID ?? "" }
    var original = request
    original.processors = []
    original.thumbnail = nil
    original.posterFrame = .first
    return dataCacheKey(for: original, processorCount: 0)
  }

  private func customKey(for request: ImageRequest, processorCount count: Int) -> String? {
    guard let delegate else { return nil }
    var request = request
    if count < request.processors.count { request.processors = Array(request.processors.prefix(count)) }
    return delegate.cacheKey(for: request, pipeline: self)
  }
}
