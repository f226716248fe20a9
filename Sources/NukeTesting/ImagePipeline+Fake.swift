public import Nuke

extension ImagePipeline {
  /// A pipeline without network, without anything shared and without a limit of its rate: the loader is the test's, the
  /// memory cache its own.
  ///
  /// - Parameters:
  ///   - loader: answers what the pipeline asks for.
  ///   - imageCache: keeps images in memory; a new cache unless one is given, `nil` for none.
  ///   - configure: changes the configuration further.
  public static func fake(
    loader: any DataLoading = FakeDataLoader(), imageCache: (any ImageCaching)? = FakeImageCache(),
    _ configure: (inout Configuration) -> Void = { _ in }
  ) -> ImagePipeline {
    ImagePipeline(configuration: .fake(loader: loader, imageCache: imageCache, configure))
  }
}

extension ImagePipeline.Configuration {
  /// A configuration for pipelines of tests; see ``Nuke/ImagePipeline/fake(loader:imageCache:_:)``.
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
