package import Nuke

/// Returns the error that a load ends with; `nil` if it succeeds.
package func loadFailure<Value>(
  _ load: @autoclosure () async throws(ImagePipeline.Error) -> Value
) async -> ImagePipeline.Error? {
  do {
    _ = try await load()
    return nil
  } catch {
    return error
  }
}
