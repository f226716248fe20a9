import Foundation

extension ImagePipeline {
  /// The error of a load that failed.
  // Every job has room for an error. Large cases are indirect, so that jobs stay small: thousands wait at a time, and
  // their memory is not in the processor's cache when they continue.
  public enum Error: Swift.Error, Sendable {
    /// The request is cache-only, and the caches do not have the image.
    case dataMissingInCache
    /// The data could not be loaded. With ``DataLoader`` the error is a `URLError`, or ``DataLoader/Error`` for a
    /// response that is not accepted; other loaders have their own errors. A request whose URL is `nil` fails with
    /// `URLError(.badURL)`.
    case dataLoadingFailed(error: any Swift.Error)
    /// The source has returned no bytes.
    case dataIsEmpty
    /// There is no decoder for the data.
    indirect case decoderNotRegistered(context: ImageDecodingContext)
    /// The data is damaged, has an unknown format, or exceeds a limit. The decoder's error, such as `CodecError`, has
    /// the details.
    indirect case decodingFailed(decoder: any ImageDecoding, context: ImageDecodingContext, error: any Swift.Error)
    /// A processor failed.
    indirect case processingFailed(
      processor: any ImageProcessing, context: ImageProcessingContext, error: any Swift.Error)
    /// There is no request.
    case imageRequestMissing
    /// The pipeline has been invalidated.
    case pipelineInvalidated
    /// The response exceeds ``Configuration/maximumResponseDataSize``.
    case dataDownloadExceededMaximumSize
    /// The task was canceled.
    case cancelled
  }
}

extension ImagePipeline.Error {
  /// The error of the loader; `nil` if another stage has failed.
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

  /// The URL that failed, without secrets, if the error contains it.
  private static func source(of error: any Swift.Error) -> String {
    (error as? URLError)?.failingURL.map { " from \($0.absoluteString.withoutSecrets)" } ?? ""
  }

  /// Returns the underlying error without the period at its end.
  private static func clause(_ error: any Swift.Error) -> String {
    let reason = error.reason
    return reason.hasSuffix(".") ? String(reason.dropLast()) : reason
  }
}
