public import Foundation
public import FoundationNetworking

/// The options of a request in version 8.
@available(*, deprecated, message: "Set the request's imageID, and use ImageRequest.Options")
public struct ImageRequestOptions: Sendable {
  /// The use of the memory cache by a request.
  public struct MemoryCacheOptions: Sendable {
    /// A Boolean value that indicates whether the image is looked up in the memory cache.
    public var isReadAllowed: Bool
    /// A Boolean value that indicates whether the image is stored in the memory cache.
    public var isWriteAllowed: Bool

    /// Creates options. By default, both are allowed.
    public init(isReadAllowed: Bool = true, isWriteAllowed: Bool = true) {
      self.isReadAllowed = isReadAllowed
      self.isWriteAllowed = isWriteAllowed
    }
  }

  /// The use of the memory cache by a request.
  public var memoryCacheOptions: MemoryCacheOptions
  /// The identifier of the original image in caches and for coalescing; `nil` to use the URL. Set it if parts of the
  /// URL, such as a token, change while the image stays the same.
  public var filteredURL: String?

  /// Creates options for a request.
  public init(memoryCacheOptions: MemoryCacheOptions = .init(), filteredURL: String? = nil) {
    self.memoryCacheOptions = memoryCacheOptions
    self.filteredURL = filteredURL
  }

  fileprivate var options: ImageRequest.Options {
    var options: ImageRequest.Options = []
    if !memoryCacheOptions.isReadAllowed { options.insert(.disableMemoryCacheReads) }
    if !memoryCacheOptions.isWriteAllowed { options.insert(.disableMemoryCacheWrites) }
    return options
  }
}

extension ImageRequest {
  /// Creates a request for the image at `url`.
  @available(*, deprecated, message: "Set imageID in place of filteredURL, and use ImageRequest.Options")
  @_disfavoredOverload
  public init(
    url: URL?, processors: [any ImageProcessing] = [], priority: Priority = .normal, options: ImageRequestOptions
  ) {
    self.init(url: url, processors: processors, priority: priority, options: options.options)
    if let filteredURL = options.filteredURL { imageID = filteredURL }
  }

  /// Creates a request that sends `urlRequest` unchanged.
  @available(*, deprecated, message: "Set imageID in place of filteredURL, and use ImageRequest.Options")
  @_disfavoredOverload
  public init(
    urlRequest: URLRequest, processors: [any ImageProcessing] = [], priority: Priority = .normal,
    options: ImageRequestOptions
  ) {
    self.init(urlRequest: urlRequest, processors: processors, priority: priority, options: options.options)
    if let filteredURL = options.filteredURL { imageID = filteredURL }
  }
}
