import Foundation
import FoundationNetworking
import NukeCodecs
import NukeImaging

/// A picture after some of a request's processors: from memory, from the shorter chain and one processor more, or
/// decoded from data.
///
/// The route of every load is here, from the last step back: demand starts at the end, so that steps which several
/// requests share are found on the way.
final class ImageJob: Job, @unchecked Sendable {
  /// What the job gives.
  struct Image: Sendable {
    var container: ImageContainer
    var urlResponse: URLResponse?
    var cacheType: ImageResponse.CacheType?
  }

  private let request: ImageRequest
  /// How many of the request's processors are applied.
  private let processorCount: Int
  private(set) var result: Result<Image, ImagePipeline.Error>!
  /// The picture that the last step works on.
  private var source: Image!
  private var queuedAt: UInt64 = 0

  init(id: ID, request: ImageRequest, processorCount: Int, pipeline: ImagePipeline) {
    self.request = request
    self.processorCount = processorCount
    super.init(id: id, pipeline: pipeline)
  }

  private var identity: RequestIdentity { request.storage.identity }

  // MARK: The route

  override func start(_ turn: inout Turn) {
    if let container = cached(processorCount) {
      facts.origin = .memory
      return finish(.success(Image(container: container, cacheType: .memory)), &turn)
    }
    if processorCount == 0 {
      loadOriginal(&turn)
    } else if decodeTarget != nil {
      loadReducedOriginal(&turn)
    } else {
      loadShorterChain(&turn)
    }
  }

  override func resume(_ finished: Job, _ turn: inout Turn) {
    facts.add(finished.facts)
    switch finished {
    case let data as DataJob: decode(data.result, &turn)
    case let decoded as DecodeJob:
      process(decoded.result.map { Image(container: $0, urlResponse: decoded.response) }, &turn)
    case let fetched as FetchJob: process(fetched.result.map { Image(container: $0) }, &turn)
    case let shorter as ImageJob: process(shorter.result, &turn)
    default: preconditionFailure("no step of the route waits for \(type(of: finished))")
    }
  }

  private func loadOriginal(_ turn: inout Turn) {
    if request.options.contains(.returnCacheDataDontLoad) { return finish(.failure(.dataMissingInCache), &turn) }
    if case .image(_, let closure) = request.storage.resource {
      let skipsQueue = request.options.contains(.skipDataLoadingQueue)
      turn.depend(self, on: .fetched(identity)) { [pipeline] in
        FetchJob(id: $0, pipeline: pipeline, skipsQueue: skipsQueue, closure: closure)
      }
    } else {
      loadData(&turn)
    }
  }

  private func loadData(_ turn: inout Turn) {
    turn.depend(self, on: .data(identity)) { [pipeline, request] in
      DataJob(id: $0, request: request, pipeline: pipeline)
    }
  }

  /// The first processor says how small the original may be decoded, and does so for this step alone.
  private func loadReducedOriginal(_ turn: inout Turn) {
    if case .image = request.storage.resource { return loadShorterChain(&turn) }
    // An original in memory serves only where decoding would give that very picture, since what was asked for
    // before must not change a result.
    if let original = cached(0), let decodeTarget,
      DecodePlan.scaleDenominator(for: original, target: decodeTarget) == 1
    {
      facts.origin = .memory
      return process(.success(Image(container: original)), &turn)
    }
    if request.options.contains(.returnCacheDataDontLoad) { return finish(.failure(.dataMissingInCache), &turn) }
    loadData(&turn)
  }

  private func loadShorterChain(_ turn: inout Turn) {
    let count = processorCount - 1
    turn.depend(self, on: .image(identity, processorCount: count, options: request.options)) {
      [pipeline, request] in
      ImageJob(id: $0, request: request, processorCount: count, pipeline: pipeline)
    }
  }

  // MARK: Decoding

