import Foundation
import Nuke

/// A URL that no test loads from a network.
func imageURL(_ name: String) -> URL { URL(string: "http://pictures.test/\(name)")! }

extension Bitmap {
  var pixels: [UInt8] { withUnsafeBytes { Array($0) } }
}

extension Result {
  var error: Failure? { if case .failure(let error) = self { error } else { nil } }
}

/// What `body` throws; `nil` if it returns.
func failure<Value>(of body: () async throws(ImagePipeline.Error) -> Value) async -> ImagePipeline.Error? {
  do {
    _ = try await body()
    return nil
  } catch {
    return error
  }
}
