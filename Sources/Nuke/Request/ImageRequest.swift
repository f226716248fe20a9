public import Foundation
public import FoundationNetworking
import NukeBase
public import NukeCodecs

/// An image to load, its processors, and its priority.
///
/// Requests are cheap to copy. A string literal creates a request for that URL.
public struct ImageRequest: Sendable, ExpressibleByStringLiteral {
  var storage: Storage

  // MARK: Creating requests

  /// Creates a request for the image at an http, https, ftp, file or data URL. A `nil` URL fails with
  /// ``ImagePipeline/Error/dataLoadingFailed(error:)`` and `URLError.badURL`.
  ///
  /// - Parameters:
  ///   - url: the URL of the image.
  ///   - processors: the processors to apply, in order.
  ///   - priority: the priority of the request.
  ///   - options: the caches to use, and other options.
  public init(
    url: URL?, processors: [any ImageProcessing] = [], priority: Priority = .normal, options: Options = []
  ) {
    storage = Storage(resource: .url(url), processors: processors, priority: priority, options: options)
  }

  /// Creates a request that sends `urlRequest` with its method, header fields, body and time limit.
  public init(
    urlRequest: URLRequest, processors: [any ImageProcessing] = [], priority: Priority = .normal,
    options: Options = []
  ) {
    storage = Storage(
      resource: .urlRequest(urlRequest), processors: processors, priority: priority, options: options)
  }

  /// Creates a request for an image whose encoded bytes `data` returns. `id` identifies it in caches and for
  /// coalescing.
  public init(
    id: String, data: @escaping @Sendable () async throws -> Data, processors: [any ImageProcessing] = [],
    priority: Priority = .normal, options: Options = []
  ) {
    storage = Storage(
      resource: .data(id: id, data), processors: processors, priority: priority, options: options)
  }

  /// Creates a request for an image whose encoded bytes are in memory.
  ///
  /// - Parameter opened: the image, if it was opened before; the pipeline does not open it again.
  package init(
    id: String, bytes: Data, opened: (any OpenedImage)? = nil, processors: [any ImageProcessing] = [],
    options: Options = []
  ) {
    storage = Storage(
      resource: .bytes(id: id, bytes), processors: processors, priority: .normal, options: options)
    if let opened { storage.opened = opened }
  }

  /// Creates a request for a decoded image that `image` returns. `id` identifies it in caches and for coalescing.
  public init(
    id: String, image: @escaping @Sendable () async throws -> ImageContainer,
    processors: [any ImageProcessing] = [], priority: Priority = .normal, options: Options = []
  ) {
    storage = Storage(
      resource: .image(id: id, image), processors: processors, priority: priority, options: options)
  }

  /// Creates a request for a URL. Characters that a URL cannot contain, such as spaces, are escaped as in a browser;
  /// escapes stay as they are.
  public init(stringLiteral value: String) { self.init(url: URL(escaping: value)) }

  // MARK: Properties

  /// The URL, also of a ``urlRequest``; `nil` for an image from a closure.
  public var url: URL? {
    switch storage.resource {
    case .url(let url): url
    case .urlRequest(let request): request.url
    case .data, .bytes, .image: nil
    }
  }

  /// The request to send; `nil` for an image from a closure, and if there is no URL.
  public var urlRequest: URLRequest? {
    switch storage.resource {
    case .url(let url): url.map { URLRequest(url: $0) }
    case .urlRequest(let request): request
    case .data, .bytes, .image: nil
    }
  }

  /// The identifier of the original in caches and for coalescing. The default is the URL.
  ///
  /// Set it if parts of the URL change while the image stays the same, such as a token.
  public var imageID: String? {
    get { storage.imageID ?? storage.resource.id }
    set { change { $0.imageID = newValue } }
  }

  /// The processors to apply, in order.
  public var processors: [any ImageProcessing] {
    get { storage.processors }
    set { change { $0.processors = newValue } }
  }

  /// The scale of the image, in pixels per point. The default is 1, or the scale that a closure or a decoder of the
  /// program's sets.
  public var scale: CGFloat {
    get { storage.scale ?? 1 }
    set { change { $0.scale = newValue.isFinite && newValue > 0 ? newValue : nil } }
  }

  /// Options for a thumbnail that is made while decoding. It takes far less memory than decoding the image and resizing
  /// it.
  public var thumbnail: ThumbnailOptions? {
    get { storage.thumbnail }
    set { change { $0.thumbnail = newValue } }
  }

