import Foundation
import Nuke

/// Loads thumbnails. This file is the same on all platforms: `PlatformImage` is a `UIImage`, an `NSImage` or a `Bitmap`.
public struct Thumbnails: Sendable {
  let pipeline: ImagePipeline

  public init() { pipeline = ImagePipeline { $0.dataCachePolicy = .storeEncodedImages } }

  func request(for url: URL) -> ImageRequest {
    ImageRequest(url: url, processors: [.resize(size: CGSize(width: 40, height: 40), unit: .pixels), .circle()])
  }

  public func image(at url: URL) async throws -> PlatformImage {
    try await pipeline.image(for: request(for: url))
  }
}
