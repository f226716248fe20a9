import Foundation

extension ImagePipeline {
  /// Why an image could not be loaded.
  public enum Error: Swift.Error, Sendable {
    /// The request allows caches only, and they do not have it.
    case dataMissingInCache
    /// The data could not be loaded. With ``DataLoader`` the error is a `URLError`, or ``DataLoader/Error`` for a
    /// response that is not accepted; other loaders have errors of their own. A request whose URL is `nil` fails with
    /// `URLError(.badURL)`.
    case dataLoadingFailed(error: any Swift.Error)
    /// The source answered with no bytes.
    case dataIsEmpty
    /// No decoder took the data.
    case decoderNotRegistered(context: ImageDecodingContext)
    /// The data is damaged, of an unknown format, or past a limit; the decoder's error says which, such as
    /// `CodecError`.
    case decodingFailed(decoder: any ImageDecoding, context: ImageDecodingContext, error: any Swift.Error)
    /// A processor failed.
    case processingFailed(processor: any ImageProcessing, context: ImageProcessingContext, error: any Swift.Error)
    /// There is no request.
    case imageRequestMissing
    /// The pipeline has been invalidated.
    case pipelineInvalidated
    /// The answer is larger than ``Configuration/maximumResponseDataSize``.
    case dataDownloadExceededMaximumSize
    /// The task was canceled.
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
  /// One sentence: the stage that failed, the image, the decoder or processor, and the underlying error.
  public var description: String {
    switch self {
    case .dataMissingInCache:
      "The image is not in the caches, and the request does not allow loading it."
    case .dataLoadingFailed(let error):
      "Failed to load the image data\(Self.source(of: error)): \(Self.clause(error))."
    case .dataIsEmpty:
      "The data loader returned no data: the source is empty."
    case .decoderNotRegistered(let context):
      "No decoder is registered for the data of \(context.request.publicName)."
    case .decodingFailed(let decoder, let context, let error):
      "Failed to decode \(context.request.publicName) with the decoder \(type(of: decoder)): \(Self.clause(error))."
    case .processingFailed(let processor, let context, let error):
      "Failed to process \(context.request.publicName) with the processor \(processor.identifier): \(Self.clause(error))."
    case .imageRequestMissing:
      "There is no image request to load."
    case .pipelineInvalidated:
      "The image pipeline has been invalidated and loads no more images."
    case .dataDownloadExceededMaximumSize:
      "The image data is larger than the maximum response data size."
    case .cancelled:
      "The image task was canceled."
    }
  }

  /// The URL that failed, where the error says it.
  private static func source(of error: any Swift.Error) -> String {
    (error as? URLError)?.failingURL.map { " from \($0.absoluteString)" } ?? ""
  }

  /// The underlying error without the full stop of its sentence.
  private static func clause(_ error: any Swift.Error) -> String {
    let reason = error.reason
    return reason.hasSuffix(".") ? String(reason.dropLast()) : reason
  }
}
