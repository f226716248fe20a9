public import FoundationNetworking
public import NukeImaging

/// A loaded image and its origin.
public struct ImageResponse: Sendable {
  /// The image and its metadata.
  public var container: ImageContainer
  /// The request of the load.
  public var request: ImageRequest
  /// The response of the server, if the image was downloaded for this request.
  public var urlResponse: URLResponse? {
    get { response?.value }
    set { response = newValue.map { LazyURLResponse($0) } }
  }
  /// The cache the image came from; `nil` if it was loaded.
  public var cacheType: CacheType?
  /// The freshness of the image; `nil` if the request accepts any version, as under
  /// ``ImagePipeline/FreshnessPolicy/ignore``, and for sources without freshness.
  public var freshness: Freshness?

  private var response: LazyURLResponse?

  /// Creates a response, for example for a test.
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

  /// The image.
  public var image: PlatformImage { container.image }
  /// A Boolean value that indicates whether it is an early, incomplete version of the image.
  public var isPreview: Bool { container.isPreview }

  /// A kind of cache.
  public enum CacheType: Sendable {
    case memory, disk
  }
}
