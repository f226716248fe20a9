// Displays a stored image at once, even if it is stale, and the current image after the server has responded.
import Foundation
import Nuke

func staleThenFresh() async {
  let pipeline = ImagePipeline {
    $0.dataCache = try? DataCache(name: "com.example.images")
    $0.freshnessPolicy = .respect
  }

  // If the server sends stale-while-revalidate, the option is not needed.
  let request = ImageRequest(url: URL(string: "https://example.com/webcam.jpg"), options: .staleWhileRevalidate)
  for await event in pipeline.imageTask(with: request).events {
    switch event {
    case .preview(let response): print("for now:", response.image, response.freshness ?? "nothing known")
    case .finished(.success(let response)): print(response.image, response.freshness ?? "nothing known")
    case .finished(.failure(let error)): print("failed: \(error)")
    default: break
    }
  }
}
