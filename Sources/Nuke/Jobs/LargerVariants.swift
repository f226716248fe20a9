import Foundation
import NukeImaging
import NukeStore

/// A stored image from which a smaller one can be made.
///
/// A class, so that it occupies only a pointer in each job. Few jobs have one.
final class LargerVariant: Sendable {
  /// The request for the stored image.
  let request: ImageRequest
  /// The key of the stored image on disk.
  let key: String
  private let resize: ImageProcessors.Resize
  private let geometry: ResizeGeometry

  fileprivate init(_ larger: StoredSizes.Larger, request: ImageRequest, key: String) {
    self.request = request
    self.key = key
    resize = larger.resize
    geometry = larger.geometry
  }

  /// Returns `false` if the entry was replaced by another image, such as a new version with other proportions.
  func isImage(of container: ImageContainer) -> Bool {
    let image = container.image
    return (image.pixelWidth, image.pixelHeight) == (geometry.sourceWidth, geometry.sourceHeight)
      && container.original == nil
  }

  /// Returns the smaller image.
  func reduce(_ container: ImageContainer) throws -> ImageContainer {
    try container.map { try resize.resize($0, geometry) }
  }
}

/// The larger variants of an image that a ``ImageProcessors/Resize`` makes as the last step: the same chain with another
/// target of that step.
///
/// One small entry for each original and chain lists the sizes that were stored, so that they are known without
/// enumerating the cache.
struct LargerVariants: Sendable {
  private let request: ImageRequest
  private let processorCount: Int
  private let resize: ImageProcessors.Resize
  /// The key of the list.
  private let key: String

  /// Returns `nil` if the configuration does not reuse larger images, or if the image is not made by a resize.
  init?(of request: ImageRequest, after processorCount: Int, on pipeline: ImagePipeline) {
    guard pipeline.configuration.isReusingLargerImagesInDataCache, processorCount > 0,
      let resize = request.processors[processorCount - 1] as? ImageProcessors.Resize, let family = resize.family
    else { return nil }
    self.request = request
    self.processorCount = processorCount
    self.resize = resize
    key = "sizes " + pipeline.dataCacheKey(for: request, processorCount: processorCount - 1) + family
  }

  /// Returns the variants that are listed, the smallest first. Reads the list on the calling thread.
  ///
  /// - Parameter isUse: `false` to leave the cache as it is.
  func candidates(in cache: any DataCaching, on pipeline: ImagePipeline, isUse: Bool = true) -> [LargerVariant] {
    guard let sizes = sizes(in: cache, isUse: isUse) else { return [] }
    return sizes.larger(than: resize).map { larger in
      var request = request
      request.processors[(processorCount - 1)...] = [larger.resize]
      return LargerVariant(
        larger, request: request, key: pipeline.dataCacheKey(for: request, processorCount: processorCount))
    }
  }

  /// Adds this image to the list, as the result of resizing `source`. Sizes of another source are removed.
  func add(_ source: StoredSizes.Source, in cache: any DataCaching) {
    let known = sizes(in: cache, isUse: true)
    var sizes = known?.source == source ? known! : StoredSizes(source)
    sizes.insert(resize.target)
    if sizes != known, let data = sizes.encoded { cache.storeData(data, for: key(in: cache)) }
  }

  private func sizes(in cache: any DataCaching, isUse: Bool) -> StoredSizes? {
    let key = key(in: cache)
    if !isUse, let cache = cache as? DataCache {
      guard case .whole(let data) = cache.peek(key) else { return nil }
      return StoredSizes(data)
    }
    return cache.cachedData(for: key).flatMap { StoredSizes($0) }
  }

  /// Returns the key of the list. The filename generator of a ``DataCache`` is not used for it.
  private func key(in cache: any DataCaching) -> String {
    cache is DataCache ? DataCache.reservedKey(key) : key
  }
}