  /// The size the original is needed at, where the step after decoding is one that says so.
  private var decodeTarget: DecodeTarget? {
    if processorCount == 0 { return request.thumbnail?.decodeTarget }
    guard processorCount == 1, request.thumbnail == nil else { return nil }
    return (request.processors[0] as? any DecodeTargeting)?.decodeTarget
  }

  private func decode(
    _ loaded: Result<(data: Data, response: URLResponse?), ImagePipeline.Error>, _ turn: inout Turn
  ) {
    switch loaded {
    case .failure(let error): finish(.failure(error), &turn)
    case .success(let (data, response)):
      let context = ImageDecodingContext(request: request, data: data, urlResponse: response)
      guard let decoder = pipeline.configuration.makeImageDecoder(context) else {
        return finish(.failure(.decoderNotRegistered(context: context)), &turn)
      }
      let plan: DecodePlan
      do {
        plan = try DecodePlan(
          decoder: decoder, data: data, target: decodeTarget, limits: pipeline.configuration.codecLimits)
      } catch {
        return finish(.failure(.decodingFailed(decoder: decoder, context: context, error: error)), &turn)
      }
      turn.depend(self, on: .decoded(identity, scaleDenominator: plan.scaleDenominator)) { [pipeline] in
        DecodeJob(id: $0, plan: plan, context: context, pipeline: pipeline)
      }
    }
  }

  // MARK: Processing

  /// What is done to the picture that was waited for: the step's processor, or making the thumbnail.
  private var step: (any ImageProcessing)? {
    processorCount == 0 ? request.thumbnail?.processor : request.processors[processorCount - 1]
  }

  private func process(_ loaded: Result<Image, ImagePipeline.Error>, _ turn: inout Turn) {
    switch loaded {
    case .failure(let error): finish(.failure(error), &turn)
    case .success(var image):
      image.cacheType = nil
      if processorCount == 0 || decodeTarget != nil, image.container.image.scale != request.scale {
        image.container.image = image.container.image.withScale(request.scale)
      }
      guard step != nil else { return finish(.success(image), &turn) }
      source = image
      queuedAt = Clock.now
      pipeline.configuration.imageProcessingQueue.add(self)
    }
  }

  override var queue: TaskQueue? { pipeline.configuration.imageProcessingQueue }

  override func run() -> Outcome {
    guard !isStopped, let step else { return .done }
    let startedAt = Clock.now
    facts.queued += Clock.seconds(from: queuedAt, to: startedAt)
    pipeline.counters.countProcess()
    var image = source!
    source = nil
    let context = ImageProcessingContext(
      request: request, response: image.response(to: request), isCompleted: true)
    let result: Result<Image, ImagePipeline.Error>
    do {
      image.container = try step.process(image.container, context: context)
      result = .success(image)
    } catch {
      result = .failure(.processingFailed(processor: step, context: context, error: error))
    }
    facts.processing += Clock.seconds(from: startedAt, to: Clock.now)
    Turn.run(on: pipeline) { finish(result, &$0) }
    return .done
  }

  // MARK: The memory cache and the end

  private func cached(_ count: Int) -> ImageContainer? {
    guard !request.options.contains(.disableMemoryCacheReads), !request.options.contains(.reloadIgnoringCachedData),
      let cache = pipeline.configuration.imageCache
    else { return nil }
    return cache[ImageCacheKey(identity, processorCount: count)]
  }

  private func finish(_ result: Result<Image, ImagePipeline.Error>, _ turn: inout Turn) {
    // Only what was asked for is kept, not every step on the way to it.
    if case .success(let image) = result, image.cacheType != .memory, isRequested,
      !request.options.contains(.disableMemoryCacheWrites), let cache = pipeline.configuration.imageCache
    {
      cache[ImageCacheKey(identity, processorCount: processorCount)] = image.container
    }
    self.result = result
    turn.finish(self)
  }
}

extension ImageJob.Image {
  func response(to request: ImageRequest) -> ImageResponse {
    ImageResponse(container: container, request: request, urlResponse: urlResponse, cacheType: cacheType)
  }
}
