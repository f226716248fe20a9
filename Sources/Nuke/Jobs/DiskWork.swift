import Foundation
import NukeImaging
import Synchronization

/// A look into the disk cache on a worker, for a job that goes on with what is found.
final class DiskRead: QueuedWork, @unchecked Sendable {
  private let cache: any DataCaching
  private let key: String
  private let job: Job
  private let completion: (Data?) -> Void

  init(_ key: String, in cache: any DataCaching, for job: Job, completion: @escaping (Data?) -> Void) {
    self.cache = cache
    self.key = key
    self.job = job
    self.completion = completion
  }

  override func run() -> Outcome {
    job.takeErrand()
    guard !job.isStopped else { return .done }
    completion(cache.cachedData(for: key))
    return .done
  }
}

/// A picture on its way to the disk cache: encoded on the encoding queue, then stored. Nobody waits for it.
///
/// A variant of a moving picture would not move any more once it is encoded. In its place the data of the original is
/// stored, of which the variant is made again.
final class EncodedStore: QueuedWork, @unchecked Sendable {
  private let image: ImageJob.Image
  private let request: ImageRequest
  private let key: String
  private let cache: any DataCaching
  private let pipeline: ImagePipeline

  init(
    _ image: ImageJob.Image, request: ImageRequest, key: String, cache: any DataCaching, pipeline: ImagePipeline
  ) {
    self.image = image
    self.request = request
    self.key = key
    self.cache = cache
    self.pipeline = pipeline
  }

  override func run() -> Outcome {
    if let data = image.container.dataOfMovingVariant {
      let key = pipeline.originalDataCacheKey(for: request)
      if !cache.containsData(for: key) { pipeline.store(data, of: nil, for: request, key: key, in: cache) }
      return .done
    }
    let context = ImageEncodingContext(
      request: request, image: image.container.image, urlResponse: image.urlResponse)
    let encoder = pipeline.imageEncoder(for: context)
    if let data = encoder.encode(image.container, context: context), !data.isEmpty {
      pipeline.store(data, of: image.container, for: request, key: key, in: cache)
    }
    return .done
  }
}

extension ImagePipeline {
  /// Stores data on disk, as far as the delegate lets it.
  func store(
    _ data: Data, of image: ImageContainer?, for request: ImageRequest, key: String, in cache: any DataCaching
  ) {
    guard let delegate else { return cache.storeData(data, for: key) }
    delegate.willCache(data: data, image: image, for: request, pipeline: self) { data in
      if let data, !data.isEmpty { cache.storeData(data, for: key) }
    }
  }
}
