import Foundation
import Nuke

#if canImport(Combine)
  import Combine
#else
  import NukeCombine
  import OpenCombine
#endif

extension Thumbnails {
  public func publisher(for url: URL) -> AnyPublisher<ImageResponse, ImagePipeline.Error> {
    pipeline.imagePublisher(with: request(for: url))
  }
}
