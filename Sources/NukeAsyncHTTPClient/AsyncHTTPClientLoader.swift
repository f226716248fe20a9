#if AsyncHTTPClient
  public import AsyncHTTPClient
  package import Foundation
  public import FoundationNetworking
  import NIOCore
  public import Nuke

  /// Loads bytes over http and https with AsyncHTTPClient, for servers that run on SwiftNIO already; from files and
  /// `data:` URLs too.
  ///
  /// ```swift
  /// let pipeline = ImagePipeline { $0.dataLoader = AsyncHTTPClientLoader(client: app.http.client.shared) }
  /// ```
  ///
  /// It keeps the limits of `DataLoader.Configuration`, asks the HTTP cache in it, waits for connectivity and tries again
  /// where it is told to, and fails with the same errors as `DataLoader`. Differences are:
  ///
  /// - A `GET` or `HEAD` whose connection is closed before there is an answer is sent once more, over a new connection too.
  /// - ftp is not spoken. HTTP/2 is spoken over TLS only, so that `HTTPVersion.http2` is the same as `.automatic`.
  /// - Of proxies it knows `http`, `socks5` and `socks5h`, and asks the environment for none.
  /// - A policy for addresses cannot be kept: with one other than `.any` every request fails.
  ///
  /// The calls of one loader's transfers come on one event loop: those who receive them must not block it. A loader can be
  /// used from any thread.
  public final class AsyncHTTPClientLoader: DataLoading {
    /// After which failures a transfer is tried again, and how often; `nil` for never, which is the default. What is
    /// sent again, and how a body goes on that broke off, is the same as with `DataLoader.retryPolicy`.
    public let retryPolicy: RetryPolicy?

    private let dispatcher: RequestDispatcher
    private let configuration: DataLoader.Configuration

    /// Makes a loader with a client of its own, on the event loops that all of the process share.
    ///
    /// The client is shut down once the loader is gone and its transfers are done. Its connections are kept for a minute
    /// and never established a second time by itself; it inflates gzip and deflate where a server sends them unasked.
    ///
    /// - Parameters:
    ///   - configuration: limits, proxies, certificates and the like.
    ///   - retryPolicy: after which failures a transfer is tried again.
    ///   - validate: returns the error that a transfer ends with, or `nil` to accept the response; it is called on the
    ///     event loop. `nil` accepts the statuses 200…299.
    public convenience init(
      configuration: DataLoader.Configuration = DataLoader.defaultConfiguration, retryPolicy: RetryPolicy? = nil,
      validate: (@Sendable (URLResponse) -> (any Swift.Error)?)? = nil
    ) {
      let client = HTTPClient(configuration: ClientConfiguration.make(from: configuration))
      self.init(client, isOwned: true, inflates: true, configuration, retryPolicy, validate)
    }

    /// Makes a loader on a client that the program has already. It is not shut down, and has to outlive the transfers.
    ///
    /// Certificates, proxies, the version of HTTP and the time limit for connecting are the client's. It should allow a host
    /// as many connections as `configuration` does, or what waits for one runs into that time limit. Redirects that the
    /// client follows do not count towards the limit here.
    ///
    /// - Parameters:
    ///   - client: makes the connections.
    ///   - inflates: whether the client was made with `decompression` on.
    ///   - configuration: limits and header fields.
    ///   - retryPolicy: after which failures a transfer is tried again.
    ///   - validate: returns the error that a transfer ends with, or `nil` to accept the response; it is called on the
    ///     event loop. `nil` accepts the statuses 200…299.
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
