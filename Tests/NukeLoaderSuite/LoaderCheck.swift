package import FoundationNetworking
package import Nuke
import NukeOrigin
import Testing

/// One thing that every transport does, proved against a server on loopback.
///
/// A transport's tests take ``LoaderCheck/all`` for their arguments, so that all transports are held to the same.
package struct LoaderCheck: Sendable, CustomTestStringConvertible {
  /// Makes the loader under test, with connections that it shares with no other.
  package typealias Factory =
    @Sendable (DataLoader.Configuration, RetryPolicy?, (@Sendable (URLResponse) -> (any Error)?)?)
    -> any StreamingDataLoading

  package let sentence: String
  private let body: @Sendable (Loaders) async throws -> Void

  init(_ sentence: String, _ body: @escaping @Sendable (Loaders) async throws -> Void) {
    self.sentence = sentence
    self.body = body
  }

  package var testDescription: String { sentence }

  package func run(_ factory: @escaping Factory) async throws {
    let loaders = Loaders(factory: factory)
    defer { loaders.origins.stop() }
    try await body(loaders)
  }

  package static let all =
    bodies + encodings + requests + statuses + streaming + cancelling + failures + limits + redirects + queue + retrying
  /// What needs a server with certificates: see ``TLSServer/isAvailable``.
  package static let allOverTLS = tls
}

/// Makes the loaders of a check, and its origins, which stop when it has ended.
struct Loaders: Sendable {
  let factory: LoaderCheck.Factory
  let origins = Origins()

  func origin(_ respond: @escaping @Sendable (NukeOrigin.Request) -> NukeOrigin.Response) throws -> NukeOrigin {
    try origins.start(respond)
  }

  func make(_ configure: (inout DataLoader.Configuration) -> Void = { _ in }) -> any StreamingDataLoading {
    factory(makeConfiguration(configure), nil, nil)
  }

  /// - Parameter count: how often a transfer is tried again, at once.
  func make(
    retrying count: Int, _ configure: (inout DataLoader.Configuration) -> Void = { _ in }
  ) -> any StreamingDataLoading {
    factory(makeConfiguration(configure), RetryPolicy(maxRetryCount: count, initialDelay: 0), nil)
  }

  func make(validate: @escaping @Sendable (URLResponse) -> (any Error)?) -> any StreamingDataLoading {
    factory(makeConfiguration(), nil, validate)
  }
}
