public import Foundation

extension ImagePipeline {
  /// The pipeline's caches.
  public var cache: Cache { Cache(pipeline: self) }

  /// Reads and writes what a pipeline keeps, under the keys the pipeline itself uses.
  public struct Cache: Sendable {
    let pipeline: ImagePipeline

    /// The picture of `url` in the memory cache. Setting stores it, nil removes it.
    public subscript(url: URL) -> ImageContainer? {
      get { self[ImageRequest(url: url)] }
      nonmutating set { self[ImageRequest(url: url)] = newValue }
    }

    /// The picture of `request`, with its processors applied, in the memory cache. Setting stores it, nil removes it.
    public subscript(request: ImageRequest) -> ImageContainer? {
      get { pipeline.configuration.imageCache?[makeImageCacheKey(for: request)] }
      nonmutating set { pipeline.configuration.imageCache?[makeImageCacheKey(for: request)] = newValue }
    }

    /// The key of `request`'s picture in the memory cache.
    public func makeImageCacheKey(for request: ImageRequest) -> ImageCacheKey { ImageCacheKey(request: request) }
  }
}
