public import Foundation
public import FoundationNetworking

/// Decodes images. A decoder is created for each image.
public protocol ImageDecoding: Sendable {
  /// A Boolean value that indicates whether decoding waits for the decoding queue and runs on one of the pipeline's
  /// threads. The default is `true`.
  ///
  /// A decoder that returns `false` takes microseconds. It runs at once, perhaps on the thread of the Swift task that
  /// awaits the image.
  var isAsynchronous: Bool { get }

  /// Decodes complete data.
  ///
  /// - Throws: an error that describes the problem; the pipeline fails with
  ///   ``ImagePipeline/Error/decodingFailed(decoder:context:error:)``.
  func decode(_ data: Data) throws -> ImageContainer

  /// Returns a preview of incomplete data; `nil` if it would show no more than the previous preview. The pipeline calls
  /// the method again when more data has arrived, on the same decoder and with all data from the first byte. Calls do
  /// not overlap.
  func decodePartiallyDownloadedData(_ data: Data) -> ImageContainer?
}

extension ImageDecoding {
  public var isAsynchronous: Bool { true }
  public func decodePartiallyDownloadedData(_ data: Data) -> ImageContainer? { nil }
}

/// The information available for choosing a decoder.
public struct ImageDecodingContext: Sendable {
  /// The request of the load.
  public var request: ImageRequest
  /// The encoded data: all of it, or the bytes that have arrived.
  public var data: Data
  /// A Boolean value that indicates whether the data is complete.
  public var isCompleted: Bool
  /// The server's response; `nil` if the data is not from a server.
  public var urlResponse: URLResponse? {
    get { response?.value }
    set { response = newValue.map { LazyURLResponse($0) } }
  }
  /// The cache the data came from, if any.
  public var cacheType: ImageResponse.CacheType?
  /// The policy for previews while the data arrives.
  public var previewPolicy: ImagePipeline.PreviewPolicy

  private(set) var response: LazyURLResponse?

  /// Creates a context, for example for tests.
  public init(
    request: ImageRequest, data: Data, isCompleted: Bool = true, urlResponse: URLResponse? = nil,
    cacheType: ImageResponse.CacheType? = nil, previewPolicy: ImagePipeline.PreviewPolicy = .incremental
  ) {
    self.init(
      request: request, data: data, isCompleted: isCompleted, response: urlResponse.map { LazyURLResponse($0) },
      cacheType: cacheType, previewPolicy: previewPolicy)
  }

  init(
    request: ImageRequest, data: Data, isCompleted: Bool = true, response: LazyURLResponse?,
    cacheType: ImageResponse.CacheType? = nil, previewPolicy: ImagePipeline.PreviewPolicy = .incremental
  ) {
    self.request = request
    self.data = data
    self.isCompleted = isCompleted
    self.previewPolicy = previewPolicy
    self.response = response
    self.cacheType = cacheType
  }
}

/// A generic decoding error. The built-in decoders throw more specific errors.
public enum ImageDecodingError: Error, CustomStringConvertible, Sendable {
  /// The decoder could not decode the data.
  case unknown

  public var description: String { "the decoder could not decode the data" }
}
