public import Foundation
public import FoundationNetworking

extension ImageRequest {
  /// Creates a request for a thumbnail of the image at an http, https, ftp, file or data URL.
  ///
  /// ```swift
  /// let request = ImageRequest(url: url, processors: [.circle()], thumbnail: .init(maxPixelSize: 400))
  /// ```
  ///
  /// A `nil` URL fails with ``ImagePipeline/Error/dataLoadingFailed(error:)`` and `URLError.badURL`.
  ///
  /// - Parameters:
  ///   - url: the URL of the image.
  ///   - processors: the processors to apply to the thumbnail, in order.
  ///   - thumbnail: the size of the thumbnail, which is made while decoding; `nil` for the whole image. See
  ///     ``thumbnail``.
  ///   - priority: the priority of the request.
  ///   - options: the caches to use, and other options.
  public init(
    url: URL?, processors: [any ImageProcessing] = [], thumbnail: ThumbnailOptions?, priority: Priority = .normal,
    options: Options = []
  ) {
    self.init(url: url, processors: processors, priority: priority, options: options)
    setThumbnail(thumbnail)
  }

  /// Creates a request for a thumbnail that sends `urlRequest` with its method, header fields, body and time limit.
  public init(
    urlRequest: URLRequest, processors: [any ImageProcessing] = [], thumbnail: ThumbnailOptions?,
    priority: Priority = .normal, options: Options = []
  ) {
    self.init(urlRequest: urlRequest, processors: processors, priority: priority, options: options)
    setThumbnail(thumbnail)
  }

  /// Creates a request for a thumbnail of an image whose encoded bytes `data` returns. `id` identifies the original in
  /// caches and for coalescing.
  public init(
    id: String, data: @escaping @Sendable () async throws -> Data, processors: [any ImageProcessing] = [],
    thumbnail: ThumbnailOptions?, priority: Priority = .normal, options: Options = []
  ) {
    self.init(id: id, data: data, processors: processors, priority: priority, options: options)
    setThumbnail(thumbnail)
  }

  /// Sets the thumbnail of a new request. Requests without one need no memory for it.
  private mutating func setThumbnail(_ thumbnail: ThumbnailOptions?) {
    if let thumbnail { self.thumbnail = thumbnail }
  }
}
