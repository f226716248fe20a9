public import Foundation
public import FoundationNetworking
import NukeBase

extension DataLoader {
  /// The connection settings and limits of a data loader.
  ///
  /// Loaders with equal configurations share their thread and their connections. A loader keeps the values that the
  /// configuration has when the loader is created.
  public struct Configuration: Sendable, Hashable, ChangedInConstants {
    private var session = Session()

    /// The maximum number of connections to one host, at least 1. Over HTTP/2, many requests share a connection, so
    /// this does not limit the number of requests.
    public var maximumConnectionsPerHost: Int {
      get { self[\.maximumConnectionsPerHost] }
      set { self[\.maximumConnectionsPerHost] = newValue }
    }

    /// The time limit in seconds from resolving the host name to an established connection, including TLS.
    public var connectTimeout: TimeInterval {
      get { self[\.connectTimeout] }
      set { self[\.connectTimeout] = newValue }
    }

    /// The maximum number of seconds without a byte, after the request was sent. If the request's `timeoutInterval`
    /// differs from `URLRequest`'s default of 60, it is used instead. Time in the queue or while paused does not count.
    public var idleTimeout: TimeInterval {
      get { self[\.idleTimeout] }
      set { self[\.idleTimeout] = newValue }
    }

    /// The time limit in seconds from the start of a request to the last byte of its body, including time in the queue;
    /// `nil` for no limit.
    public var resourceTimeout: TimeInterval? {
      get { self[\.resourceTimeout] }
      set { self[\.resourceTimeout] = newValue }
    }

    /// A Boolean value that indicates whether a request waits if no connection can be made, instead of failing. This
    /// covers a missing network, unknown hosts and unreachable hosts. The request is retried at intervals of up to 15
    /// seconds, until ``resourceTimeout`` has passed. Set that too; otherwise, a misspelled host name waits forever.
    /// The default is `false`.
    public var waitsForConnectivity: Bool {
      get { self[\.waitsForConnectivity] }
      set { self[\.waitsForConnectivity] = newValue }
    }

    /// The maximum number of redirects for one request. Only redirects to HTTP and HTTPS are followed.
    public var maximumRedirects = 10

    /// A Boolean value that indicates whether redirects from HTTPS to HTTP are followed. The default is `false`,
    /// because an eavesdropper could read the request and change the response.
    public var followsInsecureRedirects = false

    /// The maximum size of a body in bytes, after its `Content-Encoding` was decoded; `nil` for no limit.
    public var maximumBodySize: Int?

    /// Header fields to add to every request. The fields of a request itself take precedence.
    public var additionalHeaders: [String: String] {
      get { self[\.additionalHeaders] }
      set { self[\.additionalHeaders] = newValue }
    }

    /// The `User-Agent` of requests without one; `nil` to send none.
    public var userAgent: String? = "Nuke"

    /// The proxy. The default is the one in the environment.
    public var proxy = Proxy.environment

    /// The addresses that the loader may connect to. The default is all.
    ///
    /// With any other policy, the loader uses no proxy, because a proxy resolves names and connects by itself. The
    /// environment's proxy is ignored, and with ``Proxy/url(_:)`` every request fails, unless
    /// ``proxyEnforcesAddressPolicy`` is `true`. Responses in ``urlCache`` are served without a connection, so do not
    /// share the cache with a loader that has another policy.
    public var addressPolicy = AddressPolicy.any

    /// A Boolean value that indicates whether the proxy of ``Proxy/url(_:)`` enforces the ``addressPolicy``, so that
    /// requests are sent through it. The default is `false`.
    ///
    /// Set this only for a proxy that refuses connections to all addresses that the policy refuses. The loader cannot
    /// check the addresses that names resolve to. It refuses only URLs, also those of redirects, whose host is a refused
    /// address in any spelling, `localhost`, or not in ASCII. A policy for public addresses without exceptions also
    /// refuses names without a dot and below `local`, `internal` and `home.arpa`, which are never public. These fail
    /// with ``DataLoader/TransferError/hostNotAllowed(_:)``.
    ///
    /// With the schemes `socks4` and `socks5`, the loader resolves names and does not check the result; prefer
    /// `socks4a` and `socks5h`.
    public var proxyEnforcesAddressPolicy = false

    /// A PEM file with the certificate authorities to trust instead of the system's.
    public var caFile: String?

    /// A folder with the certificates of the authorities to trust, named as by `openssl rehash`.
    public var caPath: String?

    /// The HTTP versions to use.
    public var httpVersion = HTTPVersion.automatic

