extension ServingError {
  /// The case's name, for metrics and logs.
  public var name: String {
    switch self {
    case .malformedURL: "malformedURL"
    case .invalidOption: "invalidOption"
    case .wrongSignature: "wrongSignature"
    case .expired: "expired"
    case .sourceNotAllowed: "sourceNotAllowed"
    case .sourceNotFound: "sourceNotFound"
    case .sourceFailed: "sourceFailed"
    case .sourceTimedOut: "sourceTimedOut"
    case .tooLarge: "tooLarge"
    case .notAnImage: "notAnImage"
    case .cannotWrite: "cannotWrite"
    case .overloaded: "overloaded"
    case .shuttingDown: "shuttingDown"
    case .deadlineExceeded: "deadlineExceeded"
    case .cancelled: "cancelled"
    case .failed: "failed"
    }
  }
}
