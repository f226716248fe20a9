// Displays a progressive image while it loads: previews, then the image.
import Foundation
import Nuke

func showWhileLoading() async {
  let pipeline = ImagePipeline {
    $0.isProgressiveDecodingEnabled = true
  }
  let task = pipeline.imageTask(with: "https://example.com/progressive.jpg")
  for await event in task.events {
    switch event {
    case .progress(let progress): print("\(progress.completed) of \(progress.total) bytes")
    case .preview(let response): print("Preview:", response.image)
    case .finished(.success(let response)): print("Image:", response.image)
    case .finished(.failure(let error)): print("No image: \(error)")
    }
  }
}
