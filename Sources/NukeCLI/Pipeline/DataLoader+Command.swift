#if Command
  import Foundation
  import Nuke

  extension DataLoader {
    /// Creates the loader of a command. All of its requests have the header fields of the command's options.
    ///
    /// - Parameters:
    ///   - timeout: the number of seconds for connecting, and without a byte from the server.
    ///   - concurrency: the maximum number of connections to one host; `nil` for the default.
    ///   - usualRetryCount: the number of retries if the options do not have one.
    convenience init(
      _ options: RequestOptions, timeout: TimeInterval, concurrency: Int? = nil, usualRetryCount: Int = 0
    ) throws(CommandFailure) {
      var configuration = Configuration()
      configuration.connectTimeout = timeout
      configuration.idleTimeout = timeout
      if let concurrency { configuration.maximumConnectionsPerHost = concurrency }
      configuration.userAgent = options.userAgent == "" ? nil : "nuke/\(PackageVersion.current)"
      configuration.caFile = try options.authorities
      // They were checked with the other arguments.
      for field in (try? options.fields) ?? [] {
        configuration.additionalHeaders[field.name] = field.value
        if field.isPrivate { configuration.privateFields.insert(field.key) }
      }
      let retryCount = options.retries ?? usualRetryCount
      self.init(
        configuration: configuration, retryPolicy: retryCount > 0 ? RetryPolicy(maxRetryCount: retryCount) : nil)
    }
  }
#endif
