import Foundation
import Nuke

/// Code as programs write it by the names of version 8. It has to compile, and is never run.
@available(*, deprecated, message: "Names of version 8")
enum Version8Shapes {
  static let url = URL(string: "https://pictures.test/a.jpeg")!

  /// Stands in for a toolkit's image view.
  final class ImageView {
    var image: PlatformImage?
    var bounds = CGRect(x: 0, y: 0, width: 320, height: 240)
  }

  static func requests(imageView: ImageView) {
    _ = ImageRequest(
      url: URL(string: "http://pictures.test/a")!, processors: [ImageProcessor.Resize(size: imageView.bounds.size)],
      priority: .high)
    _ = ImageRequest(
      url: URL(string: "http://pictures.test/a.jpeg?token=123")!,
      options: ImageRequestOptions(filteredURL: "http://pictures.test/a.jpeg"))
    var options = ImageRequestOptions()
    options.memoryCacheOptions.isReadAllowed = false
    options.memoryCacheOptions.isWriteAllowed = false
    _ = ImageRequest(urlRequest: URLRequest(url: url), options: options)
    _ = ImageRequest(
      url: url,
      processors: [
        ImageProcessor.Composition([ImageProcessor.Resize(width: 10)]),
        ImageProcessor.Anonymous(id: "profile") { image in image }, Invert(), ImageProcessor.Circle(),
        ImageProcessor.RoundedCorners(radius: 8), ImageProcessor.GaussianBlur(),
        ImageProcessor.CoreImageFilter(name: "CISepiaTone"),
      ])
  }

  struct Invert: ImageProcessing {
    let identifier = "test.invert"
    var hashableIdentifier: AnyHashable { identifier }

    func process(image: PlatformImage, context: ImageProcessingContext?) -> PlatformImage? {
      ImageProcessor.Resize(width: 10).process(image: image, context: context)
    }
  }

  static func process(_ processor: ImageProcessing, image: PlatformImage) {
    _ = processor.process(image: image, context: nil)
  }

  struct OwnEncoder: ImageEncoding {
    func encode(_ image: PlatformImage) -> Data? { ImageEncoder().encode(image) }
  }

  static func load() {
    let imageView = ImageView()
    let task = ImagePipeline.shared.loadImage(
      with: url,
      progress: { response, completed, total in
        if let response = response { imageView.image = response.image }
        print(completed, total)
      },
      completion: { (result: Result<ImageResponse, ImagePipeline.Error>) in print(result) })
    task.cancel()
    task.priority = .high
    let url = URL(string: "http://pictures.test/image")!
    ImagePipeline.shared.loadImage(
      with: ImageRequest(
        url: url,
        processors: [
          ImageProcessor.Resize(size: CGSize(width: 44, height: 44)), ImageProcessor.GaussianBlur(radius: 8),
        ]))
    ImagePipeline.shared.loadImage(
      with: ImageRequest(url: url, processors: [ImageProcessor.Resize(size: CGSize(width: 44, height: 44))]))
    ImagePipeline.shared.loadImage(with: url, queue: .main, completion: { print($0) })
    ImagePipeline.shared.loadData(with: ImageRequest(url: url), progress: { print($0, $1) }) { print($0) }
  }

  static func configure() {
    ImagePipeline.shared = ImagePipeline {
      $0.imageCache = ImageCache.shared
      $0.dataLoader = DataLoader()
      $0.dataCache = nil
      $0.makeImageDecoder = { context in ImageDecoderRegistry.shared.decoder(for: context) }
      $0.makeImageEncoder = { _ in ImageEncoder() }
      $0.processors = [ImageProcessor.Resize(width: 100)]

      $0.dataLoadingQueue.maxConcurrentOperationCount = 6
      $0.dataCachingQueue.maxConcurrentOperationCount = 2
      $0.imageDecodingQueue.maxConcurrentOperationCount = 1
      $0.imageEncodingQueue.maxConcurrentOperationCount = 1
      $0.imageProcessingQueue.maxConcurrentOperationCount = 2
      $0.imageDecompressingQueue.maxConcurrentOperationCount = 2

      $0.isDecompressionEnabled = true
      $0.isDataCachingForOriginalImageDataEnabled = true
      $0.isDataCachingForProcessedImagesEnabled = false
      $0.isDeduplicationEnabled = true
      $0.isRateLimiterEnabled = true
      $0.isProgressiveDecodingEnabled = false
      $0.isResumableDataEnabled = true
    }
    _ = ImagePipeline { $0.dataCache = try! DataCache(name: "test.images") }
    ImagePipeline.Configuration.isAnimatedImageDataEnabled = false
    ImagePipeline.Configuration.isSignpostLoggingEnabled = false
  }

  static func cache(image: PlatformImage, container: ImageContainer) {
    ImageCache.shared.costLimit = 1024 * 1024 * 100
    ImageCache.shared.countLimit = 100
    ImageCache.shared.ttl = 120
    let request = ImageRequest(url: url)
    ImageCache.shared[request] = image
    let cached = ImageCache.shared[request]
    let view = ImageView()
    view.image = cached
    print(cached?.animatedImageData as Any)
    ImageCache.shared[request] = container
    view.image = ImageCache.shared[request]?.image
    ImageCache.shared[request] = nil
    ImageCache.shared.removeAll()
  }

  static func preheat(urls: [URL], requests: [ImageRequest]) {
    let preheater = ImagePreheater()
    preheater.startPreheating(with: urls)
    preheater.startPreheating(with: requests)
    preheater.stopPreheating(with: urls)
    preheater.stopPreheating(with: requests)
    preheater.stopPreheating()
    preheater.isPaused = true
    _ = ImagePreheater(destination: .diskCache)
    _ = ImagePreheater(pipeline: .shared, destination: .memoryCache, maxConcurrentRequestCount: 2)
  }
}
