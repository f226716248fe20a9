import FoundationNetworking
import NukeBase
import NukeCodecs

extension ImageJob {
  /// The result of the job.
  struct Image: Sendable {
    var container: ImageContainer
    var response: LazyURLResponse?
    var cacheType: ImageResponse.CacheType?
    /// The freshness, if the request requires any.
    var freshness: FreshnessFacts?
    /// `true` if the image was made from a larger one in the disk cache. It is not stored there.
    var isFromLargerImage = false
    /// The image that the last step resizes, for the list of stored sizes; `nil` if smaller images cannot be made from
    /// the result.
    var resizeSource: StoredSizes.Source?
  }
}

extension ImageJob.Image {
  func response(to request: ImageRequest) -> ImageResponse {
    ImageResponse(
      container: container, request: request, response: response, cacheType: cacheType,
      freshness: freshness?.freshness)
  }

  /// Records the size that the next step resizes.
  ///
  /// - Parameter isReduced: `true` if the image was decoded at the size that the step needs.
  mutating func noteResizeSource(isReduced: Bool) {
    if isReduced, container.type == .svg {
      // A vector image is rendered again for each size.
      resizeSource = nil
    } else if resizeSource == nil {
      resizeSource = .init(width: container.image.pixelWidth, height: container.image.pixelHeight)
    }
  }
}
