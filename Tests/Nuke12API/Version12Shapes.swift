import Foundation
import Nuke

/// Code as programs write it by the names of version 12. It has to compile, and is never run.
@available(*, deprecated, message: "Names of version 12")
enum Version12Shapes {
  static let url = URL(string: "https://pictures.test/a.jpeg")!

  /// Stands in for a toolkit's image view.
  final class ImageView {
    var image: PlatformImage?
  }

  final class ImageController {
    let imageView = ImageView()
    var task: AsyncImageTask?

    func load() async throws {
      let imageTask: AsyncImageTask = ImagePipeline.shared.imageTask(with: url)
      task = imageTask
      for await progress in imageTask.progress { print(progress.fraction) }
      imageView.image = try await imageTask.image
      let response = try await imageTask.response
      print(response.image)
      imageTask.priority = .high
      imageTask.cancel()
    }
  }

  final class PipelineDelegate: ImagePipelineDelegate {
    func imageTaskCreated(_ task: ImageTask, pipeline: ImagePipeline) {}
    func imageTaskDidStart(_ task: ImageTask, pipeline: ImagePipeline) {}
    func imageTask(_ task: ImageTask, didReceiveEvent event: ImageTask.Event, pipeline: ImagePipeline) {}
    func cacheKey(for request: ImageRequest, pipeline: ImagePipeline) -> String? { request.imageId }
  }

  static func requests() {
    var request = ImageRequest(
      url: url, processors: [.resize(width: 100)],
      userInfo: [
        .imageIdKey: "http://pictures.test/a", .scaleKey: Float(2),
        .thumbnailKey: ImageRequest.ThumbnailOptions(maxPixelSize: 400),
      ])
    request.imageId = "http://pictures.test/b"
    request.userInfo[.imageIdKey] = "http://pictures.test/c"
    print(request.imageId as Any)
  }

  static func load(queue: DispatchQueue) async throws {
    let pipeline = ImagePipeline {
      $0.dataCache = try? DataCache(name: "test.images")
      $0.dataCachePolicy = .automatic
    }
    ImagePipeline.shared = ImagePipeline(configuration: .withDataCache)
    let (data, _) = try await pipeline.data(for: url)
    print(data)
    let task = pipeline.loadImage(with: ImageRequest(url: url), queue: queue, progress: nil) { result in print(result) }
    pipeline.loadImage(
      with: url, queue: .main, progress: { response, completed, total in print(response as Any, completed, total) },
      completion: { result in print(result) })
    pipeline.loadImage(with: url, queue: nil, completion: { result in print(result) })
    pipeline.loadData(with: ImageRequest(url: url), queue: queue, progress: { print($0, $1) }) { result in
      print((try? result.get().data.count) ?? 0)
    }
    pipeline.loadData(with: url, queue: nil) { result in print(result) }
    pipeline.loadData(with: url) { result in print(result) }
    pipeline.loadData(with: url, progress: { print($0, $1) }, completion: { result in print(result) })
    task.cancel()
  }
}
