import Foundation
import FoundationNetworking

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

  /// The same where it can stream, as ours can.
  func streamingLoader(for request: ImageRequest) -> (any StreamingDataLoading)? {
    guard delegate != nil else { return streamingLoader }
    return dataLoader(for: request) as? any StreamingDataLoading
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

  /// The request with the configuration's processors, where it has none of its own, and without loading where the
  /// pipeline is offline. All that comes from outside goes
  /// through this before it gets an identity.
  func withDefaultProcessors(_ request: ImageRequest) -> ImageRequest {
    if !isOffline, configuration.processors.isEmpty { return request }
    var request = request
    if isOffline, request.url != nil { request.options.insert(.returnCacheDataDontLoad) }
    if !configuration.processors.isEmpty, request.processors.isEmpty { request.processors = configuration.processors }
    return request
  }

  /// Reads what ``readsLocally(_:)`` says yes to. It blocks for as long as the disk takes.
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

  /// The key in memory of a request's image.
  func imageCacheKey(for request: ImageRequest) -> ImageCacheKey {
    guard delegate != nil else { return ImageCacheKey(request: request) }
    return imageCacheKey(for: request, processorCount: request.processors.count)
  }

  /// The key in memory of a request's image after its first processors.
  func imageCacheKey(for request: ImageRequest, processorCount count: Int) -> ImageCacheKey {
    if let custom = customKey(for: request, processorCount: count) { return ImageCacheKey(key: custom) }
    return ImageCacheKey(request.storage.identity, processorCount: count)
  }

  /// The key on disk of a request's encoded image after its first processors.
  func dataCacheKey(for request: ImageRequest, processorCount count: Int) -> String {
    if let custom = customKey(for: request, processorCount: count) { return custom }
    var key = request.imageID ?? ""
    if let thumbnail = request.thumbnail { key += thumbnail.identifier }
    for processor in request.processors.prefix(count) { key += processor.identifier }
    return key
  }

  /// The key on disk of the data of a request's original.
  func originalDataCacheKey(for request: ImageRequest) -> String {
    guard delegate != nil else { return request.imageID ?? "" }
    var original = request
    original.processors = []
    original.thumbnail = nil
    return dataCacheKey(for: original, processorCount: 0)
  }

  private func customKey(for request: ImageRequest, processorCount count: Int) -> String? {
    guard let delegate else { return nil }
    var request = request
    if count < request.processors.count { request.processors = Array(request.processors.prefix(count)) }
    return delegate.cacheKey(for: request, pipeline: self)
  }
}
