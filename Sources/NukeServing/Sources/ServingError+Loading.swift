import Nuke
import NukeCodecs

extension ServingError {
  /// What an error of a pipeline, of a data loader, or of reading a picture means for whoever asked for the picture.
  ///
  /// Its text is the error's, for whoever runs the server.
  public init(loading error: any Error) {
    switch error {
    case let error as ServingError: self = error
    case let error as ImagePipeline.Error: self.init(error)
    case let error as DataLoader.Error: self.init(error)
    case let error as CodecError: self.init(error)
    case is CancellationError: self = .cancelled
    default: self = .failed("\(error)")
    }
  }

  private init(_ error: ImagePipeline.Error) {
    switch error {
    case .dataLoadingFailed(let error), .decodingFailed(_, _, let error): self.init(loading: error)
    case .dataMissingInCache: self = .sourceNotFound("\(error)")
    case .dataIsEmpty, .decoderNotRegistered: self = .notAPicture("\(error)")
    case .processingFailed(_, _, let cause):
      // A processor may be given up as anything else is.
      self = cause is CancellationError ? .cancelled : .failed("\(error)")
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
    case .fileNotFound, .isDirectory: self = .sourceNotFound("\(error)")
    case .timedOut: self = .sourceTimedOut("\(error)")
    case .bodyTooLarge: self = .tooLarge("\(error)")
    case .addressNotAllowed: self = .sourceNotAllowed("\(error)")
    case .unsupportedScheme: self = .sourceNotAllowed("\(error)")
    case .malformedURL, .malformedRequest, .malformedDataURL:
      self = .malformedURL("the source cannot be asked for")
    case .cancelled: self = .cancelled
    // No host, no connection, or an answer that helps nobody.
    default: self = .sourceFailed("\(error)")
    }
  }

  private init(_ error: CodecError) {
    switch error {
    case .tooLarge, .tooManyFrames, .outOfMemory: self = .tooLarge("\(error)")
    case .notBuilt(let format, .writing): self = .cannotWrite(format.rawValue)
    case .unrecognizedFormat, .notBuilt, .unsupported, .malformed, .truncated: self = .notAPicture("\(error)")
    case .encodingFailed: self = .failed("\(error)")
    case .cancelled: self = .cancelled
    }
  }
}