  /// The frame of a video that the image shows. The default is the first one. It has no effect on other formats.
  ///
  /// Requests for several frames of a video share its data and its download.
  public var posterFrame: PosterFrame {
    get { storage.posterFrame }
    set { change { $0.posterFrame = newValue } }
  }

  /// The priority among waiting requests.
  public var priority: Priority {
    get { storage.priority }
    set { change(keepingIdentity: true) { $0.priority = newValue } }
  }

  /// The caches to use, and other options.
  public var options: Options {
    get { storage.options }
    set { change(keepingIdentity: true) { $0.options = newValue } }
  }

  /// Values for custom loaders, decoders and delegates.
  public var userInfo: [UserInfoKey: any Sendable] {
    get { storage.userInfo }
    set {
      let namesImage = newValue.namesImage || storage.userInfo.namesImage
      change(keepingIdentity: !namesImage) { $0.userInfo = newValue }
    }
  }

  mutating func change(keepingIdentity: Bool = false, _ body: (Storage) -> Void) {
    // Other copies may use the identity, so a change that affects it needs storage of its own.
    if !isKnownUniquelyReferenced(&storage) || (!keepingIdentity && storage.hasIdentity) {
      storage = storage.copy(keepingIdentity: keepingIdentity)
    }
    body(storage)
  }
}

extension ImageRequest {
  /// The priority of a request. Work that several requests share has the highest of their priorities.
  public enum Priority: Int, Comparable, Sendable, CaseIterable {
    case veryLow = 0
    case low, normal, high, veryHigh

    public static func < (lhs: Priority, rhs: Priority) -> Bool { lhs.rawValue < rhs.rawValue }

    /// The priority of the request's work in queues.
    var workPriority: WorkPriority { WorkPriority(rawValue: rawValue) ?? .normal }
  }

  /// A name for a value in ``ImageRequest/userInfo``.
  public struct UserInfoKey: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The name.
    public let rawValue: String
    /// Creates a name.
    public init(_ rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { rawValue = value }
  }
}

extension ImageRequest: CustomStringConvertible {
  /// The resource, the priority, the processors, the options and the user info, and other settings that differ from the
  /// defaults.
  public var description: String {
    var parts = [
      "resource: \(storage.resource.id ?? "nil")", "priority: \(priority)",
      "processors: \(processors.map(\.identifier))", "options: [\(optionNames.joined(separator: ", "))]",
    ]
    if let id = storage.imageID { parts.append("imageID: \(id)") }
    if let scale = storage.scale { parts.append("scale: \(scale)") }
    if let thumbnail { parts.append("thumbnail: \(thumbnail.identifier)") }
    if posterFrame != .first { parts.append("posterFrame: \(posterFrame)") }
    let values = userInfo.map { "\($0.key.rawValue): \($0.value)" }.sorted()
    parts.append("userInfo: [\(values.isEmpty ? ":" : values.joined(separator: ", "))]")
    return "ImageRequest(\(parts.joined(separator: ", ")))"
  }

  /// The settings that differ from the defaults, in one line.
  var summary: String {
    var parts = [imageID ?? "no URL"]
    if !processors.isEmpty { parts.append("processors \(processors.map(\.identifier))") }
    if let thumbnail { parts.append("thumbnail \(thumbnail.identifier)") }
    if posterFrame != .first { parts.append("poster frame \(posterFrame.identifier)") }
    if priority != .normal { parts.append("priority \(priority)") }
    return "ImageRequest(\(parts.joined(separator: ", ")))"
  }

  private var optionNames: [String] {
    let names: [(Options, String)] = [
      (.disableMemoryCacheReads, "disableMemoryCacheReads"), (.disableMemoryCacheWrites, "disableMemoryCacheWrites"),
      (.disableDiskCacheReads, "disableDiskCacheReads"), (.disableDiskCacheWrites, "disableDiskCacheWrites"),
      (.reloadIgnoringCachedData, "reloadIgnoringCachedData"), (.returnCacheDataDontLoad, "returnCacheDataDontLoad"),
      (.skipDecompression, "skipDecompression"), (.skipDataLoadingQueue, "skipDataLoadingQueue"),
      (.staleWhileRevalidate, "staleWhileRevalidate"),
    ]
    return names.filter { options.contains($0.0) }.map(\.1)
  }
}
