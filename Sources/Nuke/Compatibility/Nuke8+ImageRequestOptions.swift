public import Foundation
public import FoundationNetworking

/// The options of a request in version 8.
@available(*, deprecated, message: "Set the request's imageID, and use ImageRequest.Options")
public struct ImageRequestOptions: Sendable {
  /// A Boolean value that indicates whether the memory cache takes part.
  public struct MemoryCacheOptions: Sendable {
    /// A Boolean value that indicates whether the memory cache is asked.
    public var isReadAllowed: Bool
    /// A Boolean value that indicates whether the image is stored in the memory cache.
    public var isWriteAllowed: Bool

    /// Both, unless told otherwise.
    public init(isReadAllowed: Bool = true, isWriteAllowed: Bool = true) {
      self.isReadAllowed = isReadAllowed
      self.isWriteAllowed = isWriteAllowed
    }
  }

  /// A Boolean value that indicates whether the memory cache takes part.
  public var memoryCacheOptions: MemoryCacheOptions
  /// The name of the original image in caches and for coalescing, for URLs with parts that change without the image
  /// changing; `nil` for the URL itself.
  public var filteredURL: String?

  /// Options for a request.
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
  /// A request for the image at `url`.
  @available(*, deprecated, message: "Set imageID in place of filteredURL, and use ImageRequest.Options")
  @_disfavoredOverload
  public init(
    url: URL?, processors: [any ImageProcessing] = [], priority: Priority = .normal, options: ImageRequestOptions
  ) {
    self.init(url: url, processors: processors, priority: priority, options: options.options)
    if let filteredURL = options.filteredURL { imageID = filteredURL }
  }

  /// A request that sends `urlRequest` as it is.
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
