public import Foundation
import NukeBase

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
    /// A processor failed with `error`, on the image in `context`. `CodecError`, `ImageProcessingError` and errors of a
    /// custom processor are possible.
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

  /// A Boolean value that indicates whether the load was canceled.
  public var isCancelled: Bool {
    if case .cancelled = self { true } else { false }
  }
}

extension ImagePipeline.Error: CustomStringConvertible, LocalizedError {
  /// What happened: the stage that failed, the decoder or processor, the underlying error, and the image if the error
  /// contains it. ``description(for:)`` always names the image.
  public var description: String { text(nil) }

  /// The ``description``.
  public var errorDescription: String? { description }

  /// Returns the ``description`` with the name of the image of `request`. A URL is named without its user name, password,
  /// query and fragment.
  ///
  /// Several cases have no place for the image, such as the one for a response that is not accepted. Use this method
  /// if many images are loaded:
  ///
  /// ```swift
  /// for request in requests {
  ///   do throws(ImagePipeline.Error) {
  ///     show(try await pipeline.image(for: request))
  ///   } catch {
  ///     print(error.description(for: request))
  ///   }
  /// }
  /// ```
  public func description(for request: ImageRequest) -> String { text(request.publicName) }

  /// - Parameter name: the name of the image for the cases that do not contain it, if it is known.
  private func text(_ name: String?) -> String {
    switch self {
    case .dataMissingInCache:
      "The image\(name.after(" ")) is not in the caches, and the request does not allow loading it."
    case .dataLoadingFailed(let error):
      "Failed to load image data\((name ?? Self.source(of: error)).after(" from ")). \(Self.underlying(error))"
    case .dataIsEmpty:
      "The data loader returned no data\(name.after(" for ")): the source is empty."
    case .decoderNotRegistered(let context):
      "No decoders are registered for the data of \(context.request.publicName)."
    case .decodingFailed(let decoder, let context, let error):
      "Failed to decode \(context.request.publicName) with the decoder \(type(of: decoder)). \(Self.underlying(error))"
    case .processingFailed(let processor, let context, let error):
      "Failed to process \(context.request.publicName) with the processor \(processor.identifier). "
        + Self.underlying(error)
    case .imageRequestMissing:
      "There is no image request to load."
    case .pipelineInvalidated:
      "The image pipeline has been invalidated and \(name.map { "does not load \($0)" } ?? "loads no more images")."
    case .dataDownloadExceededMaximumSize:
      "The image data\(name.after(" of ")) exceeded the maximum response data size."
    case .cancelled:
      "The image task\(name.after(" for ")) was canceled."
    }
  }

  /// The URL that failed, without secrets, if the error contains it.
  private static func source(of error: any Swift.Error) -> String? {
    (error as? URLError)?.failingURL?.absoluteString.withoutSecrets
  }

  private static func underlying(_ error: any Swift.Error) -> String {
    let reason = error.reason
    return "Underlying error: \(reason)\(reason.hasSuffix(".") ? "" : ".")"
  }
}

extension String? {
  /// The text after `word`; empty if there is none.
  fileprivate func after(_ word: String) -> String { map { word + $0 } ?? "" }
}
