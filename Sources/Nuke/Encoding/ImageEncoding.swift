public import Foundation
public import FoundationNetworking
public import NukeImaging

/// Encodes images.
public protocol ImageEncoding: Sendable {
  /// Returns the encoded image; `nil` if it cannot be encoded.
  func encode(_ image: PlatformImage) -> Data?
  /// Returns the encoded image of a container. The default implementation returns the container's data for a GIF, a
  /// video or an animated image that no processor has changed, and encodes the image otherwise. Returns `nil` for a GIF
  /// without data.
  func encode(_ container: ImageContainer, context: ImageEncodingContext) -> Data?
}

extension ImageEncoding {
  public func encode(_ container: ImageContainer, context: ImageEncodingContext) -> Data? {
    container.data(encodedBy: self)
  }
}

extension ImageContainer {
  /// Returns the data of an image that the encoder cannot represent and no processor has changed; otherwise the encoded
  /// image.
  func data(encodedBy encoder: some ImageEncoding) -> Data? {
    guard !isProcessed else { return encoder.encode(image) }
    if type == .gif { return data }
    if type == .webp || type?.isVideo == true || animation != nil, let data { return data }
    return encoder.encode(image)
  }
}

/// The information available for choosing an encoder.
public struct ImageEncodingContext: Sendable {
  /// The request of the load.
  public let request: ImageRequest
  /// The image to encode.
  public let image: PlatformImage
  /// The server's response; `nil` if the image is not from a server.
  public var urlResponse: URLResponse? { response?.value }

  private let response: LazyURLResponse?

  /// Creates a context, for example for tests.
  public init(request: ImageRequest, image: PlatformImage, urlResponse: URLResponse?) {
    self.init(request: request, image: image, response: urlResponse.map { LazyURLResponse($0) })
  }

  init(request: ImageRequest, image: PlatformImage, response: LazyURLResponse?) {
    self.request = request
    self.image = image
    self.response = response
  }
}
