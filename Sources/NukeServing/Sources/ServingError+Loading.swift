import Nuke
import NukeCodecs
import NukeImaging

extension ServingError {
  /// Creates an error from an error of a pipeline, a data loader, or an image reader.
  ///
  /// The text is that of the original error and is meant for the operator.
  public init(loading error: any Error) {
    switch error {
    case let error as ServingError: self = error
    case let error as ImagePipeline.Error: self.init(error)
    case let error as DataLoader.Error: self.init(error)
    case let error as CodecError: self.init(error)
    case PlaceholderError.outOfMemory: self = .overloaded(retryAfter: 1)
    case is CancellationError: self = .cancelled
    default:
      guard let detail = error.transferError else {
        self = .failed("\(error)")
        return
      }
      self.init(detail)
    }
  }

  private init(_ error: ImagePipeline.Error) {
    switch error {
    case .decodingFailed(_, _, let error), .processingFailed(_, _, let error): self.init(loading: error)
    case .dataLoadingFailed(let error):
      self.init(loading: error)
      // A custom loader throws its own errors.
      if case .failed(let reason) = self { self = .sourceFailed(reason) }
    case .dataMissingInCache: self = .sourceNotFound("\(error)")
    case .dataIsEmpty, .decoderNotRegistered: self = .notAnImage("\(error)")
    case .imageRequestMissing: self = .failed("\(error)")
    case .pipelineInvalidated: self = .shuttingDown(retryAfter: 1)
    case .dataDownloadExceededMaximumSize: self = .tooLarge("\(error)")
    case .cancelled: self = .cancelled
    }
  }

  private init(_ error: DataLoader.Error) {
    switch error {
    case .statusCodeUnacceptable(404), .statusCodeUnacceptable(410): self = .sourceNotFound("\(error)")
    case .statusCodeUnacceptable(408), .statusCodeUnacceptable(504): self = .sourceTimedOut("\(error)")
    case .statusCodeUnacceptable: self = .sourceFailed("\(error)")
    }
  }

  private init(_ error: DataLoader.TransferError) {
    switch error {
    case .fileNotFound, .isDirectory, .fileNotReadable(_, OpenFile.isLinkOutside),
      .fileNotReadable(_, OpenFile.hasTooManyLinks), .fileNotReadable(_, OpenFile.isNotRegular):
      self = .sourceNotFound("\(error)")
    case .timedOut: self = .sourceTimedOut("\(error)")
    case .bodyTooLarge: self = .tooLarge("\(error)")
    case .contentNotDecodable: self = .notAnImage("\(error)")
    case .addressNotAllowed, .hostNotAllowed: self = .sourceNotAllowed("\(error)")
    case .unsupportedScheme: self = .sourceNotAllowed("\(error)")
    case .malformedURL, .malformedRequest, .malformedDataURL:
      self = .malformedURL("the source cannot be requested")
    case .cancelled: self = .cancelled
    // The host is unknown, the connection failed, or the response is invalid.
    default: self = .sourceFailed("\(error)")
    }
  }

  /// Creates an error from a failure to read or write an image.
  init(_ error: CodecError) {
    let reason = "\(error)"
    self =
      switch error {
      case .unrecognizedFormat, .notBuilt(_, .reading), .unsupported, .malformed, .truncated: .notAnImage(reason)
      case .missingLibrary: .failed(reason)
      case .notBuilt(let format, .writing): .cannotWrite(format.displayName)
      case .tooLarge, .tooManyFrames, .tooComplex: .tooLarge(reason)
      case .outOfMemory: .overloaded(retryAfter: 1)
      case .encodingFailed: .failed(reason)
      case .cancelled: .cancelled
      }
  }
}

extension ImagePipeline.Error {
  /// `true` if the source or its server caused the error, so that other machines would get it too. Failures to connect,
  /// files of this machine, and its memory do not count.
  var isOfSource: Bool {
    switch self {
    case .dataIsEmpty, .dataDownloadExceededMaximumSize: return true
    case .dataLoadingFailed(let error):
      if error is DataLoader.Error { return true }
      switch error.transferError {
      case .timedOut(let phase, _, _)?: return phase != .connect
      case .tooManyRedirects?, .insecureRedirect?, .bodyTooLarge?, .protocolError?, .contentNotDecodable?: return true
      default: return false
      }
    default: return false
    }
  }
}
