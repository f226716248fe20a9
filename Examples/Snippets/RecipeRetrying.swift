// Retries after temporary errors, and respects the delay that a busy server requests: for single transfers, and for
// whole loads.
import Foundation
import Nuke

func recipeRetrying() async throws {
  // An interrupted transfer is resumed.
  let loader = DataLoader(retryPolicy: RetryPolicy(maxRetryCount: 2))
  let patient = ImagePipeline { $0.dataLoader = loader }
  let request: ImageRequest = "https://example.com/photo.jpg"
  print(try await patient.image(for: request))

  // The whole load is retried, with any loader.
  var policy = RetryPolicy(maxRetryCount: 5)
  policy.isWorthRetrying = { RetryPolicy.isTransient($0) || $0.dataLoadingError is URLError }
  print(try await ImagePipeline.shared.response(for: request, retrying: policy).image)
}
