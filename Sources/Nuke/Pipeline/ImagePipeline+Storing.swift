import Foundation
import NukeHTTP
import NukeStore

/// Decides where a result may be stored.
extension ImagePipeline {
  typealias NotCachedReason = ImageTask.Facts.NotCachedReason

  enum Storing<Cache> {
    case into(Cache)
    case excluded(NotCachedReason)
  }

  func memoryCacheForWriting(_ request: ImageRequest) -> Storing<any ImageCaching> {
    if request.options.contains(.disableMemoryCacheWrites) { return .excluded(.disabledByOption) }
    guard let cache = imageCache(for: request) else { return .excluded(.noCache) }
    return .into(cache)
  }

  /// Returns the disk cache for the original data. Local data is never copied to it.
  func diskCacheForOriginal(_ request: ImageRequest) -> Storing<any DataCaching> {
    request.isOfLocalSource ? .excluded(.localSource) : diskCacheForWriting(request)
  }

  func diskCacheForWriting(_ request: ImageRequest) -> Storing<any DataCaching> {
    let storing = writableDiskCache(for: request)
    guard case .into = storing, request.options.contains(.disableDiskCacheWrites) else { return storing }
    return .excluded(.disabledByOption)
  }

  /// Returns the disk cache, also if the options of the request exclude it.
  func writableDiskCache(for request: ImageRequest) -> Storing<any DataCaching> {
    if configuration.isDataCacheReadOnly { return .excluded(.policy) }
    guard let cache = dataCache(for: request) else { return .excluded(.noCache) }
    return .into(cache)
  }
}

extension ImageRequest {
  /// `true` for `file:` and `data:` URLs.
  var isOfLocalSource: Bool { url.map(LocalResource.isLocal) ?? false }
}
