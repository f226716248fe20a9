public import FoundationNetworking
public import NukeImaging

/// A loaded picture and where it came from.
public struct ImageResponse: Sendable {
  /// The picture with what its decoder knows of it.
  public var container: ImageContainer
  /// What was asked for.
  public var request: ImageRequest
  /// The server's answer, where the picture was downloaded for this request.
  public var urlResponse: URLResponse? {
    get { response?.value }
    set { response = newValue.map { LazyURLResponse($0) } }
  }
  /// The cache the picture came from; nil where it was loaded.
  public var cacheType: CacheType?
  /// How current the picture is; nil where nobody asked, as under ``ImagePipeline/FreshnessPolicy/ignore``, and for what
  /// has no freshness.
  public var freshness: Freshness?

  private var response: LazyURLResponse?

  /// A response made by a program itself, as for tests.
  public init(
    container: ImageContainer, request: ImageRequest, urlResponse: URLResponse? = nil, cacheType: CacheType? = nil,
    freshness: Freshness? = nil
  ) {
    self.init(
      container: container, request: request, response: urlResponse.map { LazyURLResponse($0) }, cacheType: cacheType,
      freshness: freshness)
  }

  init(
    container: ImageContainer, request: ImageRequest, response: LazyURLResponse?, cacheType: CacheType?,
    freshness: Freshness?
  ) {
    self.container = container
    self.request = request
    self.response = response
    self.cacheType = cacheType
    self.freshness = freshness
  }

  /// The picture.
  public var image: PlatformImage { container.image }
  /// Whether it is an early, incomplete version of the picture.
  public var isPreview: Bool { container.isPreview }

  /// A kind of cache.
  public enum CacheType: Sendable {
    case memory, disk
  }
}
