public import Foundation
public import FoundationNetworking

extension ImagePipeline {
  /// Decides for single requests what the configuration decides for all, and is told what happens to tasks.
  ///
  /// Every method has a default, which does what the configuration says. The methods are called from the pipeline's
  /// threads, several at a time, and never while a lock is held. The pipeline keeps its delegate.
  public protocol Delegate: AnyObject, Sendable {
    // MARK: What the pipeline is made of

    /// The decoder of some data; `nil` if there is none.
    func imageDecoder(for context: ImageDecodingContext, pipeline: ImagePipeline) -> (any ImageDecoding)?
    /// The encoder of an image that is to be stored on disk.
    func imageEncoder(for context: ImageEncodingContext, pipeline: ImagePipeline) -> any ImageEncoding
    /// Returns the policy for previews while the data of an image arrives. Called when data arrives, until a decoder
    /// has been chosen.
    func previewPolicy(for context: ImageDecodingContext, pipeline: ImagePipeline) -> PreviewPolicy
    /// Downloads the data of a request.
    func dataLoader(for request: ImageRequest, pipeline: ImagePipeline) -> any DataLoading
    /// The memory cache of a request; `nil` for none.
    func imageCache(for request: ImageRequest, pipeline: ImagePipeline) -> (any ImageCaching)?
    /// The disk cache of a request; `nil` for none.
    func dataCache(for request: ImageRequest, pipeline: ImagePipeline) -> (any DataCaching)?
    /// The name of a request's image in memory and on disk; `nil` for the one made of its URL and processors.
    func cacheKey(for request: ImageRequest, pipeline: ImagePipeline) -> String?

    // MARK: On the way

    /// The request that is sent in place of `urlRequest`, which may be one that has waited for a token. Not called for
    /// closures and local files, nor where nothing is sent: offline, and with
    /// ``ImageRequest/Options-swift.struct/returnCacheDataDontLoad``. An ``HTTPCache`` is then asked for `urlRequest`
    /// as it is, and does not find what it keeps under another URL, or for a field that `Vary` names and that is added
    /// here.
    ///
    /// - Throws: an error with which the load fails.
    @ImagePipelineActor
    func willLoadData(
      for request: ImageRequest, urlRequest: URLRequest, pipeline: ImagePipeline
    ) async throws -> URLRequest

    /// Called before data is stored on disk: `completion` takes the data to be stored, `nil` to store nothing. `image`
    /// is the image that was encoded; `nil` for the data of an original.
    func willCache(
      data: Data, image: ImageContainer?, for request: ImageRequest, pipeline: ImagePipeline,
      completion: @escaping @Sendable (Data?) -> Void)

    /// Returns `true` if ``decompress(response:request:pipeline:)`` is called for an image.
    func shouldDecompress(response: ImageResponse, for request: ImageRequest, pipeline: ImagePipeline) -> Bool
    /// The last step of a decoded image. Images are decompressed already, so the default gives it back as it is.
    func decompress(response: ImageResponse, request: ImageRequest, pipeline: ImagePipeline) -> ImageResponse

    // MARK: Tasks

    /// The task has been made and has not started.
    func imageTaskCreated(_ task: ImageTask, pipeline: ImagePipeline)
    /// The task has started.
    func imageTaskDidStart(_ task: ImageTask, pipeline: ImagePipeline)
    /// Something happened to the task; in order, and nothing comes behind the end.
    func imageTask(_ task: ImageTask, didReceiveEvent event: ImageTask.Event, pipeline: ImagePipeline)
  }
}

extension ImagePipeline.Delegate {
  public func imageDecoder(for context: ImageDecodingContext, pipeline: ImagePipeline) -> (any ImageDecoding)? {
    pipeline.configuration.makeImageDecoder(context)
  }

  public func imageEncoder(for context: ImageEncodingContext, pipeline: ImagePipeline) -> any ImageEncoding {
    pipeline.configuration.makeImageEncoder(context)
  }

  public func previewPolicy(
    for context: ImageDecodingContext, pipeline: ImagePipeline
  ) -> ImagePipeline.PreviewPolicy { .default(for: context.data) }

  public func dataLoader(for request: ImageRequest, pipeline: ImagePipeline) -> any DataLoading {
    pipeline.configuration.dataLoader
  }

  public func imageCache(for request: ImageRequest, pipeline: ImagePipeline) -> (any ImageCaching)? {
    pipeline.configuration.imageCache
  }

  public func dataCache(for request: ImageRequest, pipeline: ImagePipeline) -> (any DataCaching)? {
    pipeline.configuration.dataCache
  }

  public func cacheKey(for request: ImageRequest, pipeline: ImagePipeline) -> String? { nil }

  @ImagePipelineActor
  public func willLoadData(
    for request: ImageRequest, urlRequest: URLRequest, pipeline: ImagePipeline
  ) async throws -> URLRequest { urlRequest }

  public func willCache(
    data: Data, image: ImageContainer?, for request: ImageRequest, pipeline: ImagePipeline,
    completion: @escaping @Sendable (Data?) -> Void
  ) { completion(data) }

  public func shouldDecompress(
    response: ImageResponse, for request: ImageRequest, pipeline: ImagePipeline
  ) -> Bool { pipeline.configuration.isDecompressionEnabled && !request.options.contains(.skipDecompression) }

  public func decompress(
    response: ImageResponse, request: ImageRequest, pipeline: ImagePipeline
  ) -> ImageResponse { response }

  public func imageTaskCreated(_ task: ImageTask, pipeline: ImagePipeline) {}
  public func imageTaskDidStart(_ task: ImageTask, pipeline: ImagePipeline) {}
  public func imageTask(_ task: ImageTask, didReceiveEvent event: ImageTask.Event, pipeline: ImagePipeline) {}
}

/// A global actor for code that shares state with delegates. The engine itself does not run on it.
@globalActor public actor ImagePipelineActor {
  public static let shared = ImagePipelineActor()
}
