// Code as it is written against version 4, importing this module alone. It is compiled and never run.
import Foundation
import NukeLegacy

private func requests(_ address: URL) -> Request {
  var request = Request(urlRequest: URLRequest(url: address))
  request.memoryCacheOptions.readAllowed = false
  request.memoryCacheOptions.writeAllowed = true
  request.memoryCacheOptions = Request.MemoryCacheOptions()
  request.processor = AnyProcessor(Decompressor())
  request.processor = nil
  request.process(with: Mirrored())
  request.process(with: Tinted(strength: 3))
  request.loadKey = address.path
  request.cacheKey = AnyHashable(12)
  request.loadKey = nil
  return request
}

private struct Mirrored: Processing {
  func process(_ image: Image) -> Image? { image }
}

private struct Tinted: Processing {
  var strength: Int
  func process(_ image: Image) -> Image? { strength > 0 ? image : nil }
}

private func loading(_ address: URL) {
  let source = CancellationTokenSource()
  Loader.shared.loadImage(with: address, token: source.token)
    .then { image in print("here is \(image)") }
    .catch { failure in print("there is none: \(failure)") }
  Loader.shared.loadImage(with: requests(address), token: source.token)
    .then { image in image.size.width }
    .then { width in Loader.shared.loadImage(with: URL(fileURLWithPath: "/\(width)")) }
    .recover { _ in Promise(value: Image()) }
    .then { (image: Image) in
      let size = image.size
      print("of size \(size)")
    }
    .finally { print("over") }
  Loader.shared.loadImage(with: Request(url: address))
  source.cancel()
}

/// A screen as programs had them then, of a class that knows nothing of threads.
private class Screen {
  class ImageView {
    var image: Image?
  }

  let imageView = ImageView()
  var source: CancellationTokenSource?

  func show(_ address: URL) {
    source?.cancel()
    let source = CancellationTokenSource()
    Loader.shared.loadImage(with: address, token: source.token)
      .then { self.imageView.image = $0 }
      .catch { print("there is none: \($0)") }
    self.source = source
  }
}

private func preheating(_ first: URL, _ second: URL) {
  let preheater = Preheater()
  let wanted = [Request(url: first), Request(url: second)]
  preheater.startPreheating(for: wanted)
  preheater.stopPreheating(for: wanted)
}

private func memory(_ address: URL) -> Image? {
  let cache = Cache.shared
  let request = Request(url: address)
  cache[request] = Image()
  cache["a name of one's own"] = cache[request]
  return cache[request]
}

private func parts() -> any Loading {
  Deduplicator(loader: Loader(loader: OwnDataLoader(), decoder: OwnDecoder(), cache: OwnDataCache(), imageCache: nil))
}

private struct OwnLoader: Loading {
  func loadImage(with request: Request, token: CancellationToken?) -> Promise<Image> {
    token?.register { print("no longer wanted") }
    return Promise { fulfill, _ in fulfill(Image()) }
  }
}

private struct OwnDataLoader: DataLoading {
  func loadData(with request: URLRequest, token: CancellationToken?) -> Promise<(Data, URLResponse)> {
    Promise { fulfill, reject in
      if token?.isCancelling == true { return reject(CancellationError()) }
      let response = URLResponse(
        url: request.url!, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
      fulfill((Data(), response))
    }
  }
}

private struct OwnDataCache: DataCaching {
  func response(for request: URLRequest, token: CancellationToken?) -> Promise<CachedURLResponse> {
    Promise(error: CancellationError())
  }
  func setResponse(_ response: CachedURLResponse, for request: URLRequest) {}
}

private struct OwnDecoder: DataDecoding {
  func decode(data: Data, response: URLResponse) -> Image? { Image(data: data) }
}

private final class OwnCache: Caching, @unchecked Sendable {
  private let lock = NSLock()
  private var images: [AnyHashable: Image] = [:]
  subscript(key: AnyHashable) -> Image? {
    get { lock.withLock { images[key] } }
    set { lock.withLock { images[key] = newValue } }
  }
}

/// Today's names are there too, and give way where version 4 has the same.
private func todayBesideVersion4(_ address: URL) async throws {
  _ = try await ImagePipeline.shared.image(for: ImageRequest(url: address))
  let today: any Nuke.DataLoading = Nuke.DataLoader()
  _ = Loader(loader: DataLoader(today))
}

// MARK: Targets

private class PhotoView: Target {
  var image: Image?
  func handle(response: Response, isFromMemoryCache: Bool) {
    switch response {
    case .success(let image): self.image = image
    case .failure(let error): print("there is none: \(error)", isFromMemoryCache)
    }
  }
}

private class Indicator {
  func startAnimating() {}
  func stopAnimating() {}
}

private func targets(_ address: URL, _ imageView: PhotoView, _ indicator: Indicator, _ anything: AnyObject) {
  let request = Request(urlRequest: URLRequest(url: address))
  Nuke.loadImage(with: request, into: imageView)
  Nuke.loadImage(with: address, into: imageView)
  loadImage(with: request, into: imageView)
  Nuke.loadImage(with: request, into: imageView) { response, isFromMemoryCache in
    print(response, isFromMemoryCache)
  }
  indicator.startAnimating()
  Nuke.loadImage(with: request, into: imageView) { [weak imageView] in
    imageView?.handle(response: $0, isFromMemoryCache: $1)
    indicator.stopAnimating()
  }
  Nuke.loadImage(with: request, into: anything) { response, _ in print(response) }
  Nuke.cancelRequest(for: imageView)
  cancelRequest(for: anything)

  Manager.shared.loadImage(with: request, into: imageView)
  Manager.shared.loadImage(with: address, into: imageView)
  Manager.shared.loadImage(with: request, into: imageView) { response, isFromMemoryCache in
    print(response, isFromMemoryCache)
  }
  Manager.shared.cancelRequest(for: imageView)
  let manager = Manager(loader: Loader.shared, cache: Cache.shared)
  manager.loadImage(with: request, into: anything, handler: { response, _ in print(response) })
  _ = Manager(loader: OwnLoader()).loadImage(with: request, token: nil)
}
