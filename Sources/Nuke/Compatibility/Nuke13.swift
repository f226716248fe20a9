public import Foundation
public import FoundationNetworking

// The API of version 13 that has other names or types in the current version.

extension ImageRequest {
  /// Creates a request for the image at `url`, with values for the program's own loaders, decoders and delegates.
  @available(*, deprecated, message: "Set the userInfo property of the request instead")
  public init(
    url: URL?, processors: [any ImageProcessing] = [], priority: Priority = .normal, options: Options = [],
    userInfo: [UserInfoKey: any Sendable]?
  ) {
    self.init(url: url, processors: processors, priority: priority, options: options)
    self.userInfo = userInfo ?? [:]
  }

  /// Creates a request that sends `urlRequest` unchanged, with values for the program's own loaders, decoders and
  /// delegates.
  @available(*, deprecated, message: "Set the userInfo property of the request instead")
  public init(
    urlRequest: URLRequest, processors: [any ImageProcessing] = [], priority: Priority = .normal,
    options: Options = [], userInfo: [UserInfoKey: any Sendable]?
  ) {
    self.init(urlRequest: urlRequest, processors: processors, priority: priority, options: options)
    self.userInfo = userInfo ?? [:]
  }

  /// Creates a request for an image whose encoded data the closure `data` returns, with values for the program's own
  /// decoders and delegates.
  @available(*, deprecated, message: "Set the userInfo property of the request instead")
  public init(
    id: String, data: @escaping @Sendable () async throws -> Data, processors: [any ImageProcessing] = [],
    priority: Priority = .normal, options: Options = [], userInfo: [UserInfoKey: any Sendable]?
  ) {
    self.init(id: id, data: data, processors: processors, priority: priority, options: options)
    self.userInfo = userInfo ?? [:]
  }

  /// Creates a request for a decoded image that the closure `image` returns, with values for the program's own
  /// delegates.
  @available(*, deprecated, message: "Set the userInfo property of the request instead")
  public init(
    id: String, image: @escaping @Sendable () async throws -> ImageContainer,
    processors: [any ImageProcessing] = [], priority: Priority = .normal, options: Options = [],
    userInfo: [UserInfoKey: any Sendable]?
  ) {
    self.init(id: id, image: image, processors: processors, priority: priority, options: options)
    self.userInfo = userInfo ?? [:]
  }
}

/// Lets a request's scale also be a `Float`. A second property with the same name must be in a protocol.
public protocol ScaledByFloat {}

extension ImageRequest: ScaledByFloat {}

extension ScaledByFloat where Self == ImageRequest {
  /// The number of pixels per point of the image.
  @available(*, deprecated, message: "Use a CGFloat for the scale")
  public var scale: Float {
    get {
      let scale: CGFloat = self.scale
      return Float(scale)
    }
    set { self.scale = CGFloat(newValue) }
  }
}

extension ImageTask.Event {
  /// A placeholder for patterns that match the start of a task. It matches no event: only
  /// ``ImagePipeline/Delegate/imageTaskDidStart(_:pipeline:)`` reports the start.
  public struct Started: Sendable {
    @available(*, deprecated, message: "Implement ImagePipeline.Delegate.imageTaskDidStart(_:pipeline:) instead")
    public static var started: Started { Started() }
  }

  /// A pattern that no event matches.
  @available(*, deprecated, message: "Implement ImagePipeline.Delegate.imageTaskDidStart(_:pipeline:) instead")
  public static var started: Started { Started() }

  public static func ~= (pattern: Started, event: ImageTask.Event) -> Bool { false }
}
