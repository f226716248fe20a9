extension DataLoader {
  /// The error of a response that a loader does not accept. All other failures of a transfer are a `URLError`, with a
  /// ``TransferError`` as its underlying error.
  public enum Error: Swift.Error, Equatable, CustomStringConvertible {
    /// The server answered with a status outside 200…299.
    case statusCodeUnacceptable(Int)

    /// One sentence with the status.
    public var description: String {
      switch self {
      case .statusCodeUnacceptable(let status): "The server answered with status \(status)."
      }
    }
  }
}
