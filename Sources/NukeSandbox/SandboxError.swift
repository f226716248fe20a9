/// Why there is no sandbox.
public enum SandboxError: Error, Sendable, Hashable {
  /// The kernel cannot filter system calls.
  case noFilters
  /// A worker could not be started, in words.
  case cannotStart(String)
}

extension SandboxError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .noFilters: "The kernel cannot filter system calls (seccomp), without which there is no sandbox."
    case .cannotStart(let reason): "A worker of the sandbox cannot be started: \(reason)."
    }
  }
}
