import NukeImaging

/// Cancels the work that was given its ``token``.
///
/// ```swift
/// let source = CancellationTokenSource()
/// Loader.shared.loadImage(with: url, token: source.token)
/// source.cancel()
/// ```
///
/// It may be used from any thread.
public final class CancellationTokenSource: Sendable {
  /// The token for the work.
  public let token = CancellationToken()

  /// A source that has not been canceled.
  public init() {}

  /// A Boolean value that indicates whether ``cancel()`` has been called.
  public var isCancelling: Bool { token.isCancelling }

  /// Calls what was registered with the token, in that order and on this thread, and returns after that. Further calls
  /// have no effect.
  public func cancel() { token.cancel() }
}
