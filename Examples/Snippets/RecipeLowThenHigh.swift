// Displays a small image while the large one is loading, and never the small one after the large one.
import Foundation
import Nuke

func recipeLowThenHigh() async throws {
  let small: ImageRequest = "https://example.com/photo-small.jpg"
  let large: ImageRequest = "https://example.com/photo-large.jpg"

  for try await response in ImagePipeline.shared.responses(inOrderOfQuality: [small, large]) {
    print("better:", response.image)
  }
}
