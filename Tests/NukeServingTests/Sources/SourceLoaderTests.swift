import Foundation
import FoundationNetworking
import Nuke
import NukeCodecs
import NukeLoaderSuite
import NukeOrigin
import NukeTesting
import Testing

@testable import NukeServing

@Suite("The source loader", .timeLimit(.minutes(1)))
struct SourceLoaderTests {
  private let origins = Origins()

  private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

  /// What a stream ends with.
  private func error(_ loader: SourceLoader, _ text: String) async throws -> ServingError {
    let state = await loader.outcome(of: try url(text))
    return ServingError(loading: try #require(state.ends.first ?? nil))
  }

  private func makeWeb(_ configure: (inout DataLoader.Configuration) -> Void = { _ in }) -> DataLoader {
    DataLoader(
      configuration: makeConfiguration {
        $0.userAgent = UUID().uuidString
        configure(&$0)
      })
  }

  @Test("Each scheme is loaded by its loader")
  func schemes() async throws {
    let folder = try TemporaryFolder()
    _ = folder.file("a.jpg", Data("local".utf8))
    let origin = try origins.start { .data(Data($0.path.utf8)) }
    let loader = SourceLoader(["http": makeWeb(), "local": LocalSource(root: folder.url)])
    #expect(await loader.outcome(of: origin.url("/web")).body == Data("/web".utf8))
    #expect(await loader.outcome(of: try url("local:///a.jpg")).body == Data("local".utf8))
    let error = try await error(loader, "s3://bucket/a")
    guard case .sourceNotAllowed = error else { throw Unexpected(error) }
  }

  @Test("Sends no request for a forbidden source")
  func rules() async throws {
    let origin = try origins.start { _ in .data(Data("x".utf8)) }
    var rules = SourceRules()
    rules.allowed = [try #require(SourcePattern("http://127.0.0.1:\(origin.port)/public/"))]
    let loader = SourceLoader(["http": makeWeb()], rules: rules)
    #expect(await loader.outcome(of: origin.url("/public/a")).error == nil)
    let outside = try await error(loader, origin.url("/private/a").absoluteString)
    guard case .sourceNotAllowed = outside else { throw Unexpected(outside) }
    let upwards = try await error(loader, origin.url("/public/../private/a").absoluteString)
    guard case .malformedURL = upwards else { throw Unexpected(upwards) }
    #expect(origin.log.requests.map(\.path) == ["/public/a"])
  }

  @Test("The address policy of the web loader applies")
  func addresses() async throws {
    let origin = try origins.start { _ in .data(Data("secret".utf8)) }
    let loader = SourceLoader(["http": makeWeb { $0.addressPolicy = .publicOnly }])
    let error = try await error(loader, origin.url("/").absoluteString)
    #expect(error.status == 403)
    #expect(!error.publicMessage.contains("127.0.0.1"))
    #expect(error.description.contains("127.0.0.1"))
    #expect(origin.log.connectionsAccepted == 0)
  }

  @Test("A pipeline is informed about responses from the HTTP cache")
  func pipeline() async throws {
    let folder = try TemporaryFolder()
    let origin = try origins.start { _ in
      var response = NukeOrigin.Response.data(Data("body".utf8))
      response.headers.append(("Cache-Control", "max-age=1000"))
      return response
    }
    let cache = try HTTPCache(path: folder.url.appendingPathComponent("http"))
    let web = makeWeb { $0.urlCache = cache }
    let pipeline = ImagePipeline {
      $0.dataLoader = SourceLoader(["http": web])
      $0.dataCache = nil
    }
    let request = ImageRequest(url: origin.url("/a"))
    #expect(try await pipeline.data(for: request).0 == Data("body".utf8))
    var offline = request
    offline.options.insert(.returnCacheDataDontLoad)
    #expect(try await pipeline.data(for: offline).0 == Data("body".utf8))
    #expect(origin.log.requests.count == 1)
  }

  @Test("The bytes that the caller already has count when the rest of a source is loaded")
  func rest() async throws {
    let origin = try origins.start { request in
      var response = NukeOrigin.Response.data(Data("rest".utf8))
      if request.path == "/part" { response.status = 206 }
      return response
    }
    let loader = SourceLoader(["http": makeWeb()])
    let start = LoadingBudget.defaultShare
    for (path, count) in [("/part", start + 4), ("/whole", 0)] {
      let counted = Lock(0)
      var request = URLRequest(url: origin.url(path))
      request.setValue("bytes=\(start)-", forHTTPHeaderField: "Range")
      let recorder = Recorder(onChunk: { counted.withLock { $0 = loader.budget.statistics.bytes } })
      let transfer = loader.stream(request, limit: nil, observer: recorder)
      #expect(await recorder.finished().body == Data("rest".utf8))
      #expect(counted.withLock { $0 } == count)
      withExtendedLifetime(transfer) {}
    }
  }

  @Test("Loaders without streaming work too, and their limit applies")
  func plainLoaders() async throws {
    let plain = FakeDataLoader()
    let image = try url("http://pictures.test/a")
    plain.answer(image, with: .data(Data("twelve bytes".utf8)))
    let loader = SourceLoader(["http": PlainLoader(loader: plain)])
    let state = await loader.outcome(of: image)
    #expect(state.body == Data("twelve bytes".utf8))
    #expect(state.heads.count == 1)
    #expect(await loader.outcome(of: image, limit: 11).error == .bodyTooLarge(limit: 11))
  }

  /// Hides that a loader knows more.
  private struct PlainLoader: DataLoading {
    let loader: FakeDataLoader

    func loadData(
      with request: URLRequest, didReceiveData: @escaping @Sendable (Data, URLResponse) -> Void,
      completion: @escaping @Sendable ((any Error)?) -> Void
    ) -> any Cancellable {
      loader.loadData(with: request, didReceiveData: didReceiveData, completion: completion)
    }
  }

  @Test(
    "Errors contain the server's description",
    arguments: [
      (404, 404), (410, 404), (403, 502), (500, 502), (408, 504), (504, 504),
    ])
  func statuses(of source: Int, status: Int) {
    let error = DataLoader.Error.statusCodeUnacceptable(source)
    #expect(ServingError(loading: error).status == status)
    #expect(ServingError(loading: ImagePipeline.Error.dataLoadingFailed(error: error)).status == status)
  }

  @Test(
    "Errors contain the loader's description",
    arguments: [
      (DataLoader.TransferError.cannotResolveHost("h"), 502), (.cannotConnect(host: "h", reason: "r"), 502),
      (.connectionLost(host: "h", reason: "r"), 502), (.timedOut(.idle, host: "h", seconds: 1), 504),
      (.tooManyRedirects(limit: 1), 502), (.insecureRedirect(host: "h"), 502),
      (.tlsFailed(host: "h", reason: "r"), 502),
      (.unsupportedScheme("x"), 403), (.malformedURL("h"), 400), (.fileNotFound(path: "/p"), 404),
      (.isDirectory(path: "/p"), 404), (.fileNotReadable(path: "/p", reason: "r"), 502), (.bodyTooLarge(limit: 1), 422),
      (.fileNotReadable(path: "/p", reason: OpenFile.isLinkOutside), 404),
      (.fileNotReadable(path: "/p", reason: OpenFile.hasTooManyLinks), 404),
      (.fileNotReadable(path: "/p", reason: "it is not a regular file"), 404),
      (.addressNotAllowed(host: "h", address: "10.0.0.1"), 403), (.hostNotAllowed("h"), 403), (.cancelled, 499),
    ])
  func errors(error: DataLoader.TransferError, status: Int) {
    #expect(ServingError(loading: error).status == status)
    let wrapped = ServingError(loading: ImagePipeline.Error.dataLoadingFailed(error: error.urlError(for: nil)))
    #expect(wrapped == ServingError(loading: error))
    for secret in ["10.0.0.1", "/p"] { #expect(!wrapped.publicMessage.contains(secret)) }
  }

  @Test("Errors of pipelines and images are converted")
  func otherErrors() throws {
    #expect(ServingError(loading: ImagePipeline.Error.dataDownloadExceededMaximumSize).status == 422)
    #expect(ServingError(loading: ImagePipeline.Error.cancelled) == .cancelled)
    #expect(ServingError(loading: ImagePipeline.Error.pipelineInvalidated).status == 503)
    #expect(ServingError(loading: CancellationError()) == .cancelled)
    #expect(ServingError(loading: ServingError.wrongSignature) == .wrongSignature)
    let tooLarge = CodecError.tooLarge(.png, width: 1, height: 1, limit: .side(1))
    let limited = ServingError(loading: tooLarge)
    guard case .tooLarge = limited else { throw Unexpected(limited) }
    #expect(ServingError(loading: CodecError.notBuilt(.avif, .writing)) == .cannotWrite("AVIF"))
    let notBuilt = ServingError(loading: CodecError.notBuilt(.avif, .reading))
    guard case .notAnImage = notBuilt else { throw Unexpected(notBuilt) }
    struct Unknown: Error {}
    #expect(ServingError(loading: Unknown()).status == 500)
  }
}
