public import Foundation
public import FoundationNetworking

/// Makes a picture of encoded data. One decoder is made for each picture.
public protocol ImageDecoding: Sendable {
  /// Whether decoding takes long enough to wait for the decoding queue. True unless a decoder says otherwise; one that
  /// says false is run at once, though never on the thread that asked for the picture.
  var isAsynchronous: Bool { get }

  /// The picture of complete data.
  ///
  /// - Throws: whatever says best what is wrong with the data; the pipeline fails with
  ///   ``ImagePipeline/Error/decodingFailed(decoder:context:error:)``.
  func decode(_ data: Data) throws -> ImageContainer
}

extension ImageDecoding {
  public var isAsynchronous: Bool { true }
}

/// What a decoder is chosen by.
public struct ImageDecodingContext: Sendable {
  public var request: ImageRequest
  /// The encoded data.
  public var data: Data
  /// The server's answer, if it was one.
  public var urlResponse: URLResponse?
  /// The cache the data came from, if any.
  public var cacheType: ImageResponse.CacheType?

  public init(
    request: ImageRequest, data: Data, urlResponse: URLResponse? = nil,
    cacheType: ImageResponse.CacheType? = nil
  ) {
    self.request = request
    self.data = data
    self.urlResponse = urlResponse
    self.cacheType = cacheType
  }
}
