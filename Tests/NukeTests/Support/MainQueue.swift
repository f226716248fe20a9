import Dispatch

/// Returns once the main queue has done what it was given before.
func mainQueueDone() async {
  await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
}
