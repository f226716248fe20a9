public import Foundation
public import Nuke
public import OpenCombine

extension ImagePipeline {
  /// A publisher of the image at `url`, as ``imagePublisher(with:)-(ImageRequest)`` gives one.
  public func imagePublisher(with url: URL) -> AnyPublisher<ImageResponse, ImagePipeline.Error> {
    imagePublisher(with: ImageRequest(url: url))
  }

  /// A publisher of the image that `request` asks for: previews, where there are some, then the image, then the end.
  ///
  /// Each subscription is a load of its own, which starts when the subscriber asks for a value, and is canceled with
  /// the subscription. An image in the memory cache is delivered before the subscriber's request returns; all else
  /// comes on threads of the pipeline. A preview that the subscriber has not asked for gives way to a newer one or the
  /// image.
  ///
  /// ```swift
  /// let subscription = ImagePipeline.shared.imagePublisher(with: url)
  ///   .sink(receiveCompletion: { _ in }, receiveValue: { response in show(response.image) })
  /// ```
  public func imagePublisher(with request: ImageRequest) -> AnyPublisher<ImageResponse, ImagePipeline.Error> {
    ImagePublisher(request: request, pipeline: self).eraseToAnyPublisher()
  }
}
