import Foundation
import Nuke

// Code as programs write it by the newest API. It has to compile without a warning, and is never run.

func makePipelines(delegate: any ImagePipeline.Delegate) {
  _ = ImagePipeline()
  _ = ImagePipeline(configuration: .init())
  _ = ImagePipeline(configuration: ImagePipeline.Configuration(), delegate: delegate)
  _ = ImagePipeline(delegate: delegate) { $0.dataCachePolicy = .automatic }
  ImagePipeline.shared = ImagePipeline {
    $0.dataCache = try? DataCache(name: "test.images.cache")
    $0.dataCachePolicy = .automatic
  }
  ImagePipeline.shared.invalidate()
  ImagePipeline.shared = ImagePipeline(configuration: .withDataCache)
  ImagePipeline.shared = ImagePipeline(
    configuration: .withDataCache(name: "test.images", sizeLimit: 1024 * 1024 * 300))
  ImagePipeline.shared = ImagePipeline(configuration: .server)
}

func configure() {
  var configuration = ImagePipeline.Configuration(dataLoader: DataLoader())
  configuration.dataLoader = DataLoader()
  configuration.dataCache = nil
  configuration.imageCache = ImageCache(costLimit: 1 << 20)
  configuration.imageCache = nil
  configuration.makeImageDecoder = { context in ImageDecoderRegistry.shared.decoder(for: context) }
  configuration.makeImageEncoder = { _ in ImageEncoders.Default() }
  configuration.isDecompressionEnabled = false
  configuration.isUsingPrepareForDisplay = true
  for policy in [ImagePipeline.DataCachePolicy.automatic, .storeOriginalData, .storeEncodedImages, .storeAll] {
    configuration.dataCachePolicy = policy
  }
  configuration.isTaskCoalescingEnabled = false
  configuration.isRateLimiterEnabled = false
  configuration.isResumableDataEnabled = false
  configuration.isProgressiveDecodingEnabled = true
  configuration.progressiveDecodingInterval = 0.25
  configuration.isStoringPreviewsInMemoryCache = false
  configuration.isLocalResourcesSupportEnabled = false
  configuration.maximumResponseDataSize = nil
  configuration.maximumResponseDataSize = 1 << 20
  configuration.processors = [.resize(width: 100)]
  configuration.dataLoadingQueue = TaskQueue(maxConcurrentOperationCount: 4)
  configuration.dataCachingQueue.maxConcurrentOperationCount = 1
  configuration.imageDecodingQueue.maxConcurrentOperationCount = 2
  configuration.imageEncodingQueue.isSuspended = true
  configuration.imageProcessingQueue.maxConcurrentOperationCount = 4
  configuration.imageDecompressingQueue.maxConcurrentOperationCount = 4
  let pipeline = ImagePipeline(configuration: configuration)
  _ = pipeline.configuration.dataCachePolicy
}

func awaitImages(request: ImageRequest) async throws {
  let pipeline = ImagePipeline.shared
  let image = try await pipeline.image(for: address)
  let other: PlatformImage = try await pipeline.image(for: request)
  print(image.size, other.scale)
  let (data, response) = try await pipeline.data(for: request)
  print(data.count, response?.mimeType ?? "")

  let url = URL(string: "http://pictures.test/a")
  async let small = pipeline.image(
    for: ImageRequest(
      url: url,
      processors: [
        .resize(size: CGSize(width: 44, height: 44)), .gaussianBlur(radius: 8),
      ]))
  async let plain = pipeline.image(
    for: ImageRequest(url: url, processors: [.resize(size: CGSize(width: 44, height: 44))]))
  print(try await (small, plain))
}

func handleErrors() async {
  do throws(ImagePipeline.Error) {
    _ = try await ImagePipeline.shared.image(for: address)
  } catch {
    switch error {
    case .dataMissingInCache, .dataIsEmpty, .imageRequestMissing, .pipelineInvalidated: break
    case .dataDownloadExceededMaximumSize, .cancelled: break
    case .dataLoadingFailed(let underlying): print(underlying)
    case .decoderNotRegistered(let context): print(context.data.count)
    case .decodingFailed(let decoder, let context, let underlying): print(decoder, context.request, underlying)
    case .processingFailed(let processor, let context, let underlying):
      print(processor.identifier, context.isCompleted, underlying)
    }
    if let underlying = error.dataLoadingError as? DataLoader.Error, case .statusCodeUnacceptable(404) = underlying {
      print(error.description)
    }
  }
}

@MainActor final class ImageController {
  let imageView = ImageView()
  private var task: ImageTask?

  func load() async throws {
    let imageTask = ImagePipeline.shared.imageTask(with: address)
    for await progress in imageTask.progress { print(progress.completed, progress.total, progress.fraction) }
    imageView.image = try await imageTask.image
  }

