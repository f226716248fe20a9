import NukeHTTPCaching

/// A failure that a node shares with the others: its kind, and the time until which it applies. It says nothing about the
/// source, its host, or its response.
struct SharedFailure: Equatable, Sendable {
  enum Kind: Int, Sendable, CaseIterable {
    case notFound = 1
    case failed, timedOut, notAnImage, tooLarge, wrongHash

    /// `true` if a stale file may be sent while the source fails.
    var isTemporary: Bool { self == .failed || self == .timedOut }
  }

  let kind: Kind
  let until: Timestamp
}

extension SharedFailure.Kind {
  /// Returns `nil` for errors that are not those of a source.
  init?(_ error: ServingError) {
    switch error {
    case .sourceNotFound: self = .notFound
    case .sourceFailed: self = .failed
    case .sourceTimedOut: self = .timedOut
    case .notAnImage: self = .notAnImage
    case .tooLarge: self = .tooLarge
    case .wrongHash: self = .wrongHash
    case .unknownPath, .methodNotAllowed, .malformedURL, .invalidOption, .wrongSignature, .wrongToken, .expired,
      .sourceNotAllowed, .cannotWrite, .overloaded, .shuttingDown, .deadlineExceeded, .cancelled, .purgeNotShared,
      .failed:
      return nil
    }
  }

  /// The error on the nodes that learn of it.
  var error: ServingError {
    let reason = "Another node has just found this."
    return switch self {
    case .notFound: .sourceNotFound(reason)
    case .failed: .sourceFailed(reason)
    case .timedOut: .sourceTimedOut(reason)
    case .notAnImage: .notAnImage(reason)
    case .tooLarge: .tooLarge(reason)
    case .wrongHash: .wrongHash("hash")
    }
  }
}
