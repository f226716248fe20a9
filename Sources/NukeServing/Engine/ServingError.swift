/// The reason why a request has no image. The description is for the operator: it may contain host names and file
/// paths.
public enum ServingError: Error, Sendable, Hashable {
  /// The path cannot be that of an image, such as `/favicon.ico`.
  case unknownPath
  /// The method of the request is not among those that the paths of images accept, which are listed as in the field
  /// `Allow`.
  case methodNotAllowed(allowed: String)
  /// The path does not follow the URL grammar.
  case malformedURL(String)
  /// An unknown option, or an option with invalid arguments: its name as written in the URL, and the reason.
  case invalidOption(String, String)
  /// The signature is missing or wrong.
  case wrongSignature
  /// The bearer token is missing or wrong.
  case wrongToken
  /// The URL has expired.
  case expired
  /// A source that this server may not load, and the reason.
  case sourceNotAllowed(String)
  /// The source does not exist. The text is the error of its server or of the file system.
  case sourceNotFound(String)
  /// The source's server failed.
  case sourceFailed(String)
  /// The source's server did not answer in time.
  case sourceTimedOut(String)
  /// A limit of bytes, pixels or frames is exceeded. The text names the limit.
  case tooLarge(String)
  /// The source is damaged, or not an image that this build can read.
  case notAnImage(String)
  /// The source does not have the hash that the URL states. The text names the algorithm.
  case wrongHash(String)
  /// The format is not one that this build can write.
  case cannotWrite(String)
  /// The server is overloaded. The client may retry after the given number of seconds.
  case overloaded(retryAfter: Int)
  /// The server is shutting down.
  case shuttingDown(retryAfter: Int)
  /// The deadline of the request has passed.
  case deadlineExceeded
  /// All waiters have canceled the request.
  case cancelled
  /// The images were purged on this node, but the store that the nodes share did not confirm it.
  case purgeNotShared
  /// An unexpected failure, with its description.
  case failed(String)
}

extension ServingError {
  /// The case's name, for metrics and logs.
  public var name: String {
    switch self {
    case .unknownPath: "unknownPath"
    case .methodNotAllowed: "methodNotAllowed"
    case .malformedURL: "malformedURL"
    case .invalidOption: "invalidOption"
    case .wrongSignature: "wrongSignature"
    case .wrongToken: "wrongToken"
    case .expired: "expired"
    case .sourceNotAllowed: "sourceNotAllowed"
    case .sourceNotFound: "sourceNotFound"
    case .sourceFailed: "sourceFailed"
    case .sourceTimedOut: "sourceTimedOut"
    case .tooLarge: "tooLarge"
    case .notAnImage: "notAnImage"
    case .wrongHash: "wrongHash"
    case .cannotWrite: "cannotWrite"
    case .overloaded: "overloaded"
    case .shuttingDown: "shuttingDown"
    case .deadlineExceeded: "deadlineExceeded"
    case .cancelled: "cancelled"
    case .purgeNotShared: "purgeNotShared"
    case .failed: "failed"
    }
  }
}

extension ServingError {
  /// The HTTP status code of the error.
  public var status: Int {
    switch self {
    case .malformedURL, .invalidOption: 400
    case .wrongSignature, .wrongToken, .sourceNotAllowed: 403
    case .unknownPath, .expired, .sourceNotFound: 404
    case .methodNotAllowed: 405
    case .tooLarge, .notAnImage, .wrongHash, .cannotWrite: 422
    case .overloaded: 429
    case .cancelled: 499
    case .failed: 500
    case .sourceFailed: 502
    case .shuttingDown, .purgeNotShared: 503
    case .sourceTimedOut, .deadlineExceeded: 504
    }
  }

  /// The number of seconds after which the client may retry; `nil` if it is not known, or if a retry would not help.
  public var retryAfter: Int? {
    switch self {
    case .overloaded(let seconds), .shuttingDown(let seconds): seconds
    case .purgeNotShared: 5
    default: nil
    }
  }

  /// A sentence for the client. It may name options, but no host, address, file or limit.
  public var publicMessage: String {
    switch self {
    case .unknownPath:
      "There is nothing at this path. The path of an image is /{signature}/{options}/plain/{source}."
    case .methodNotAllowed(let allowed): "The path of an image accepts only these methods: \(allowed)."
    case .malformedURL(let reason): "The URL is malformed: \(reason)."
    case .invalidOption(let name, let reason): "The option \(name) is not valid: \(reason)."
    case .wrongSignature: "The signature does not match the URL."
    case .wrongToken: "The field Authorization has no valid bearer token."
    case .expired: "The URL has expired."
    case .sourceNotAllowed: "The source is not allowed."
    case .sourceNotFound: "The image does not exist."
    case .sourceFailed: "The source of the image failed."
    case .sourceTimedOut: "The source of the image did not respond in time."
    case .tooLarge: "The image is too large."
    case .notAnImage: "The source is not a readable image."
    case .wrongHash(let algorithm): "The source does not have the \(algorithm) that the URL states."
    case .cannotWrite(let format): "Images cannot be encoded as \(format)."
    case .overloaded: "The server is overloaded. Try again later."
    case .shuttingDown: "The server is shutting down. Try again."
    case .deadlineExceeded: "The image was not rendered in time."
    case .cancelled: "The request was canceled."
    case .purgeNotShared: "The image was purged only on this server, as the shared store does not respond. Try again."
    case .failed: "An internal error occurred."
    }
  }
}

extension ServingError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .sourceNotAllowed(let reason), .sourceNotFound(let reason), .sourceFailed(let reason),
      .sourceTimedOut(let reason), .tooLarge(let reason), .notAnImage(let reason), .failed(let reason):
      "\(publicMessage) \(Self.sentence(reason))"
    default: publicMessage
    }
  }

  /// Makes a sentence of a phrase, such as the description of a `CodecError`. A text with a period at its end is already
  /// one. A host, a path or an identifier at the beginning is not changed.
  private static func sentence(_ reason: String) -> String {
    guard let last = reason.last, !".!?".contains(last) else { return reason }
    let word = reason.prefix { $0 != " " }
    let isPlain = word.endIndex < reason.endIndex && word.allSatisfy { $0.isASCII && $0.isLowercase }
    return (isPlain ? word.prefix(1).uppercased() + reason.dropFirst() : reason) + "."
  }
}

extension ServingError {
  /// The error of a source, converted to that of a watermark. Its description names the watermark.
  var ofWatermark: ServingError {
    func named(_ reason: String) -> String { "Watermark: \(reason)" }
    return switch self {
    case .sourceNotAllowed(let reason): .sourceNotAllowed(named(reason))
    case .sourceNotFound(let reason): .sourceNotFound(named(reason))
    case .sourceFailed(let reason): .sourceFailed(named(reason))
    case .sourceTimedOut(let reason): .sourceTimedOut(named(reason))
    case .tooLarge(let reason): .tooLarge(named(reason))
    case .notAnImage(let reason): .notAnImage(named(reason))
    default: self
    }
  }
}
