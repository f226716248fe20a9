#if GTK
  import Foundation
  import Nuke
  import NukeTesting

  /// A pipeline whose loader gives images in one color.
  struct Loads {
    let loader: FakeDataLoader
    let pipeline: ImagePipeline

    init(
      loader: FakeDataLoader = FakeDataLoader(), delegate: (any ImagePipeline.Delegate)? = nil,
      _ configure: (inout ImagePipeline.Configuration) -> Void = { _ in }
    ) {
      self.loader = loader
      pipeline = ImagePipeline(configuration: .fake(loader: loader, configure), delegate: delegate)
    }

    var options: ImageLoadingOptions {
      var options = ImageLoadingOptions()
      options.pipeline = pipeline
      return options
    }

    /// Options for files, without the caches of other tests.
    static var files: ImageLoadingOptions {
      var loading = DataLoader.defaultConfiguration
      loading.urlCache = nil
      var options = ImageLoadingOptions()
      options.pipeline = ImagePipeline(configuration: .init(dataLoader: DataLoader(configuration: loading)))
      return options
    }

    static func url(_ name: String) -> URL {
      var url = URLComponents()
      url.scheme = "http"
      url.host = "pictures.test"
      url.path = "/" + name
      return url.url ?? URL(fileURLWithPath: name)
    }

    /// Answers requests for a name with an image.
    ///
    /// - Returns: its URL.
    @discardableResult
    func answer(_ name: String, with color: Color, width: Int = 20, height: Int = 20, heldBy gate: Gate? = nil) -> URL {
      let url = Self.url(name)
      var answer = FakeDataLoader.Answer.data(plain(color, width: width, height: height).pngData() ?? Data())
      if let gate { answer = answer.held(by: gate) }
      loader.answer(url, with: answer)
      return url
    }

    /// Loads with a red preview of whatever has come, and a green image at the end.
    static func withPreviews() -> Loads {
      Loads(delegate: PreviewsOfAll()) {
        $0.isProgressiveDecodingEnabled = true
        $0.progressiveDecodingInterval = 0
        $0.makeImageDecoder = { _ in PreviewDecoder() }
      }
    }

    /// Answers requests for a name with 200 bytes, of which the gate holds the second half.
    ///
    /// - Returns: its URL.
    func answerInHalves(_ name: String, heldBy gate: Gate) -> URL {
      let url = Self.url(name)
      loader.answer(
        url, with: FakeDataLoader.Answer.data(Data(count: 200), chunkSize: 100).held(by: gate, afterChunks: 1))
      return url
    }
  }

  private final class PreviewsOfAll: ImagePipeline.Delegate {
    func previewPolicy(
      for context: ImageDecodingContext, pipeline: ImagePipeline
    ) -> ImagePipeline.PreviewPolicy { .incremental }
  }

  private struct PreviewDecoder: ImageDecoding {
    func decode(_ data: Data) throws -> ImageContainer { ImageContainer(image: plain(.green, width: 8, height: 8)) }
    func decodePartiallyDownloadedData(_ data: Data) -> ImageContainer? {
      ImageContainer(image: plain(.red, width: 8, height: 8), isPreview: true)
    }
  }

  /// The end of a load, once it has come.
  @MainActor final class Ending {
    private(set) var results: [Result<ImageResponse, ImagePipeline.Error>] = []

    func record(_ result: Result<ImageResponse, ImagePipeline.Error>) { results.append(result) }

    var image: PlatformImage? { try? results.last?.get().image }
    var hasFailed: Bool {
      if case .failure = results.last { true } else { false }
    }
  }
#endif
