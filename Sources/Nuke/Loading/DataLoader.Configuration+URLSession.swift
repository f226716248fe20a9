public import Foundation
public import FoundationNetworking

extension DataLoader.Configuration {
  /// Creates a configuration with the settings of a `URLSessionConfiguration`: its time limits, header fields, connections
  /// to a host and cache policy.
  ///
  /// With a `urlCache` of any kind responses are kept in ``DataLoader/sharedUrlCache``, and without one they are not kept:
  /// `URLCache` stores no HTTP responses on Linux. Cookies are neither sent nor stored, and protocol classes are not used.
  public init(_ configuration: URLSessionConfiguration) {
    self.init()
    timeoutIntervalForRequest = configuration.timeoutIntervalForRequest
    timeoutIntervalForResource = configuration.timeoutIntervalForResource
    httpAdditionalHeaders = configuration.httpAdditionalHeaders
    httpMaximumConnectionsPerHost = configuration.httpMaximumConnectionsPerHost
    requestCachePolicy = configuration.requestCachePolicy
    if configuration.urlCache != nil { urlCache = DataLoader.sharedUrlCache }
  }

  /// Seconds without a byte: ``idleTimeout`` under the name of `URLSessionConfiguration`. Setting it sets
  /// ``connectTimeout`` too, because a session has one limit for both.
  public var timeoutIntervalForRequest: TimeInterval {
    get { idleTimeout }
    set {
      idleTimeout = newValue
      connectTimeout = newValue
    }
  }

  /// Seconds from the start of a request to the last byte of its body: ``resourceTimeout`` under the name of
  /// `URLSessionConfiguration`. Seven days, the limit of a session, where there is none.
  public var timeoutIntervalForResource: TimeInterval {
    get { resourceTimeout ?? 604_800 }
    set { resourceTimeout = newValue }
  }

  /// Header fields of every request: ``additionalHeaders`` under the name of `URLSessionConfiguration`. A field whose name
  /// is not a string is left out; values are sent as their description.
  public var httpAdditionalHeaders: [AnyHashable: Any]? {
    get { additionalHeaders }
    set {
      additionalHeaders = [:]
      for case (let name as String, let value) in newValue ?? [:] { additionalHeaders[name] = "\(value)" }
    }
  }

  /// Connections to one host at a time: ``maximumConnectionsPerHost`` under the name of `URLSessionConfiguration`.
  public var httpMaximumConnectionsPerHost: Int {
    get { maximumConnectionsPerHost }
    set { maximumConnectionsPerHost = newValue }
  }
}

extension DataLoader {
  /// Creates a loader with the settings of a `URLSessionConfiguration` that accepts the statuses 200…299.
  ///
  /// See ``Configuration/init(_:)`` for which settings are used.
  @_disfavoredOverload
  public convenience init(configuration: URLSessionConfiguration) {
    self.init(configuration: Configuration(configuration))
  }

  /// Creates a loader with the settings of a `URLSessionConfiguration` that asks `validate` about each response.
  ///
  /// - Parameters:
  ///   - configuration: see ``Configuration/init(_:)`` for which settings are used.
  ///   - validate: returns the error that the transfer ends with, or `nil` to accept the response. It is called on the
  ///     loader's thread.
  @_disfavoredOverload
  public convenience init(
    configuration: URLSessionConfiguration, validate: @escaping @Sendable (URLResponse) -> (any Swift.Error)?
  ) {
    self.init(configuration: Configuration(configuration), validate: validate)
  }
}
