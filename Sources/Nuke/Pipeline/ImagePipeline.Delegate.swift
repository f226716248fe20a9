public import Foundation
public import FoundationNetworking
import NukeHTTP
import NukeStore

extension ImagePipeline {
  /// Customizes single requests, and receives the events of tasks.
  ///
  /// Every method has a default implementation that follows the configuration. The pipeline retains its delegate.
  ///
  /// The pipeline calls the methods on its threads, concurrently, and never with a lock held. It calls the following
  /// methods on the thread that starts a load: ``imageTaskCreated(_:pipeline:)``, ``imageTaskDidStart(_:pipeline:)``,
  /// and those that return a loader, a cache and a key. If the load ends there, for example with a memory hit, its
  /// events are reported on that thread as well. A cancellation is reported on the thread that cancels.
  public protocol Delegate: AnyObject, Sendable {
    // MARK: Dependencies

    /// Returns the decoder for some data; `nil` if there is none.
    func imageDecoder(for context: ImageDecodingContext, pipeline: ImagePipeline) -> (any ImageDecoding)?
    /// Returns the encoder for an image that will be stored on disk.
    func imageEncoder(for context: ImageEncodingContext, pipeline: ImagePipeline) -> any ImageEncoding
    /// Returns the policy for previews while the data of an image arrives. Called when data arrives, until a decoder
    /// has been chosen.
    func previewPolicy(for context: ImageDecodingContext, pipeline: ImagePipeline) -> PreviewPolicy
    /// Returns the loader that downloads the data of a request.
    func dataLoader(for request: ImageRequest, pipeline: ImagePipeline) -> any DataLoading
    /// Returns the memory cache for a request; `nil` for none.
    func imageCache(for request: ImageRequest, pipeline: ImagePipeline) -> (any ImageCaching)?
    /// Returns the disk cache for a request; `nil` for none.
    func dataCache(for request: ImageRequest, pipeline: ImagePipeline) -> (any DataCaching)?
    /// Returns the cache key of a request; `nil` for the default key, which contains its URL and processors.
    func cacheKey(for request: ImageRequest, pipeline: ImagePipeline) -> String?

    // MARK: Stages

    /// Returns the request to send instead of `urlRequest`, for example with an access token.
    ///
    /// This method is not called for closures and local files, while the pipeline is offline, and with
    /// ``ImageRequest/Options-swift.struct/returnCacheDataDontLoad``. In these cases, an ``HTTPCache`` looks up
    /// `urlRequest` itself. It does not find responses to a changed URL, or responses that vary by a field that is
    /// added here.
    ///
    /// - Throws: an error with which the load fails.
    @ImagePipelineActor
    func willLoadData(
      for request: ImageRequest, urlRequest: URLRequest, pipeline: ImagePipeline
    ) async throws -> URLRequest

    /// Called before data is stored on disk. Pass the data to store to `completion`, on any thread, or `nil` to store
    /// nothing. `image` is the encoded image; `nil` for original data.
    func willCache(
      data: Data, image: ImageContainer?, for request: ImageRequest, pipeline: ImagePipeline,
      completion: @escaping @Sendable (Data?) -> Void)

    /// Returns `true` if ``decompress(response:request:pipeline:)`` is called for an image.
    func shouldDecompress(response: ImageResponse, for request: ImageRequest, pipeline: ImagePipeline) -> Bool
    /// Performs the last step of a load. Images are decompressed already, so the default returns the response
    /// unchanged.
    func decompress(response: ImageResponse, request: ImageRequest, pipeline: ImagePipeline) -> ImageResponse

    // MARK: Tasks

    /// Called when a task has been created, before it starts.
    func imageTaskCreated(_ task: ImageTask, pipeline: ImagePipeline)
    /// Called when a task has started.
    func imageTaskDidStart(_ task: ImageTask, pipeline: ImagePipeline)
    /// Called with each event of a task, in order. The result is the last event.
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
  ) -> Bool { pipeline.configuration.isDecompressionEnabled }

  public func decompress(
    response: ImageResponse, request: ImageRequest, pipeline: ImagePipeline
  ) -> ImageResponse { response }

  public func imageTaskCreated(_ task: ImageTask, pipeline: ImagePipeline) {}
  public func imageTaskDidStart(_ task: ImageTask, pipeline: ImagePipeline) {}
  public func imageTask(_ task: ImageTask, didReceiveEvent event: ImageTask.Event, pipeline: ImagePipeline) {}
}

/// A global actor for code that shares state with delegates. The pipeline itself does not run on it; see
/// ``ImagePipeline/Configuration-swift.struct/startsTasksOnPipelineActor`` for the only exception.
@globalActor public actor ImagePipelineActor {
  public static let shared = ImagePipelineActor()
}
