import Foundation
import NukeBase
import NukeStore
import Synchronization

/// Encodes an image on the encoding queue and stores it in the disk cache. Nothing waits for it.
///
/// An encoded variant of an animated image would lose its animation. The data of the original is stored in its place,
/// and the variant is made from it again.
final class EncodedStore: QueuedWork, @unchecked Sendable {
  private let image: ImageJob.Image
  private let request: ImageRequest
  private let key: String
  private let cache: any DataCaching
  private let pipeline: ImagePipeline
  private let trace: TaskTrace?
  private let largerVariants: LargerVariants?
  /// The lease, released with this object if nothing is stored.
  private let lease: (any DataLease)?

  init(_ image: ImageJob.Image, of job: ImageJob, key: String, cache: any DataCaching) {
    self.image = image
    self.key = key
    self.cache = cache
    request = job.request
    pipeline = job.pipeline
    trace = job.trace
    largerVariants = job.largerVariants
    lease = job.lease?.client.handOver()
  }

  override func run() -> Outcome {
    if let data = image.container.dataOfMovingVariant {
      let key = pipeline.originalDataCacheKey(for: request)
      if !cache.containsData(for: key) || isOfOtherVersion(key) {
        let label = EntryLabel(image.freshness, original: key, key: key)
        pipeline.store(data, of: nil, for: request, key: key, in: cache, label: label)
      }
      return .done
    }
    let context = ImageEncodingContext(
      request: request, image: image.container.image, response: image.response)
    let encoder = pipeline.imageEncoder(for: context)
    let interval = pipeline.instruments?.begin(
      .encode, of: request, trace: trace, name: String(reflecting: type(of: encoder)))
    let data = encoder.encode(image.container, context: context)
    interval?.end(byteCount: data?.count)
    if let data, !data.isEmpty {
      let label = EntryLabel(
        image.freshness, original: pipeline.originalDataCacheKey(for: request), key: key)
      pipeline.store(data, of: image.container, for: request, key: key, in: cache, label: label, lease: lease)
      if let resizeSource = image.resizeSource { largerVariants?.add(resizeSource, in: cache) }
    }
    return .done
  }
}

extension EncodedStore {
  /// Returns `true` if the cache has a newer version of the original than the one from which the image was made.
  private func isOfOtherVersion(_ key: String) -> Bool {
    guard let stamp = image.freshness?.stamp, let cache = cache as? DataCache else { return false }
    return cache.representation(for: key) != stamp.representation
  }
}

extension ImagePipeline {
  /// Stores data on disk, if the delegate permits it.
  ///
  /// - Parameters:
  ///   - part: the part of the data that is on disk already, in this or another ``DataCache``.
  ///   - lease: is released when the data has been stored or refused.
  /// - Returns: `true` if the delegate refused it before it returned.
  @discardableResult
  func store(
    _ data: Data, of image: ImageContainer?, for request: ImageRequest, key: String, in cache: any DataCaching,
    from part: DiskPart? = nil, label: EntryLabel = .init(), lease: (any DataLease)? = nil
  ) -> Bool {
    if let log = instruments?.log, let cache = cache as? DataCache, cache.isFailing {
      log.warn(.diskKeepsNothing, of: request)
    }
    guard let delegate else {
      Self.store(data, for: key, in: cache, from: part, label, lease)
      return false
    }
    let refusal = Refusal()
    let end: @Sendable (Data?) -> Void = { changed in
      let part = changed == data ? part : Self.abandon(part, of: cache)
      if let changed, !changed.isEmpty {
        Self.store(changed, for: key, in: cache, from: part, label, lease)
      } else {
        refusal.isNoted.store(true, ordering: .relaxed)
      }
    }
    delegate.willCache(data: data, image: image, for: request, pipeline: self) { [unlimitedQueue] changed in
      // The cache may block, and the delegate may call this on any thread.
      if WorkerPool.isWorker { end(changed) } else { unlimitedQueue.add { end(changed) } }
    }
    return refusal.isNoted.load(ordering: .relaxed)
  }

  private final class Refusal: Sendable {
    let isNoted = Atomic<Bool>(false)
  }

  private static func store(
    _ data: Data, for key: String, in cache: any DataCaching, from part: DiskPart?, _ label: EntryLabel,
    _ lease: (any DataLease)?
  ) {
    guard let own = cache as? DataCache else {
      _ = abandon(part, of: cache)
      cache.storeData(data, for: key)
      // The next holder of the lease finds the stored data.
      return withExtendedLifetime(lease) {}
    }
    let part = part?.store === own.store ? part : abandon(part, of: cache)
    own.storeData(data, for: key, from: part, label: label, lease: lease as? DiskLease)
  }

  /// Removes a partial body that another cache has. Returns `nil`, for the store without it.
  private static func abandon(_ part: DiskPart?, of cache: any DataCaching) -> DiskPart? {
    guard let part else { return nil }
    if let cache = cache as? DataCache { cache.abandon(part) } else { part.discard() }
    return nil
  }
}
