/// The reason why there is no image to send. The description is for the operator: it may name hosts and files.
public enum ServingError: Error, Sendable, Hashable {
  /// The path is not one of the grammar's.
  case malformedURL(String)
  /// An option that is not known, or whose arguments make no sense: its name as it stands in the URL, and why.
  case invalidOption(String, String)
  /// No signature, or not that of the URL.
  case wrongSignature
  /// The URL was good until a moment that has passed.
  case expired
  /// A source that this server does not load from, and why.
  case sourceNotAllowed(String)
  /// The source is not there: what its server, or the disk, says.
  case sourceNotFound(String)
  /// The source's server failed.
  case sourceFailed(String)
  /// The source's server did not answer in time.
  case sourceTimedOut(String)
  /// A limit of bytes, pixels or frames, in words.
  case tooLarge(String)
  /// The source is no image that this build reads, or is damaged.
  case notAnImage(String)
  /// A format that this build does not write.
  case cannotWrite(String)
  /// More is asked for than can be done: seconds after which to ask again.
  case overloaded(retryAfter: Int)
  /// The server is about to end.
  case shuttingDown(retryAfter: Int)
  /// It was not made in the time that a request has.
  case deadlineExceeded
  /// Nobody waits for it any more.
  case cancelled
  /// An unexpected failure, with its description.
  case failed(String)
}

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

extension ServingError {
  /// The status of HTTP that tells it.
  public var status: Int {
    switch self {
    case .malformedURL, .invalidOption: 400
    case .wrongSignature, .sourceNotAllowed: 403
    case .expired, .sourceNotFound: 404
    case .tooLarge, .notAnImage, .cannotWrite: 422
    case .overloaded: 429
    case .cancelled: 499
    case .failed: 500
    case .sourceFailed: 502
    case .shuttingDown: 503
    case .sourceTimedOut, .deadlineExceeded: 504
    }
  }

  /// Seconds after which the same may be asked for again; `nil` if that would not help.
  public var retryAfter: Int? {
    switch self {
    case .overloaded(let seconds), .shuttingDown(let seconds): seconds
    default: nil
    }
  }

  /// A sentence for the client: it names options, but no host, address, file or limit.
  public var publicMessage: String {
    switch self {
    case .malformedURL(let reason): "The URL is malformed: \(reason)."
    case .invalidOption(let name, let reason): "The option \(name) is not valid: \(reason)."
    case .wrongSignature: "The signature does not match the URL."
    case .expired: "The URL has expired."
    case .sourceNotAllowed: "The source is not allowed."
    case .sourceNotFound: "The image does not exist."
    case .sourceFailed: "The source of the image failed."
    case .sourceTimedOut: "The source of the image did not respond in time."
    case .tooLarge: "The image is too large."
    case .notAnImage: "The source is not a readable image."
    case .cannotWrite(let format): "Images cannot be encoded as \(format)."
    case .overloaded: "The server is overloaded. Try again later."
    case .shuttingDown: "The server is shutting down. Try again."
    case .deadlineExceeded: "The image was not rendered in time."
    case .cancelled: "The request was canceled."
    case .failed: "An internal error occurred."
    }
  }
}

extension ServingError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .sourceNotAllowed(let reason), .sourceNotFound(let reason), .sourceFailed(let reason),
      .sourceTimedOut(let reason), .tooLarge(let reason), .notAnImage(let reason), .failed(let reason):
      "\(publicMessage) \(reason)"
    default: publicMessage
    }
  }
}
