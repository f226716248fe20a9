import Nuke
import NukeImaging

/// A memory cache of version 4 as one of today's.
final class LegacyImageCache: ImageCaching {
  private let base: any Caching
  init(_ base: any Caching) { self.base = base }

  subscript(key: ImageCacheKey) -> ImageContainer? {
    get { base[key.legacy].map { ImageContainer(image: $0) } }
    set { base[key.legacy] = newValue?.image }
  }

  /// Does nothing: version 4's protocol has no way to say it, and whoever made the cache can empty it.
  func removeAll() {}
}
