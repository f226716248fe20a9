// Goes on without a network: what is stored is shown, however old, and nothing is sent.
import Foundation
import Nuke

let pipeline = ImagePipeline {
  $0.dataCache = try? DataCache(name: "com.example.images")
  $0.freshnessPolicy = .respect
}

// As the program finds out that there is no network, and that there is one again.
pipeline.isOffline = true
do {
  let response = try await pipeline.imageTask(with: "https://example.com/photo.jpg").response
  if response.freshness?.isStale == true { print("this may be out of date") }
} catch {
  print("it has not been loaded before: \(error)")
}
pipeline.isOffline = false

// For one request: what is at most a day past its freshness is good enough.
var request: ImageRequest = "https://example.com/photo.jpg"
request.maxStale = 86_400
_ = try await pipeline.image(for: request)
