// Works without a network: stored images of any age are displayed, and no requests are sent.
import Foundation
import Nuke

func offline() async throws {
  let pipeline = ImagePipeline {
    $0.dataCache = try? DataCache(name: "com.example.images")
    $0.freshnessPolicy = .respect
  }

  // Call this when the program detects that the network is lost, or available again.
  pipeline.isOffline = true
  do {
    let response = try await pipeline.imageTask(with: "https://example.com/photo.jpg").response
    if response.freshness?.isStale == true { print("this may be out of date") }
  } catch {
    print("it has not been loaded before: \(error)")
  }
  pipeline.isOffline = false

  // For one request: accepts images that have been stale for at most a day.
  var request: ImageRequest = "https://example.com/photo.jpg"
  request.maxStale = 86_400
  _ = try await pipeline.image(for: request)
}
