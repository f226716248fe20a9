// Tries again after errors that may pass, and waits as long as a busy server wants.
import Foundation
import FoundationNetworking
import Nuke

/// Carries what the server says in `Retry-After`, which `DataLoader.Error` does not.
struct Busy: Error {
  let seconds: TimeInterval?
}

let loader = DataLoader { response in
  guard let response = response as? HTTPURLResponse, [429, 503].contains(response.statusCode) else {
    return DataLoader.validate(response: response)
  }
  return Busy(seconds: response.value(forHTTPHeaderField: "Retry-After").flatMap(TimeInterval.init))
}
let pipeline = ImagePipeline { $0.dataLoader = loader }

var policy = RetryPolicy(maxRetryCount: 5)
policy.isWorthRetrying = { RetryPolicy.isTransient($0) || $0.dataLoadingError is Busy }
policy.retryAfter = { ($0.dataLoadingError as? Busy)?.seconds }

let request: ImageRequest = "https://example.com/photo.jpg"
print(try await pipeline.response(for: request, retrying: policy).image)
