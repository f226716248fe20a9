public import Foundation
public import FoundationNetworking

/// An image to load, its processors, and its keys in memory and for coalescing.
///
/// The keys are compared on several threads, so they must be immutable, such as strings and numbers.
public struct Request: @unchecked Sendable {
  private enum Source {
    case url(URL)
    case urlRequest(URLRequest)
  }

  private var source: Source

  /// Creates a request for the image at `url`.
  public init(url: URL) { source = .url(url) }

  /// Creates a request that sends `urlRequest` unchanged.
  public init(urlRequest: URLRequest) { source = .urlRequest(urlRequest) }

  /// The request to send.
  public var urlRequest: URLRequest {
    get {
      switch source {
      case .url(let url): URLRequest(url: url)
      case .urlRequest(let request): request
      }
    }
    set { source = .urlRequest(newValue) }
  }

  /// The processor. The default only decodes.
  public var processor: AnyProcessor? = AnyProcessor(Decompressor())

  /// Appends a processor.
  public mutating func process<P: Processing>(with processor: P) {
    let last = AnyProcessor(processor)
    self.processor = self.processor?.followed(by: last) ?? last
  }

  /// The use of the memory cache.
  public var memoryCacheOptions = MemoryCacheOptions()

  /// The key of the load. Requests with equal keys share the load that began first, and receive its image. By default,
  /// requests share a load if they send the same request and have equal processors.
  public var loadKey: AnyHashable?

  /// The key in the memory cache. The default consists of the URL and the processor.
  public var cacheKey: AnyHashable?
}

extension Request {
  /// The use of the memory cache for a request.
  public struct MemoryCacheOptions: Hashable, Sendable {
    /// A Boolean value that indicates whether a cached image is used. The default is `true`.
    public var readAllowed = true
    /// A Boolean value that indicates whether the image is stored in memory. The default is `true`.
    public var writeAllowed = true

    /// Creates options that allow reading and writing.
    public init() {}
    /// Creates options with the given values.
    public init(readAllowed: Bool, writeAllowed: Bool) {
      self.readAllowed = readAllowed
      self.writeAllowed = writeAllowed
    }
  }
}

// MARK: Conversion to Nuke

extension Request {
  /// The equivalent request of a pipeline. ``cacheKey`` and ``loadKey`` are not part of it; ``Loader`` uses them itself.
  var imageRequest: ImageRequest {
    let processors = processor?.steps ?? []
    var options: ImageRequest.Options = []
    if !memoryCacheOptions.readAllowed || cacheKey != nil { options.insert(.disableMemoryCacheReads) }
    if !memoryCacheOptions.writeAllowed || cacheKey != nil { options.insert(.disableMemoryCacheWrites) }
    switch source {
    case .url(let url): return ImageRequest(url: url, processors: processors, options: options)
    case .urlRequest(let request):
      return ImageRequest(urlRequest: request, processors: processors, options: options)
    }
  }

  /// The key of the image in a ``Caching``.
  var memoryKey: AnyHashable { cacheKey ?? AnyHashable(ImageCacheKey(request: imageRequest)) }

  /// The key by which requests share a load.
  var joinKey: AnyHashable { loadKey ?? AnyHashable(Work(urlRequest: urlRequest, steps: processor?.steps ?? [])) }

  private struct Work: Hashable {
    let urlRequest: URLRequest
    let steps: [ProcessorStep]

    func hash(into hasher: inout Hasher) {
      hasher.combine(urlRequest.url)
      hasher.combine(steps)
    }
  }
}
