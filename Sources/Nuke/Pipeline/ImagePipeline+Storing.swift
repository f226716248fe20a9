import Foundation

/// Where a result may be stored, each said in one place.
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

  func diskCacheForWriting(_ request: ImageRequest, isLocal: Bool) -> Storing<any DataCaching> {
    if isLocal { return .excluded(.localSource) }
    if configuration.isDataCacheReadOnly { return .excluded(.policy) }
    if request.options.contains(.disableDiskCacheWrites) { return .excluded(.disabledByOption) }
    guard let cache = dataCache(for: request) else { return .excluded(.noCache) }
    return .into(cache)
  }
}
