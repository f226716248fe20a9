public import Foundation
public import FoundationNetworking

/// An image to load, its processors, and its keys in memory and for coalescing.
///
/// The keys are compared on several threads, so they have to be values that nobody changes, such as texts and numbers.
public struct Request: @unchecked Sendable {
  private enum Source {
    case url(URL)
    case urlRequest(URLRequest)
  }

  private var source: Source

  /// A request for the image at `url`.
  public init(url: URL) { source = .url(url) }

  /// A request that sends `urlRequest` as it is.
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

  /// Has `processor` applied after what is done to the image already.
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
    /// A Boolean value that indicates whether an image in memory is taken. True unless it is set.
    public var readAllowed = true
    /// A Boolean value that indicates whether the image is stored in memory. True unless it is set.
    public var writeAllowed = true

    /// Options that allow all.
    public init() {}
    /// Options that allow what is said.
    public init(readAllowed: Bool, writeAllowed: Bool) {
      self.readAllowed = readAllowed
      self.writeAllowed = writeAllowed
    }
  }
}

// MARK: In today's terms

extension Request {
  /// The same wish as today's pipelines understand it. A ``cacheKey`` is the loader's affair, which keeps images under
  /// it itself, and a ``loadKey`` too.
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

  /// What the image is called in a ``Caching``.
  var memoryKey: AnyHashable { cacheKey ?? AnyHashable(ImageCacheKey(request: imageRequest)) }

  /// What requests have in common that may share a load.
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
