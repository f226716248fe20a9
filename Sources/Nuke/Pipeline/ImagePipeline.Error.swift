extension ImagePipeline {
  /// Why a picture could not be loaded.
  public enum Error: Swift.Error, Sendable {
    /// The request allows caches only, and they do not have it.
    case dataMissingInCache
    /// The data could not be loaded; the loader's own error says why, such as ``DataLoader/Error``.
    case dataLoadingFailed(error: any Swift.Error)
    /// The source answered with no bytes.
    case dataIsEmpty
    /// No decoder took the data.
    case decoderNotRegistered(context: ImageDecodingContext)
    /// The data is damaged, of an unknown format, or past a limit; the decoder's error says which, such as `CodecError`.
    case decodingFailed(decoder: any ImageDecoding, context: ImageDecodingContext, error: any Swift.Error)
    /// A processor failed.
    case processingFailed(processor: any ImageProcessing, context: ImageProcessingContext, error: any Swift.Error)
    /// The request has no URL.
    case imageRequestMissing
    /// The pipeline has been invalidated.
    case pipelineInvalidated
    /// The answer is larger than ``Configuration/maximumResponseDataSize``.
    case dataDownloadExceededMaximumSize
    /// The task was cancelled.
    case cancelled
  }
}

extension ImagePipeline.Error {
  /// The loader's error, where loading the data is what failed.
  public var dataLoadingError: (any Swift.Error)? {
    if case .dataLoadingFailed(let error) = self { error } else { nil }
  }
}

extension ImagePipeline.Error: CustomStringConvertible {
  /// One sentence for a person.
  public var description: String {
    switch self {
    case .dataMissingInCache: "not in the caches, and loading was not allowed"
    case .dataLoadingFailed(let error): "\(error)"
    case .dataIsEmpty: "the source is empty: it has no bytes"
    case .decoderNotRegistered: "no decoder is registered for this data"
    case .decodingFailed(_, _, let error): "\(error)"
    case .processingFailed(let processor, _, let error): "processing with \(processor.identifier) failed: \(error)"
    case .imageRequestMissing: "the request has no URL"
    case .pipelineInvalidated: "the pipeline has been invalidated"
    case .dataDownloadExceededMaximumSize: "the data is larger than the limit for one picture"
    case .cancelled: "cancelled"
    }
  }
}
