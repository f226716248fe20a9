public import Foundation
public import FoundationNetworking

extension DataLoader.Configuration {
  /// Creates a configuration with the time limits, header fields, connections per host and cache policy of a
  /// `URLSessionConfiguration`.
  ///
  /// If it has a `urlCache` of any kind, responses are stored in ``DataLoader/sharedUrlCache``; otherwise, they are not
  /// stored. (`URLCache` stores no HTTP responses on Linux.) Cookies are neither sent nor stored, and protocol classes
  /// are not used.
  public init(_ configuration: URLSessionConfiguration) {
    self.init()
    timeoutIntervalForRequest = configuration.timeoutIntervalForRequest
    timeoutIntervalForResource = configuration.timeoutIntervalForResource
    httpAdditionalHeaders = configuration.httpAdditionalHeaders
    httpMaximumConnectionsPerHost = configuration.httpMaximumConnectionsPerHost
    requestCachePolicy = configuration.requestCachePolicy
    if configuration.urlCache != nil { urlCache = DataLoader.sharedUrlCache }
  }

  /// The maximum number of seconds without a byte: ``idleTimeout`` under its name in `URLSessionConfiguration`. Setting
  /// it also sets ``connectTimeout``, because a session has one limit for both.
  public var timeoutIntervalForRequest: TimeInterval {
    get { idleTimeout }
    set {
      idleTimeout = newValue
      connectTimeout = newValue
    }
  }

  /// The maximum number of seconds from the start of a request to the last byte of its body: ``resourceTimeout`` under
  /// its name in `URLSessionConfiguration`. If there is no limit, the value is seven days, the default of a session.
  public var timeoutIntervalForResource: TimeInterval {
    get { resourceTimeout ?? 604_800 }
    set { resourceTimeout = newValue }
  }

  /// The header fields of every request: ``additionalHeaders`` under its name in `URLSessionConfiguration`. A field
  /// whose name is not a string is ignored; values are sent as their description.
  public var httpAdditionalHeaders: [AnyHashable: Any]? {
    get { additionalHeaders }
    set { additionalHeaders = Self.fields(newValue) }
  }

  fileprivate static func fields(_ headers: [AnyHashable: Any]?) -> [String: String] {
    var fields: [String: String] = [:]
    for case (let name as String, let value) in headers ?? [:] { fields[name] = "\(value)" }
    return fields
  }

  /// The maximum number of connections to one host: ``maximumConnectionsPerHost`` under its name in
  /// `URLSessionConfiguration`.
  public var httpMaximumConnectionsPerHost: Int {
    get { maximumConnectionsPerHost }
    set { maximumConnectionsPerHost = newValue }
  }
}

/// Lets the settings of a ``DataLoader/Configuration`` that have a name in `URLSessionConfiguration` be changed in a
/// constant, as in code for an object. A second property with the same name must be in a protocol.
///
/// ```swift
/// let configuration = DataLoader.defaultConfiguration
/// configuration.timeoutIntervalForRequest = 10
/// configuration.urlCache = nil
/// let loader = DataLoader(configuration: configuration)
/// ```
///
/// Such a change also applies to copies of the constant that have not been changed, but not to loaders. Variables
/// are changed like any other value.
public protocol ChangedInConstants {}

extension ChangedInConstants where Self == DataLoader.Configuration {
  /// The maximum number of seconds without a byte, and for connecting.
  public var timeoutIntervalForRequest: TimeInterval {
    get { self.idleTimeout }
    nonmutating set {
      self[inConstant: \.idleTimeout] = newValue
      self[inConstant: \.connectTimeout] = newValue
    }
  }

  /// The maximum number of seconds from the start of a request to the last byte of its body.
  public var timeoutIntervalForResource: TimeInterval {
    get { self.resourceTimeout ?? 604_800 }
    nonmutating set { self[inConstant: \.resourceTimeout] = newValue }
  }

  /// The header fields of every request.
  public var httpAdditionalHeaders: [AnyHashable: Any]? {
    get { self.additionalHeaders }
    nonmutating set { self[inConstant: \.additionalHeaders] = Self.fields(newValue) }
  }

  /// The maximum number of connections to one host.
  public var httpMaximumConnectionsPerHost: Int {
    get { self.maximumConnectionsPerHost }
    nonmutating set { self[inConstant: \.maximumConnectionsPerHost] = newValue }
  }

  /// A Boolean value that indicates whether a request waits if no connection can be made.
  public var waitsForConnectivity: Bool {
    get { self[inConstant: \.waitsForConnectivity] }
    nonmutating set { self[inConstant: \.waitsForConnectivity] = newValue }
  }

  /// The HTTP cache.
  public var urlCache: HTTPCache? {
    get { self[inConstant: \.urlCache] }
    nonmutating set { self[inConstant: \.urlCache] = newValue }
  }

  /// The cache policy of requests without one.
  public var requestCachePolicy: URLRequest.CachePolicy {
    get { self[inConstant: \.requestCachePolicy] }
    nonmutating set { self[inConstant: \.requestCachePolicy] = newValue }
  }
}
