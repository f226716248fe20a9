// Starts a download, prints its progress, and then the origin of the image.
import Foundation
import Nuke

func followProgress() async {
  let pipeline = ImagePipeline {
    $0.dataLoadingQueue = TaskQueue(maxConcurrentOperationCount: 12)
  }
  let task = pipeline.imageTask(with: "https://example.com/photo.jpg")
  for await progress in task.progress {
    print("\(progress.completed) of \(progress.total) bytes")
  }
  do {
    let response = try await task.response
    print(response.image, response.cacheType ?? "loaded", task.facts.loading, "seconds")
  } catch {
    print("no image: \(error)")
  }
}
