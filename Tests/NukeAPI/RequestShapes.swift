import Foundation
import Nuke

func makeRequests() {
  let literal: ImageRequest = "https://pictures.test/a.jpeg"
  var request = ImageRequest(
    url: URL(string: "http://pictures.test/b"), processors: [.resize(size: CGSize(width: 10, height: 10))],
    priority: .high, options: [.reloadIgnoringCachedData])
  _ = ImageRequest(url: address)
  _ = ImageRequest(url: address, options: .init())
  _ = ImageRequest(urlRequest: URLRequest(url: address), processors: [], priority: .low, options: [])
  _ = ImageRequest(id: "drawn", data: { Data() }, processors: [.resize(height: 10)])
  _ = ImageRequest(id: "drawn", image: { ImageContainer(image: PlatformImage()) }, options: .disableMemoryCache)

  request.priority = .veryHigh
  request.processors = [ImageProcessors.Resize(width: 20, unit: .pixels, upscale: true)]
  request.options.insert(.returnCacheDataDontLoad)
  request.options = [
    .disableMemoryCacheReads, .disableMemoryCacheWrites, .disableMemoryCache, .disableDiskCacheReads,
    .disableDiskCacheWrites, .disableDiskCache, .skipDecompression, .skipDataLoadingQueue,
  ]
  request.userInfo["place"] = "list"
  request.imageID = "http://pictures.test/b"
  request.scale = 2
  request.scale *= 1.5
  let scale = request.scale
  let width = CGFloat(100) / scale
  request.thumbnail = .init(maxPixelSize: 400)
  var thumbnail = ImageRequest.ThumbnailOptions(
    size: CGSize(width: width, height: 100), unit: .pixels, contentMode: .aspectFit)
  thumbnail.createThumbnailFromImageAlways = false
  thumbnail.createThumbnailFromImageIfAbsent = true
  thumbnail.createThumbnailWithTransform = false
  thumbnail.shouldCacheImmediately = true
  request.thumbnail = thumbnail
  print(literal, request.url as Any, request.urlRequest as Any)
}

func makeThumbnailRequests() {
  _ = ImageRequest(url: address, thumbnail: .init(maxPixelSize: 400))
  _ = ImageRequest(
    url: address, processors: [.circle()], thumbnail: .init(size: CGSize(width: 10, height: 10)), priority: .high,
    options: [.disableDiskCache])
  _ = ImageRequest(url: address, thumbnail: nil)
  _ = ImageRequest(urlRequest: URLRequest(url: address), thumbnail: .init(maxPixelSize: 400))
  _ = ImageRequest(id: "read", data: { Data() }, thumbnail: .init(maxPixelSize: 400))
}

func loadMany(_ requests: [ImageRequest], _ pipeline: ImagePipeline) async {
  for await loaded in pipeline.images(for: requests) {
    let response: ImageResponse? = try? loaded.result.get()
    print(loaded.index, loaded.request, response as Any, loaded.progress.completed, loaded.progress.failed)
  }
  for await loaded in pipeline.images(for: requests, maxConcurrent: 2) where loaded.progress.fraction == 1 {
    print(loaded.progress.bytes, loaded.progress.total)
  }
}
