import Nuke
import NukeCodecs
import NukeImaging

extension ServingError {
  /// Why a picture could not be read or written.
  init(_ error: CodecError) {
    let reason = "\(error)"
    self =
      switch error {
      case .unrecognizedFormat, .notBuilt(_, .reading), .unsupported, .malformed, .truncated: .notAPicture(reason)
      case .notBuilt(let format, .writing): .cannotWrite(format.displayName)
      case .tooLarge, .tooManyFrames: .tooLarge(reason)
      case .outOfMemory: .overloaded(retryAfter: 1)
      case .encodingFailed: .failed(reason)
      case .cancelled: .cancelled
      }
  }

  /// Why a step failed, whoever says so.
  init(_ error: any Error) {
    if let error = error as? ServingError {
      self = error
    } else if let error = error as? CodecError {
      self.init(error)
    } else if let error = error as? ImagePipeline.Error {
      self.init(error)
    } else if let error = error as? PlaceholderError {
      self = error == .outOfMemory ? .overloaded(retryAfter: 1) : .failed("\(error)")
    } else if error is CancellationError {
      self = .cancelled
    } else {
      self = .failed("\(error)")
    }
  }

  private init(_ error: ImagePipeline.Error) {
    switch error {
    case .decodingFailed(_, _, let error): self.init(error)
    case .processingFailed(_, _, let error): self.init(error)
    case .dataLoadingFailed(let error): self.init(error)
    case .dataIsEmpty, .decoderNotRegistered: self = .notAPicture("\(error)")
    case .dataDownloadExceededMaximumSize: self = .tooLarge("\(error)")
    case .pipelineInvalidated: self = .shuttingDown(retryAfter: 1)
    case .cancelled: self = .cancelled
    case .dataMissingInCache, .imageRequestMissing: self = .failed("\(error)")
    }
  }
}
