public import Foundation
public import FoundationNetworking

extension DataLoader {
  /// The connection settings and limits of a data loader.
  ///
  /// Loaders with equal configurations share their thread and their connections.
  public struct Configuration: Sendable, Hashable {
    /// Connections to one host at a time, at least 1. Over HTTP/2 many requests share a connection and this does not
    /// bound them.
    public var maximumConnectionsPerHost = 6

    /// Seconds from the look-up of the host's name to a connection that can be used, TLS included.
    public var connectTimeout: TimeInterval = 15

    /// Seconds without a byte, from the sending of the request on. Where a request's `timeoutInterval` is other than
    /// `URLRequest`'s default of 60 it takes the place of this. Time spent in the queue or paused does not count.
    public var idleTimeout: TimeInterval = 30

    /// Seconds from the start of a request to the last byte of its body, time in the queue included; `nil` for no
    /// limit.
    public var resourceTimeout: TimeInterval?

    /// A Boolean value that indicates whether a request waits where no connection can be made, because the network is
    /// away or the host is not found or not reached, in place of failing. It tries again and again, after waits that
    /// grow to 15 seconds, until ``resourceTimeout`` has passed: set that too, or a wrong name is waited for without
    /// end. False by default.
    public var waitsForConnectivity = false

    /// Redirects followed for one request, to http and https only.
    public var maximumRedirects = 10

    /// A Boolean value that indicates whether a redirect from https to http is followed. False by default: whoever
    /// listens in could read what was asked for, and change the answer.
    public var followsInsecureRedirects = false

    /// The largest body in bytes; `nil` for no limit.
    public var maximumBodySize: Int?

    /// Header fields of every request. The fields of a request itself win.
    public var additionalHeaders: [String: String] = [:]

    /// The `User-Agent` of requests that have none of their own; `nil` sends none.
    public var userAgent: String? = "Nuke"

    /// The proxy. The default is the one in the environment.
    public var proxy = Proxy.environment

    /// The addresses that may be connected to. The default is all.
    ///
    /// With any other policy there is no proxy, since a proxy looks names up and connects by itself: the environment's is
    /// not used, and with ``Proxy/url(_:)`` every request fails. What is in ``urlCache`` is answered without a connection:
    /// do not share it with a loader of another policy.
    public var addressPolicy = AddressPolicy.any

    /// A file with the certificates of the authorities to trust, in PEM, in place of the system's.
    public var caFile: String?

    /// A folder with the certificates of the authorities to trust, named as `openssl rehash` does.
    public var caPath: String?

    /// The HTTP versions to use.
    public var httpVersion = HTTPVersion.automatic

    /// Answers requests over http and https from what servers allow to be kept; `nil` by default, and
    /// ``DataLoader/sharedUrlCache`` in ``DataLoader/defaultConfiguration``. Loaders that differ in it alone share
    /// their connections.
    public var urlCache: HTTPCache?

    /// The cache policy of requests with `.useProtocolCachePolicy`, which is their default.
    public var requestCachePolicy: URLRequest.CachePolicy = .useProtocolCachePolicy

    /// A Boolean value that indicates whether `file:` and `data:` URLs are read; where not, they fail with
    /// ``DataLoader/TransferError/unsupportedScheme(_:)``. True by default.
    public var isLocalResourcesSupportEnabled = true

    /// The signature of requests; `nil` for none. Signed requests carry no other fields than their own, and follow no
    /// redirects.
    package var signing: RequestSigning?

    /// Takes the place of the system's names and connections in tests.
    package var dialing: Dialing?

    /// The defaults.
    public init() {}
  }
}

extension DataLoader.Configuration {
  /// The way to the server.
  public enum Proxy: Sendable, Hashable {
    /// Uses `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` of the environment.
    case environment
    /// Always direct.
    case none
    /// Through this proxy: `http`, `https`, `socks4`, `socks4a`, `socks5` or `socks5h`.
    case url(URL)
  }

  /// The versions of HTTP that may be spoken.
  public enum HTTPVersion: Sendable, Hashable {
    /// HTTP/2 where a TLS server offers it, else HTTP/1.1.
    case automatic
    /// HTTP/1.1 only.
    case http1
    /// HTTP/2, over plain connections too, by prior knowledge.
    case http2
  }
}