  func loadWithClosures() {
    task = ImagePipeline.shared.loadImage(with: address) { result in
      self.imageView.image = try? result.get().image
    }
    ImagePipeline.shared.loadImage(with: address)
    ImagePipeline.shared.loadImage(with: ImageRequest(url: address))
    task = ImagePipeline.shared.loadImage(
      with: ImageRequest(url: address),
      progress: { response, completed, total in
        if let response { self.imageView.image = response.image }
        print(completed, total)
      },
      completion: { (result: Result<ImageResponse, ImagePipeline.Error>) in
        switch result {
        case .success(let response): self.imageView.image = response.image
        case .failure(let error): print(error)
        }
      })
    ImagePipeline.shared.loadImage(with: address, progress: nil) { _ in }
    ImagePipeline.shared.loadData(with: ImageRequest(url: address)) { result in
      print((try? result.get().data.count) ?? 0)
    }
    ImagePipeline.shared.loadData(with: ImageRequest(url: address), progress: { print($0, $1) }) { result in
      if case .success(let (data, response)) = result { print(data, response as Any) }
    }
    task?.priority = .high
    task?.cancel()
  }
}

func loadWithoutMainLoop(queue: DispatchQueue) {
  let request = ImageRequest(url: address)
  ImagePipeline.shared.loadImage(with: request, on: nil) { result in print(result) }
  ImagePipeline.shared.loadImage(with: request, on: queue, progress: { print($0 as Any, $1, $2) }) { print($0) }
  ImagePipeline.shared.loadData(with: request, on: queue) { print((try? $0.get().data.count) ?? 0) }
}

func follow(_ task: ImageTask) async throws {
  print(task.taskId, task.id, task.request, task.priority, task.state == .running, task.currentProgress)
  let status = task.status
  print(task.isCancelled, status.isCancelled, status.result as Any, status.priority, status.progress.fraction)
  for await event in task.events {
    switch event {
    case .progress(let progress): print(progress.fraction)
    case .preview(let response): print(response.isPreview)
    case .finished(let result): print(result)
    }
  }
  let progress: AsyncStream<ImageTask.Progress> = task.progress
  let previews: AsyncStream<ImageResponse> = task.previews
  for await progress in progress { print(progress.total) }
  for await preview in previews { print(preview.container.userInfo[.scanNumberKey] as? Int ?? 0) }
  let response = try await task.response
  print(response.container.type as Any, response.request, response.urlResponse as Any, Set([task]))
  switch response.cacheType {
  case .memory, .disk, nil: break
  }
}

final class PipelineDelegate: ImagePipeline.Delegate {
  func imageDecoder(for context: ImageDecodingContext, pipeline: ImagePipeline) -> (any ImageDecoding)? {
    ImageDecoders.Empty()
  }
  func imageEncoder(for context: ImageEncodingContext, pipeline: ImagePipeline) -> any ImageEncoding {
    .default(compressionQuality: 0.5)
  }
  func previewPolicy(for context: ImageDecodingContext, pipeline: ImagePipeline) -> ImagePipeline.PreviewPolicy {
    context.data.count > 1000 ? .thumbnail : .default(for: context.data)
  }
  func dataLoader(for request: ImageRequest, pipeline: ImagePipeline) -> any DataLoading {
    pipeline.configuration.dataLoader
  }
  func imageCache(for request: ImageRequest, pipeline: ImagePipeline) -> (any ImageCaching)? { nil }
  func dataCache(for request: ImageRequest, pipeline: ImagePipeline) -> (any DataCaching)? { nil }
  func cacheKey(for request: ImageRequest, pipeline: ImagePipeline) -> String? { request.userInfo["key"] as? String }

  @ImagePipelineActor
  func willLoadData(
    for request: ImageRequest, urlRequest: URLRequest, pipeline: ImagePipeline
  ) async throws -> URLRequest {
    var urlRequest = urlRequest
    urlRequest.setValue("Bearer …", forHTTPHeaderField: "Authorization")
    return urlRequest
  }
  func willCache(
    data: Data, image: ImageContainer?, for request: ImageRequest, pipeline: ImagePipeline,
    completion: @escaping @Sendable (Data?) -> Void
  ) { completion(image == nil ? data : nil) }
  func shouldDecompress(response: ImageResponse, for request: ImageRequest, pipeline: ImagePipeline) -> Bool { true }
  func decompress(response: ImageResponse, request: ImageRequest, pipeline: ImagePipeline) -> ImageResponse { response }
  func imageTaskCreated(_ task: ImageTask, pipeline: ImagePipeline) {}
  func imageTaskDidStart(_ task: ImageTask, pipeline: ImagePipeline) {}
  func imageTask(_ task: ImageTask, didReceiveEvent event: ImageTask.Event, pipeline: ImagePipeline) {}
}

/// Every method has a default.
final class SilentDelegate: ImagePipeline.Delegate {}

@ImagePipelineActor final class SharedWithDelegates {
  var token = ""
}
