// Loads the thumbnails of many images, a few at a time, and prints the progress of all.
import Foundation
import Nuke

func recipeManyWithProgress() async {
  let requests = (1...200).map { number in
    ImageRequest(
      url: URL(string: "https://example.com/photo-\(number).jpg"), processors: [.circle()],
      thumbnail: .init(maxPixelSize: 160))
  }
  for await loaded in ImagePipeline.shared.images(for: requests, maxConcurrent: 8) {
    let progress = loaded.progress
    print("\(progress.completed) of \(progress.total), \(progress.failed) failed, \(progress.bytes) bytes")
    switch loaded.result {
    case .success(let response): print("photo \(loaded.index + 1):", response.image)
    case .failure(let error): print(error.description(for: loaded.request))
    }
  }
}
