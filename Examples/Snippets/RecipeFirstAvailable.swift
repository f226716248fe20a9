// Loads an image from a file if it exists, and from a server otherwise.
import Foundation
import Nuke

func recipeFirstAvailable() async throws {
  let file = ImageRequest(url: URL(fileURLWithPath: "/var/lib/pictures/photo.jpg"))
  let server: ImageRequest = "https://example.com/photo.jpg"

  let response = try await ImagePipeline.shared.response(forFirstAvailableOf: [file, server])
  print(response.image, "from", response.request.url?.scheme ?? "nowhere")
}
