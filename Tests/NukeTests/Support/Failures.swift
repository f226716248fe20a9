import Nuke
import Testing

/// Returns the error that a load ends with; `nil` if it succeeds.
func loadFailure<Value>(
  _ load: @autoclosure () async throws(ImagePipeline.Error) -> Value
) async -> ImagePipeline.Error? {
  do {
    _ = try await load()
    return nil
  } catch {
    return error
  }
}

/// Thrown by a test whose value is not of the case that it must be, with the value or what it means. It names the line,
/// since a thrown error has no place.
struct Unexpected: Error, CustomStringConvertible {
  let description: String

  init(_ value: Any?, at place: SourceLocation = #_sourceLocation) {
    description = "\(place): unexpected: \(value.map { "\($0)" } ?? "nil")"
  }
}
