package import Nuke

extension ServingError {
  /// Why a source could not be loaded.
  package init(loading error: ImagePipeline.Error) {
    switch error {
    case .dataLoadingFailed(let error): self.init(loadingFailed: error)
    case .dataIsEmpty: self = .notAPicture("The source is empty.")
    case .dataDownloadExceededMaximumSize: self = .tooLarge("The source has more bytes than are loaded.")
    case .cancelled: self = .cancelled
    case .pipelineInvalidated: self = .shuttingDown(retryAfter: 1)
    case .dataMissingInCache: self = .sourceFailed("Nothing may be loaded, and it is not stored.")
    case .decoderNotRegistered, .decodingFailed, .processingFailed, .imageRequestMissing: self = .failed("\(error)")
    }
  }

  private init(loadingFailed error: any Error) {
    if let error = error as? ServingError {
      self = error
    } else if let error = error as? DataLoader.Error {
      self.init(loadingFailed: error)
    } else if error is CancellationError {
      self = .cancelled
    } else {
      self = .sourceFailed("\(error)")
    }
  }

  private init(loadingFailed error: DataLoader.Error) {
    switch error {
    case .statusCodeUnacceptable(404), .statusCodeUnacceptable(410), .fileNotFound, .isDirectory:
      self = .sourceNotFound("\(error)")
    case .timedOut, .statusCodeUnacceptable(504): self = .sourceTimedOut("\(error)")
    case .unsupportedScheme, .malformedURL, .malformedRequest, .malformedDataURL, .insecureRedirect:
      self = .sourceNotAllowed("\(error)")
    case .bodyTooLarge: self = .tooLarge("\(error)")
    case .cancelled: self = .cancelled
    case .statusCodeUnacceptable, .cannotResolveHost, .cannotConnect, .connectionLost, .tooManyRedirects, .tlsFailed,
      .fileNotReadable, .protocolError:
      self = .sourceFailed("\(error)")
    }
  }
}
