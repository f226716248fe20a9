// Displays the cached image, however old it is, and then the current one.
import Foundation
import Nuke

func recipeRevalidating() async {
  let pipeline = ImagePipeline {
    $0.dataCache = try? DataCache(name: "com.example.images")
  }

  do {
    for try await response in pipeline.responses(revalidating: "https://example.com/webcam.jpg") {
      print(response.cacheType == nil ? "new:" : "old:", response.image)
    }
  } catch {
    print("what was shown may be out of date: \(error)")
  }
}
