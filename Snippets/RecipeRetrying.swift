// Tries again after errors that may pass, and waits as long as a busy server wants: for a load, and for each transfer.
import Foundation
import Nuke

// A transfer that breaks off goes on where it was.
let loader = DataLoader(retryPolicy: RetryPolicy(maxRetryCount: 2))
let patient = ImagePipeline { $0.dataLoader = loader }
let request: ImageRequest = "https://example.com/photo.jpg"
print(try await patient.image(for: request))

// The whole load is tried again, with any loader.
var policy = RetryPolicy(maxRetryCount: 5)
policy.isWorthRetrying = { RetryPolicy.isTransient($0) || $0.dataLoadingError is URLError }
print(try await ImagePipeline.shared.response(for: request, retrying: policy).image)
