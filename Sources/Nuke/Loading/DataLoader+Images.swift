import Foundation
public import FoundationNetworking
import NukeCodecs
public import NukeHTTP

extension DataLoader {
  /// The policy that decides which failed transfers are retried, and how often. The default is `nil`: nothing is
  /// retried.
  ///
  /// Only GET, HEAD, OPTIONS, TRACE, PUT and DELETE requests are retried. `Retry-After` is respected. If a body was
  /// interrupted and the response had a strong validator, a range request resumes it, and the observer receives one
  /// continuous body. Without a strong validator, the transfer fails if a part of the body was already delivered.
  /// ``Configuration/resourceTimeout`` applies to all attempts together.
  public var retryPolicy: RetryPolicy? { retries as? RetryPolicy }

  /// Creates a loader that accepts the statuses 200…299.
  ///
  /// - Parameters:
  ///   - configuration: limits, proxies, certificates and other settings.
  ///   - retryPolicy: decides which failed transfers are retried. ``ImagePipeline/response(for:retrying:)`` retries
  ///     whole loads; using both multiplies the attempts.
  public convenience init(
    configuration: Configuration = DataLoader.defaultConfiguration, retryPolicy: RetryPolicy? = nil
  ) {
    self.init(configuration.forImages, retries: retryPolicy, acceptance: .successful)
  }

  /// Creates a loader that calls `validate` for each response before its body is delivered.
  ///
  /// - Parameters:
  ///   - configuration: limits, proxies, certificates and other settings.
  ///   - retryPolicy: decides which failed transfers are retried.
  ///   - validate: returns the error to fail the transfer with, or `nil` to accept the response. Called on the loader's
  ///     thread.
  public convenience init(
    configuration: Configuration = DataLoader.defaultConfiguration, retryPolicy: RetryPolicy? = nil,
    validate: @escaping @Sendable (URLResponse) -> (any Swift.Error)?
  ) {
    self.init(configuration.forImages, retries: retryPolicy, acceptance: .judged(validate))
  }

  /// Creates a loader with the settings of a `URLSessionConfiguration`. It accepts the statuses 200…299.
  ///
  /// See ``Configuration/init(_:)`` for the settings that are used.
  @_disfavoredOverload
  public convenience init(configuration: URLSessionConfiguration) {
    self.init(configuration: Configuration(configuration))
  }

  /// Creates a loader with the settings of a `URLSessionConfiguration` that calls `validate` for each response.
  ///
  /// - Parameters:
  ///   - configuration: see ``Configuration/init(_:)`` for the settings that are used.
  ///   - validate: returns the error to fail the transfer with, or `nil` to accept the response. Called on the loader's
  ///     thread.
  @_disfavoredOverload
  public convenience init(
    configuration: URLSessionConfiguration, validate: @escaping @Sendable (URLResponse) -> (any Swift.Error)?
  ) {
    self.init(configuration: Configuration(configuration), validate: validate)
  }
}

extension DataLoader.Configuration {
  private static let accept =
    ImageFormat.readable.filter { !$0.isVideo }.map(\.mediaType).joined(separator: ",") + ",*/*;q=0.5"

  /// The configuration of a loader, which cannot be changed through constants. Its requests ask for the formats that can
  /// be read, unless ``listsFormats`` is `false`.
  package var forImages: DataLoader.Configuration { fixed(accept: listsFormats ? Self.accept : "*/*") }
}
