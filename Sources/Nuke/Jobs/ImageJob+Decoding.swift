import Foundation
import NukeBase
import NukeCodecs

/// Decodes originals.
extension ImageJob {
  func decode(
    _ loaded: Result<DataJob.Loaded, ImagePipeline.Error>, _ transaction: inout GraphTransaction
  ) {
    switch loaded {
    case .failure(let error): finish(.failure(error), &transaction)
    case .success(let loaded):
      cacheType = loaded.cacheType
      freshness = loaded.freshness
      let context = ImageDecodingContext(
        request: request, data: loaded.data, response: loaded.response, cacheType: loaded.cacheType)
      guard let decoder = pipeline.imageDecoder(for: context) else {
        return finish(.failure(.decoderNotRegistered(context: context)), &transaction)
      }
      open(context, with: decoder, &transaction)
    }
  }

  /// Opens an image and decodes it. What takes long to open is opened on the decoding queue, once for all sizes.
  func open(
    _ context: ImageDecodingContext, with decoder: any ImageDecoding, _ transaction: inout GraphTransaction
  ) {
    if !route.isDecodingStored, let opened = request.storage.opened {
      decode(.success(opened), with: decoder, context, &transaction)
    } else if let decoder = decoder as? any ScalableImageDecoding,
      let byteCount = decoder.openingByteCount(of: context.data)
    {
      let key =
        route.isDecodingStored
        ? nil : JobKey.opened(identity, options: loadOptions, of: freshness?.stamp)
      transaction.depend(self, on: key) { [pipeline] in
        OpenJob(id: $0, decoder: decoder, context: context, byteCount: byteCount, pipeline: pipeline)
      }
    } else {
      let opened = Result { try decoder.opened(context.data, limits: pipeline.configuration.codecLimits) }
      decode(opened, with: decoder, context, &transaction)
    }
  }

  func decode(
    _ opened: Result<(any OpenedImage)?, any Error>, with decoder: any ImageDecoding, _ context: ImageDecodingContext,
    _ transaction: inout GraphTransaction
  ) {
    if route.isDecodingStored { return decodeStored(opened, with: decoder, context, &transaction) }
    let plan: DecodePlan
    do {
      plan = try DecodePlan(
        decoder: decoder, data: context.data, opened: opened.get(), target: step.decodeTarget,
        thumbnail: request.thumbnail, posterFrame: request.posterFrame)
    } catch {
      if loadAgain(&transaction) { return }
      return finish(.failure(.decodingFailed(decoder: decoder, context: context, error: error)), &transaction)
    }
    let key = JobKey.decoded(identity, plan: plan, options: loadOptions, of: freshness?.stamp)
    transaction.depend(self, on: key) { [pipeline] in
      DecodeJob(id: $0, plan: plan, context: context, pipeline: pipeline)
    }
  }

  /// Removes data that cannot be decoded from the cache that it came from, and loads the original once more.
  ///
  /// - Returns: `false` if the data did not come from a cache, or nothing may be loaded.
  func loadAgain(_ transaction: inout GraphTransaction) -> Bool {
    guard !isLoadingAgain, facts.origin == .disk, !request.isCacheOnly else { return false }
    pipeline.instruments?.log?.warn(.storedImageDamaged, of: request)
    isLoadingAgain = true
    cacheType = nil
    pipeline.dataCache(for: request)?.removeData(for: pipeline.originalDataCacheKey(for: request))
    dependOnData(&transaction)
    return true
  }
}

