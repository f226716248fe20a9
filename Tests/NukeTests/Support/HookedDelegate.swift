import Foundation
import FoundationNetworking
import Nuke

/// A delegate that does what closures say, and for what none was given, what the configuration says.
final class HookedDelegate: ImagePipeline.Delegate {
  struct Hooks: Sendable {
    var decoder: (@Sendable (ImageDecodingContext) -> (any ImageDecoding)?)?
    var encoder: (@Sendable (ImageEncodingContext) -> any ImageEncoding)?
    var previewPolicy: (@Sendable (ImageDecodingContext) -> ImagePipeline.PreviewPolicy)?
    var loader: (@Sendable (ImageRequest) -> any DataLoading)?
    var imageCache: (@Sendable (ImageRequest) -> (any ImageCaching)?)?
    var dataCache: (@Sendable (ImageRequest) -> (any DataCaching)?)?
    var cacheKey: (@Sendable (ImageRequest) -> String?)?
    var willLoad: (@Sendable (ImageRequest, URLRequest) async throws -> URLRequest)?
    var willCache: (@Sendable (Data, ImageContainer?, ImageRequest) -> Data?)?
    var shouldDecompress: (@Sendable (ImageResponse, ImageRequest) -> Bool)?
    var decompress: (@Sendable (ImageResponse) -> ImageResponse)?
    var created: (@Sendable (ImageTask) -> Void)?
    var started: (@Sendable (ImageTask) -> Void)?
    var event: (@Sendable (ImageTask, ImageTask.Event) -> Void)?
  }

  private let hooks: Hooks

  init(_ configure: (inout Hooks) -> Void) {
    var hooks = Hooks()
    configure(&hooks)
    self.hooks = hooks
  }

  /// A delegate that gives every request a header field.
  convenience init(setting value: String, for field: String) {
    self.init {
      $0.willLoad = { _, request in
        var request = request
        request.setValue(value, forHTTPHeaderField: field)
        return request
      }
    }
  }

  func imageDecoder(for context: ImageDecodingContext, pipeline: ImagePipeline) -> (any ImageDecoding)? {
    guard let decoder = hooks.decoder else { return pipeline.configuration.makeImageDecoder(context) }
    return decoder(context)
  }

  func imageEncoder(for context: ImageEncodingContext, pipeline: ImagePipeline) -> any ImageEncoding {
    hooks.encoder?(context) ?? pipeline.configuration.makeImageEncoder(context)
  }

  func previewPolicy(
    for context: ImageDecodingContext, pipeline: ImagePipeline
  ) -> ImagePipeline.PreviewPolicy { hooks.previewPolicy?(context) ?? .default(for: context.data) }

  func dataLoader(for request: ImageRequest, pipeline: ImagePipeline) -> any DataLoading {
    hooks.loader?(request) ?? pipeline.configuration.dataLoader
  }

  func imageCache(for request: ImageRequest, pipeline: ImagePipeline) -> (any ImageCaching)? {
    guard let imageCache = hooks.imageCache else { return pipeline.configuration.imageCache }
    return imageCache(request)
  }

  func dataCache(for request: ImageRequest, pipeline: ImagePipeline) -> (any DataCaching)? {
    guard let dataCache = hooks.dataCache else { return pipeline.configuration.dataCache }
    return dataCache(request)
  }

  func cacheKey(for request: ImageRequest, pipeline: ImagePipeline) -> String? { hooks.cacheKey?(request) }

  func willLoadData(
    for request: ImageRequest, urlRequest: URLRequest, pipeline: ImagePipeline
  ) async throws -> URLRequest { try await hooks.willLoad?(request, urlRequest) ?? urlRequest }

  func willCache(
    data: Data, image: ImageContainer?, for request: ImageRequest, pipeline: ImagePipeline,
    completion: @escaping @Sendable (Data?) -> Void
  ) {
    guard let willCache = hooks.willCache else { return completion(data) }
    completion(willCache(data, image, request))
  }

  func shouldDecompress(response: ImageResponse, for request: ImageRequest, pipeline: ImagePipeline) -> Bool {
    hooks.shouldDecompress?(response, request)
      ?? (pipeline.configuration.isDecompressionEnabled && !request.options.contains(.skipDecompression))
  }

  func decompress(response: ImageResponse, request: ImageRequest, pipeline: ImagePipeline) -> ImageResponse {
    hooks.decompress?(response) ?? response
  }

  func imageTaskCreated(_ task: ImageTask, pipeline: ImagePipeline) { hooks.created?(task) }
  func imageTaskDidStart(_ task: ImageTask, pipeline: ImagePipeline) { hooks.started?(task) }
  func imageTask(_ task: ImageTask, didReceiveEvent event: ImageTask.Event, pipeline: ImagePipeline) {
    hooks.event?(task, event)
  }
}

/// A delegate that leaves everything to the defaults.
final class PlainDelegate: ImagePipeline.Delegate {}
