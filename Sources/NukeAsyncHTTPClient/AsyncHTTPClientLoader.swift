#if AsyncHTTPClient
  public import AsyncHTTPClient
  package import Foundation
  public import FoundationNetworking
  import NIOCore
  public import Nuke

  /// Loads data over http and https with AsyncHTTPClient, for servers that already use SwiftNIO. Also loads files and
  /// `data:` URLs.
  ///
  /// ```swift
  /// let pipeline = ImagePipeline { $0.dataLoader = AsyncHTTPClientLoader(client: app.http.client.shared) }
  /// ```
  ///
  /// It applies the limits of `DataLoader.Configuration`, uses the configured HTTP cache, waits for connectivity and
  /// retries as configured, and fails with the same errors as `DataLoader`. The differences are:
  ///
  /// - A `GET` or `HEAD` whose connection is closed before a response arrives is sent once more, even if the connection
  ///   was new.
  /// - ftp is not supported. HTTP/2 is used over TLS only, so `HTTPVersion.http2` is the same as `.automatic`.
  /// - The supported proxies are `http`, `socks5` and `socks5h`. The proxy variables of the environment are ignored.
  /// - Address policies are not supported: every request fails if the policy is not `.any`.
  ///
  /// All calls of the transfers of a loader are made on one event loop, which observers must not block. A loader can be
  /// used from any thread.
  public final class AsyncHTTPClientLoader: DataLoading {
    /// The policy that decides which failed transfers are retried, and how often. The default is `nil`: nothing is
    /// retried. As with `DataLoader.retryPolicy`, only idempotent requests are retried, and an interrupted body is
    /// resumed.
    public let retryPolicy: RetryPolicy?

    private let dispatcher: RequestDispatcher
    private let configuration: DataLoader.Configuration

    /// Creates a loader with its own client, on the event loops that the process shares.
    ///
    /// The client is shut down when the loader has been released and its transfers have ended. Idle connections are
    /// kept for a minute. A failed connection attempt is not repeated by the client.
    ///
    /// - Parameters:
    ///   - configuration: limits, proxies, certificates and other options.
    ///   - retryPolicy: decides which failed transfers are retried.
    ///   - validate: returns the error to fail the transfer with, or `nil` to accept the response. Called on the event
    ///     loop. If the closure is `nil`, the statuses 200…299 are accepted.
    public convenience init(
      configuration: DataLoader.Configuration = DataLoader.defaultConfiguration, retryPolicy: RetryPolicy? = nil,
      validate: (@Sendable (URLResponse) -> (any Swift.Error)?)? = nil
    ) {
      let client = HTTPClient(configuration: ClientConfiguration.make(from: configuration))
      self.init(client, isOwned: true, inflates: false, configuration, retryPolicy, validate)
    }

    /// Creates a loader that uses an existing client. The loader does not shut it down, and it must outlive the
    /// transfers.
    ///
    /// Certificates, proxies, the HTTP version and the connection timeout are the client's. Allow the client as many
    /// connections per host as `configuration` does: requests that wait for a connection can otherwise time out.
    /// Redirects that the client follows do not count towards the limit of the configuration.
    ///
    /// - Parameters:
    ///   - client: the client that sends the requests.
    ///   - inflates: `true` if the client was created with `decompression` enabled. Otherwise, the loader decodes bodies
    ///     itself.
    ///   - configuration: limits and header fields.
    ///   - retryPolicy: decides which failed transfers are retried.
    ///   - validate: returns the error to fail the transfer with, or `nil` to accept the response. Called on the event
    ///     loop. If the closure is `nil`, the statuses 200…299 are accepted.
    public convenience init(
      client: HTTPClient, inflates: Bool = false,
      configuration: DataLoader.Configuration = DataLoader.defaultConfiguration, retryPolicy: RetryPolicy? = nil,
      validate: (@Sendable (URLResponse) -> (any Swift.Error)?)? = nil
    ) {
      self.init(client, isOwned: false, inflates: inflates, configuration, retryPolicy, validate)
    }

    private init(
      _ client: HTTPClient, isOwned: Bool, inflates: Bool, _ configuration: DataLoader.Configuration,
      _ retryPolicy: RetryPolicy?, _ validate: (@Sendable (URLResponse) -> (any Swift.Error)?)?
    ) {
      let configuration = configuration.forImages
      let transport = EventLoopTransport(
        client: client, isOwned: isOwned, inflates: inflates, configuration: configuration)
      dispatcher = RequestDispatcher(
        transport, configuration: configuration, policy: retryPolicy,
        acceptance: validate.map { .judged($0) } ?? .successful)
      self.configuration = configuration
      self.retryPolicy = retryPolicy
    }
  }

  extension AsyncHTTPClientLoader: StreamingDataLoading {
    package func configuration(for url: URL) -> DataLoader.Configuration? { configuration }

    package func stream(_ request: URLRequest, limit: Int?, observer: any StreamObserver) -> any Transfer {
      dispatcher.stream(request, limit: limit, observer: observer)
    }
  }
#endif