/// Uses encoded results in the disk cache.
extension ImageJob {
  /// Looks up the encoded result on disk, or a larger variant of it. ``DataJob`` looks up the data of originals.
  func lookOnDisk(_ transaction: inout GraphTransaction) {
    guard step.mayBeOnDisk,
      var lookup = DiskLookup(dataCacheKey, for: request, evaluator, on: pipeline)
    else { return load(&transaction) }
    lookup.largerVariants = largerVariants
    queuedAt = MonotonicClock.now
    read(lookup, for: request) { [self] entry in
      facts.loading += MonotonicClock.seconds(from: queuedAt, to: MonotonicClock.now)
      GraphTransaction.run(on: pipeline) { transaction in
        let evaluation = entry.data == nil ? .fresh(nil) : evaluate(entry.representation, entry.row?.record)
        let stored = entry.data.map {
          ImageRoute<Values>.Stored(data: $0, facts: entry.facts(nil), larger: entry.larger)
        }
        perform(route.lookedOnDisk(stored, evaluation), &transaction)
      }
    }
  }

  func decodeStored(_ stored: ImageRoute<Values>.Stored, _ transaction: inout GraphTransaction) {
    // A stale image that is only shown still has to be validated or replaced, under the lease.
    if !route.isShowing { lease?.client.end() }
    let context = ImageDecodingContext(
      request: stored.larger?.request ?? request, data: stored.data, cacheType: .disk)
    guard let decoder = pipeline.imageDecoder(for: context) else { return discardStored(&transaction) }
    facts.origin = .disk
    facts.byteCount = stored.data.count
    facts.notCachedOnDisk = .cameFromCache
    freshness = stored.facts
    open(context, with: decoder, &transaction)
  }

  /// Decodes an opened entry.
  func decodeStored(
    _ opened: Result<(any OpenedImage)?, any Error>, with decoder: any ImageDecoding, _ context: ImageDecodingContext,
    _ transaction: inout GraphTransaction
  ) {
    guard case .success(let opened) = opened,
      let plan = try? DecodePlan(decoder: decoder, data: context.data, opened: opened, target: nil)
    else { return discardStored(&transaction) }
    let key = JobKey.variant(
      context.request.storage.identity, processorCount: processorCount, of: freshness?.stamp,
      sharing: pipeline.processorChains)
    transaction.depend(self, on: key) { [pipeline] in
      DecodeJob(id: $0, plan: plan, context: context, pipeline: pipeline)
    }
  }

  func useStored(_ decoded: Result<ImageContainer, ImagePipeline.Error>, _ transaction: inout GraphTransaction) {
    // What this package stores is complete.
    guard case .success(let container) = decoded, container.damage == nil else { return discardStored(&transaction) }
    let scaled = request.storage.scale.map(container.withScale) ?? container
    let image = Image(container: scaled, cacheType: .disk, isFromLargerImage: route.larger != nil)
    guard let larger = route.larger else { return perform(route.decodedStored(image), &transaction) }
    guard larger.isImage(of: container) else { return ignoreStored(&transaction) }
    source = image
    queuedAt = MonotonicClock.now
    enqueue()
  }

  /// Continues with the resized larger variant.
  func useResized(_ resized: Result<Image, ImagePipeline.Error>, _ transaction: inout GraphTransaction) {
    guard case .success(let image) = resized else { return ignoreStored(&transaction) }
    perform(route.decodedStored(image), &transaction)
  }

  /// Discards a stored entry that cannot be decoded. The image is made again.
  private func discardStored(_ transaction: inout GraphTransaction) {
    pipeline.instruments?.log?.warn(.storedImageDamaged, of: request)
    pipeline.dataCache(for: request)?.removeData(for: route.larger?.key ?? dataCacheKey)
    ignoreStored(&transaction)
  }

  private func ignoreStored(_ transaction: inout GraphTransaction) {
    facts = ImageTask.Facts()
    perform(route.decodedStored(nil), &transaction)
  }
}

extension ImagePipeline {
  /// Opens an encoded result from the disk cache on the calling thread; `nil` if it cannot be decoded.
  func storedDecoding(of data: Data, for request: ImageRequest) -> DecodePlan? {
    let context = ImageDecodingContext(request: request, data: data, cacheType: .disk)
    return imageDecoder(for: context).flatMap { decoder in
      try? DecodePlan(
        decoder: decoder, data: data, opened: decoder.opened(data, limits: configuration.codecLimits), target: nil)
    }
  }
}
