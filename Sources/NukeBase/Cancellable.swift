/// Work that can be canceled.
public protocol Cancellable: Sendable {
  /// Cancels the work, from any thread. Has no effect if the work has ended or was canceled before.
  func cancel()
}
