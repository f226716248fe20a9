import Foundation
import FoundationNetworking
import NukeLegacy
import NukeTesting
import Testing

/// Gives bytes at once, or when the gate opens.
private final class Source: NukeLegacy.DataLoading {
  let requests = Lock([URLRequest]())
  let tokens = Lock([CancellationToken]())
  let outcome: Result<Data, Failure>
  let gate: Gate?

  init(_ outcome: Result<Data, Failure>, gate: Gate? = nil) {
    self.outcome = outcome
    self.gate = gate
  }

  var count: Int { requests.withLock { $0.count } }

  func loadData(with request: URLRequest, token: CancellationToken?) -> Promise<(Data, URLResponse)> {
    requests.withLock { $0.append(request) }
    if let token { tokens.withLock { $0.append(token) } }
    return Promise { fulfill, reject in
      Task { [gate, outcome] in
        await gate?.wait()
        switch outcome {
        case .success(let data):
          fulfill(
            (data, URLResponse(url: request.url!, mimeType: "x/y", expectedContentLength: 0, textEncodingName: nil)))
        case .failure(let error): reject(error)
        }
      }
    }
  }
}

private final class Store: NukeLegacy.DataCaching {
  let responses = Lock([URL: CachedURLResponse]())

  func response(for request: URLRequest, token: CancellationToken?) -> Promise<CachedURLResponse> {
    let found = responses.withLock { $0[request.url!] }
    return found.map { Promise(value: $0) } ?? Promise(error: Failure(number: 404))
  }

  func setResponse(_ response: CachedURLResponse, for request: URLRequest) {
    responses.withLock { $0[request.url!] = response }
  }
}

private struct Decoder: DataDecoding {
  let log = CallLog()

  func decode(data: Data, response: URLResponse) -> Image? {
    log.append("\(data.count) \(response.mimeType ?? "none")")
    return data.isEmpty || data[0] == 0 ? nil : SampleImage.bitmap(width: Int(data[0]), height: 1)
  }
}

private final class Memory: Caching {
  let images = Lock([AnyHashable: Image]())

  subscript(key: AnyHashable) -> Image? {
    get { images.withLock { $0[key] } }
    set { images.withLock { $0[key] = newValue } }
  }
}

@Suite("A loader of version 4, with custom parts", .timeLimit(.minutes(1)))
struct LoaderPartsTests {
  private let url = imageURL("a")
  private let decoder = Decoder()

  @Test("It loads, decodes and stores images with the custom parts")
  func parts() async throws {
    let (source, memory) = (Source(.success(Data([5, 1]))), Memory())
    let loader = Loader(loader: source, decoder: decoder, imageCache: memory)
    let image = try await loader.loadImage(with: url).value
    #expect(image.pixelWidth == 5)
    #expect(decoder.log.entries == ["2 x/y"])
    #expect(memory[Request(url: url)] === image)
    #expect(try await loader.loadImage(with: url).value === image)
    #expect(source.count == 1)
    var named = Request(url: url)
    named.cacheKey = "mine"
    _ = try await loader.loadImage(with: named).value
    #expect(memory["mine"] != nil, "the key is the program's own")
  }

  @Test("It reads the cache before loading data, and stores loaded data")
  func cache() async throws {
    let (source, store) = (Source(.success(Data([5]))), Store())
    let loader = Loader(loader: source, decoder: decoder, cache: store, imageCache: nil)
    #expect(try await loader.loadImage(with: url).value.pixelWidth == 5)
    #expect(store.responses.withLock { $0[url]?.data } == Data([5]))
    store.responses.withLock { responses in
      let response = URLResponse(url: url, mimeType: "kept", expectedContentLength: 1, textEncodingName: nil)
      responses[url] = CachedURLResponse(response: response, data: Data([7]))
    }
    #expect(try await loader.loadImage(with: url).value.pixelWidth == 7)
    #expect(source.count == 1)
    #expect(decoder.log.entries == ["1 x/y", "1 kept"])
  }

  @Test("It fails with the error of the custom loader, and stores nothing")
  func loaderFailing() async {
    let store = Store()
    let loader = Loader(loader: Source(.failure(Failure(number: 2))), decoder: decoder, cache: store, imageCache: nil)
    let error = await failure(of: loader.loadImage(with: url)) as? ImagePipeline.Error
    #expect(error?.dataLoadingError as? Failure == Failure(number: 2))
    #expect(store.responses.withLock { $0.isEmpty })
  }

  @Test("It fails if the decoder returns no image, or if there is no data")
  func decoderFailing() async {
    func error(_ data: Data) async -> ImagePipeline.Error? {
      await failure(of: Loader(loader: Source(.success(data)), decoder: decoder, imageCache: nil).loadImage(with: url))
        as? ImagePipeline.Error
    }
    guard case .decodingFailed(_, _, let reason)? = await error(Data([0])) else {
      Issue.record("it should not be decoded")
      return
    }
    #expect("\(reason)" == "the decoder returned no image")
    guard case .dataIsEmpty? = await error(Data()) else {
      Issue.record("no bytes are no image")
      return
    }
  }

  @Test("The custom loader is canceled with the last request, and the promises do not wait for it")
  func cancelling() async throws {
    let gate = Gate()
    let source = Source(.success(Data([5])), gate: gate)
    let loader = Loader(loader: source, decoder: decoder, imageCache: nil)
    let tokens = (0..<2).map { _ in CancellationTokenSource() }
    let promises = tokens.map { loader.loadImage(with: url, token: $0.token) }
    await gate.arrivals(count: 1)
    tokens[0].cancel()
    #expect(isCancelled(await failure(of: promises[0])))
    #expect(source.tokens.withLock { $0.map(\.isCancelling) } == [false])
    tokens[1].cancel()
    #expect(isCancelled(await failure(of: promises[1])))
    // The promise does not wait for the loader, which may learn it later.
    try await waitUntil { source.tokens.withLock { $0.map(\.isCancelling) } == [true] }
    gate.open()
  }

  @Test("The custom loader also receives requests for local files")
  func local() async throws {
    let file = URL(fileURLWithPath: "/no/such/file.png")
    let source = Source(.success(Data([3])))
    let loader = Loader(loader: source, decoder: decoder, imageCache: nil)
    #expect(try await loader.loadImage(with: file).value.pixelWidth == 3)
    #expect(source.requests.withLock { $0.map(\.url) } == [file])
  }

  @Test("Without a custom decoder, it decodes the formats of the build")
  func defaultDecoder() async throws {
    let loader = Loader(loader: Source(.success(SampleImage.png(width: 6, height: 2))), imageCache: nil)
    #expect(try await loader.loadImage(with: url).value.pixelWidth == 6)
    let response = URLResponse(url: url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
    #expect(DataDecoder().decode(data: SampleImage.png(width: 6, height: 2), response: response)?.pixelWidth == 6)
    #expect(DataDecoder().decode(data: Data([1, 2]), response: response) == nil)
  }

  @Test("It stores images in the shared cache by default")
  func sharedMemory() async throws {
    let request = Request(url: imageURL("\(UUID())"))
    let image = try await Loader(loader: Source(.success(Data([5]))), decoder: decoder).loadImage(with: request).value
    #expect(Cache.shared[request] === image)
    Cache.shared[request] = nil
  }
}
