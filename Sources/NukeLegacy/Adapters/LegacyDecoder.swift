import Foundation
import FoundationNetworking
import Nuke

/// A decoder of version 4 as one of today's.
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
    let description = "the decoder gave no image"
  }
}
