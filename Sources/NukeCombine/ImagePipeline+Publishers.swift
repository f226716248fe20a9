#if Combine
  public import Foundation
  public import Nuke
  public import OpenCombine

  extension ImagePipeline {
    /// Returns a publisher of the image at `url`. See ``imagePublisher(with:)-(ImageRequest)``.
    public func imagePublisher(with url: URL) -> AnyPublisher<ImageResponse, ImagePipeline.Error> {
      imagePublisher(with: ImageRequest(url: url))
    }

    /// Returns a publisher of previews, if there are any, and the image of `request`.
    ///
    /// Each subscription starts a load when the subscriber requests a value, and cancels it when the subscription is
    /// canceled. An image in the memory cache is delivered before the subscriber's request returns. Other values arrive on
    /// threads of the pipeline. A preview without demand is replaced by a newer one or the image.
    ///
    /// ```swift
    /// let subscription = ImagePipeline.shared.imagePublisher(with: url)
    ///   .sink(receiveCompletion: { _ in }, receiveValue: { response in show(response.image) })
    /// ```
    public func imagePublisher(with request: ImageRequest) -> AnyPublisher<ImageResponse, ImagePipeline.Error> {
      ImagePublisher(request: request, pipeline: self).eraseToAnyPublisher()
    }
  }
#endif
