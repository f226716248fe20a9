public import Foundation
public import FoundationNetworking
import Nuke

/// Decodes images on worker threads.
public protocol DataDecoding: Sendable {
  /// Returns the image, or `nil` if decoding fails, in which case the load fails.
  ///
  /// - Parameters:
  ///   - data: all of the encoded data.
  ///   - response: the response of the server, or one without a media type if the data is local.
  func decode(data: Data, response: URLResponse) -> Image?
}

/// Decodes every format of this build.
public struct DataDecoder: DataDecoding {
  /// Creates a decoder. A ``Loader`` with this decoder uses `ImageDecoderRegistry.shared`.
  public init() {}

  public func decode(data: Data, response: URLResponse) -> Image? { Image(data: data) }
}

/// Adapts a ``DataDecoding`` to `ImageDecoding`.
struct LegacyDecoder: ImageDecoding {
  private let base: any DataDecoding
  private let response: URLResponse

  init(_ base: any DataDecoding, for context: ImageDecodingContext) {
    self.base = base
    response =
      context.urlResponse
      ?? URLResponse(
        url: context.request.url ?? URL(fileURLWithPath: "/"), mimeType: nil,
        expectedContentLength: context.data.count, textEncodingName: nil)
  }

  func decode(_ data: Data) throws -> ImageContainer {
    guard let image = base.decode(data: data, response: response) else { throw NoImage() }
    return ImageContainer(image: image, type: AssetType(data))
  }

  private struct NoImage: Error, CustomStringConvertible {
    let description = "the decoder returned no image"
  }
}
