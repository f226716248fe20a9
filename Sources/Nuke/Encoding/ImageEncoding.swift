public import Foundation
public import FoundationNetworking
public import NukeImaging

/// Makes encoded data of an image.
public protocol ImageEncoding: Sendable {
  /// The encoded image; `nil` if it cannot be encoded.
  func encode(_ image: PlatformImage) -> Data?
  /// Returns the encoded image of a container. By default that is the container's data for a GIF, or an animated WebP,
  /// that no processor has changed, and the encoded image for all others. A GIF without data encodes to `nil`.
  func encode(_ container: ImageContainer, context: ImageEncodingContext) -> Data?
}

extension ImageEncoding {
  public func encode(_ container: ImageContainer, context: ImageEncodingContext) -> Data? {
    guard !container.isProcessed else { return encode(container.image) }
    if container.type == .gif { return container.data }
    if container.type == .webp, let data = container.data { return data }
    return encode(container.image)
  }
}

/// The information by which an encoder is chosen.
public struct ImageEncodingContext: Sendable {
  /// The request of the load.
  public let request: ImageRequest
  /// The image to be encoded.
  public let image: PlatformImage
  /// The server's answer, if it was one.
  public var urlResponse: URLResponse? { response?.value }

  private let response: LazyURLResponse?

  /// A context made by a program itself, as for tests.
  public init(request: ImageRequest, image: PlatformImage, urlResponse: URLResponse?) {
    self.init(request: request, image: image, response: urlResponse.map { LazyURLResponse($0) })
  }

  init(request: ImageRequest, image: PlatformImage, response: LazyURLResponse?) {
    self.request = request
    self.image = image
    self.response = response
  }
}