    /// The HTTP cache for HTTP and HTTPS. The default is `nil`, and ``DataLoader/sharedUrlCache`` in
    /// ``DataLoader/defaultConfiguration``. Loaders that differ only in their cache share their connections.
    public var urlCache: HTTPCache? {
      get { self[\.urlCache] }
      set { self[\.urlCache] = newValue }
    }

    /// The cache policy of requests with `.useProtocolCachePolicy`, which is their default.
    public var requestCachePolicy: URLRequest.CachePolicy {
      get { self[\.requestCachePolicy] }
      set { self[\.requestCachePolicy] = newValue }
    }

    /// A Boolean value that indicates whether `file:` and `data:` URLs can be loaded. Otherwise, they fail with
    /// ``DataLoader/TransferError/unsupportedScheme(_:)``. The default is `true`.
    public var isLocalResourcesSupportEnabled = true

    /// The signature of requests; `nil` for none. Signed requests carry only their own fields, and follow no redirects.
    package var signing: RequestSigning?

    /// The names, in lower case, of header fields that belong to one client. They are sent only to the origin of the
    /// request, and not after a redirect to another one. Requests with such a field do not use ``urlCache``.
    package var privateFields: Set<String> = []

    /// `false` if requests do not list the formats that can be read in `Accept`.
    package var listsFormats = true

    /// Replaces name resolution and connections in tests.
    package var dialing: Dialing?

    /// Creates a configuration with the default values.
    public init() {}

    private subscript<Value>(setting: WritableKeyPath<Session.Settings, Value>) -> Value {
      get { session.settings.withLock { $0[keyPath: setting] } }
      set {
        if !isKnownUniquelyReferenced(&session) { session = Session(session.settings.withLock { $0 }) }
        self[inConstant: setting] = newValue
      }
    }

    /// A setting that can be changed if the configuration is a constant. Copies that have not been changed have the new
    /// value too.
    subscript<Value>(inConstant setting: WritableKeyPath<Session.Settings, Value>) -> Value {
      get { self[setting] }
      // The old value is released outside of the lock.
      nonmutating set { _ = session.settings.withLock { exchange(&$0[keyPath: setting], with: newValue) } }
    }

    /// The `Accept` field of requests that have none.
    package private(set) var accept = "*/*"

    /// Returns the configuration without further changes through constants.
    ///
    /// - Parameter accept: the `Accept` field of requests that have none.
    package func fixed(accept: String) -> Configuration {
      var configuration = self
      configuration.accept = accept
      configuration.session = Session(session.settings.withLock { $0 })
      return configuration
    }
  }
}

extension DataLoader.Configuration {
  /// The settings that a `URLSessionConfiguration` has too. Copies of a configuration share them until one is changed.
  final class Session: Sendable, Hashable {
    struct Settings: Sendable, Hashable {
      var maximumConnectionsPerHost = 6
      var connectTimeout: TimeInterval = 15
      var idleTimeout: TimeInterval = 30
      var resourceTimeout: TimeInterval?
      var waitsForConnectivity = false
      var additionalHeaders: [String: String] = [:]
      var urlCache: HTTPCache?
      var requestCachePolicy = URLRequest.CachePolicy.useProtocolCachePolicy
    }

    let settings: Lock<Settings>

    init(_ settings: Settings = Settings()) { self.settings = Lock(settings) }

    static func == (lhs: Session, rhs: Session) -> Bool {
      lhs === rhs || lhs.settings.withLock { $0 } == rhs.settings.withLock { $0 }
    }

    func hash(into hasher: inout Hasher) { hasher.combine(settings.withLock { $0 }) }
  }
}

extension DataLoader.Configuration {
  /// `true` if all connections are made to a proxy that enforces the address policy.
  var leavesAddressesToProxy: Bool { hasProxyAndPolicy && proxyEnforcesAddressPolicy }

  /// `true` if no request can be sent, because the address policy could not be enforced.
  var policyRefusesProxy: Bool { hasProxyAndPolicy && !proxyEnforcesAddressPolicy }

  private var hasProxyAndPolicy: Bool {
    if case .url = proxy { !addressPolicy.allowsAll } else { false }
  }
}

extension DataLoader.Configuration {
  /// The proxy to use.
  public enum Proxy: Sendable, Hashable {
    /// Uses the environment variables `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`.
    case environment
    /// Connects directly.
    case none
    /// Uses a proxy with the scheme `http`, `https`, `socks4`, `socks4a`, `socks5` or `socks5h`, and ignores the
    /// environment.
    case url(URL)
  }

  /// The HTTP versions that a loader may use.
  public enum HTTPVersion: Sendable, Hashable {
    /// HTTP/2 if a TLS server offers it, otherwise HTTP/1.1.
    case automatic
    /// HTTP/1.1 only.
    case http1
    /// HTTP/2, also over plain connections, by prior knowledge.
    case http2
  }
}
