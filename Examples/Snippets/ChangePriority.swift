// Two views display the same image in two sizes. It is downloaded once, at the higher priority of the two.
import Foundation
import Nuke

func changePriority() async throws {
  let url = URL(string: "https://example.com/photo.jpg")
  let pipeline = ImagePipeline.shared

  let thumbnail = pipeline.imageTask(
    with: ImageRequest(url: url, processors: [.resize(width: 100, unit: .pixels)], priority: .low))
  let large = pipeline.imageTask(
    with: ImageRequest(url: url, processors: [.resize(width: 1600, unit: .pixels)]))

  // The view with the thumbnail has become visible. Raising its priority also raises that of the shared download.
  thumbnail.priority = .veryHigh
  // The other view is gone. The download continues for the thumbnail.
  large.cancel()

  print(try await thumbnail.image, thumbnail.facts.isCoalesced)
}
