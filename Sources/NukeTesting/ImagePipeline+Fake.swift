public import Nuke

extension ImagePipeline {
  /// Returns a pipeline for tests, without a network, shared state or a rate limiter.
  ///
  /// - Parameters:
  ///   - loader: the data loader.
  ///   - imageCache: the memory cache. The default is a new cache.
  ///   - configure: changes the configuration.
  public static func fake(
    loader: any DataLoading = FakeDataLoader(), imageCache: (any ImageCaching)? = FakeImageCache(),
    _ configure: (inout Configuration) -> Void = { _ in }
  ) -> ImagePipeline {
    ImagePipeline(configuration: .fake(loader: loader, imageCache: imageCache, configure))
  }
}

extension ImagePipeline.Configuration {
  /// A configuration for tests. See ``Nuke/ImagePipeline/fake(loader:imageCache:_:)``.
  public static func fake(
    loader: any DataLoading = FakeDataLoader(), imageCache: (any ImageCaching)? = FakeImageCache(),
    _ configure: (inout ImagePipeline.Configuration) -> Void = { _ in }
  ) -> ImagePipeline.Configuration {
    var configuration = ImagePipeline.Configuration(dataLoader: loader)
    configuration.imageCache = imageCache
    configuration.isRateLimiterEnabled = false
    configure(&configuration)
    return configuration
  }
}
