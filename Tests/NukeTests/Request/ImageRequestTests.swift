import Foundation
import FoundationNetworking
import Nuke
import NukeTesting
import Testing

@Suite("Image requests")
struct ImageRequestTests {
  let url = imageURL("a")

  @Test("By default, a request has normal priority, no processors and no options")
  func defaults() {
    let request = ImageRequest(url: url)
    #expect(request.url == url)
    #expect(request.urlRequest?.url == url)
    #expect(request.imageID == url.absoluteString)
    #expect(request.priority == .normal)
    #expect(request.processors.isEmpty)
    #expect(request.options == [])
    #expect(request.scale == 1)
    #expect(request.thumbnail == nil)
    #expect(request.userInfo.isEmpty)
  }

  @Test("A request with a thumbnail in one expression equals one whose thumbnail was set, for each source")
  func thumbnailInOneExpression() {
    let thumbnail = ImageRequest.ThumbnailOptions(maxPixelSize: 10)
    let processors = [FakeProcessor("p")]
    let pairs: [(ImageRequest, ImageRequest)] = [
      (
        ImageRequest(
          url: url, processors: processors, thumbnail: thumbnail, priority: .high, options: .disableDiskCache),
        ImageRequest(url: url, processors: processors, priority: .high, options: .disableDiskCache)
      ),
      (
        ImageRequest(
          urlRequest: URLRequest(url: url), processors: processors, thumbnail: thumbnail, priority: .high,
          options: .disableDiskCache),
        ImageRequest(
          urlRequest: URLRequest(url: url), processors: processors, priority: .high, options: .disableDiskCache)
      ),
      (
        ImageRequest(
          id: "i", data: { Data() }, processors: processors, thumbnail: thumbnail, priority: .high,
          options: .disableDiskCache),
        ImageRequest(
          id: "i", data: { Data() }, processors: processors, priority: .high, options: .disableDiskCache)
      ),
    ]
    for (request, plain) in pairs {
      var expected = plain
      expected.thumbnail = thumbnail
      #expect("\(request)" == "\(expected)")
      #expect(ImageCacheKey(request: request) == ImageCacheKey(request: expected))
      #expect(ImageCacheKey(request: request) != ImageCacheKey(request: plain))
    }
    #expect(ImageRequest(url: url, thumbnail: nil).thumbnail == nil)
  }

  @Test("A request can be a string literal")
  func literal() {
    let request: ImageRequest = "http://pictures.test/a"
    #expect(request.url == url)
  }

  @Test("In a string literal, escapes stay, and what a URL cannot contain is escaped")
  func escapedLiteral() {
    let request: ImageRequest = "http://pictures.test/a%20b c.png?d=%26 é"
    #expect(request.url?.absoluteString == "http://pictures.test/a%20b%20c.png?d=%26%20%C3%A9")
    #expect(request.imageID == request.url?.absoluteString)
  }

  @Test("A request with a closure has no URL, and is identified by its ID")
  func closures() {
    for request in [
      ImageRequest(id: "mine", data: { Data() }), ImageRequest(id: "mine", image: { ImageContainer(image: .init()) }),
    ] {
      #expect(request.url == nil)
      #expect(request.urlRequest == nil)
      #expect(request.imageID == "mine")
    }
  }

  @Test("A request is a value: changing a copy changes nothing else")
  func copies() {
    let original = ImageRequest(url: url)
    let key = ImageCacheKey(request: original)
    var copy = original
    copy.priority = .high
    copy.options = [.disableMemoryCache]
    copy.processors = [FakeProcessor("p")]
    copy.scale = 2
    copy.thumbnail = .init(maxPixelSize: 10)
    copy.imageID = "other"
    copy.userInfo["key"] = 1
    #expect(original.priority == .normal)
    #expect(original.options == [])
    #expect(original.processors.isEmpty)
    #expect(original.scale == 1)
    #expect(original.thumbnail == nil)
    #expect(original.imageID == url.absoluteString)
    #expect(original.userInfo.isEmpty)
    #expect(copy.priority == .high)
    #expect(copy.options == [.disableMemoryCacheReads, .disableMemoryCacheWrites])
    #expect(copy.processors.map(\.identifier) == ["p"])
    #expect(copy.scale == 2)
    #expect(copy.imageID == "other")
    #expect(copy.userInfo["key"] as? Int == 1)
    #expect(ImageCacheKey(request: original) == key)
    #expect(ImageCacheKey(request: copy) != key)
  }

  @Test("Each change that affects the image changes the key, even if the key was used before")
  func keysFollow() {
    var request = ImageRequest(url: url)
    var keys: Set<ImageCacheKey> = [ImageCacheKey(request: request)]
    request.processors = [FakeProcessor("p")]
    keys.insert(ImageCacheKey(request: request))
    request.scale = 3
    keys.insert(ImageCacheKey(request: request))
    request.thumbnail = .init(maxPixelSize: 10)
    keys.insert(ImageCacheKey(request: request))
    request.imageID = "other"
    keys.insert(ImageCacheKey(request: request))
    #expect(keys.count == 5)
    let last = ImageCacheKey(request: request)
    request.priority = .low
    request.options = .reloadIgnoringCachedData
    request.userInfo["a"] = 1
    #expect(ImageCacheKey(request: request) == last)
  }

  @Test("Reloading means reading neither cache")
  func reloading() {
    #expect(ImageRequest.Options.reloadIgnoringCachedData == [.disableMemoryCacheReads, .disableDiskCacheReads])
    var options = ImageRequest.Options.reloadIgnoringCachedData
    options.remove(.disableMemoryCacheReads)
    #expect(options == .disableDiskCacheReads)
  }

  @Test("All options differ")
  func options() {
    let options: [ImageRequest.Options] = [
      .disableMemoryCacheReads, .disableMemoryCacheWrites, .disableDiskCacheReads, .disableDiskCacheWrites,
      .returnCacheDataDontLoad, .skipDecompression, .skipDataLoadingQueue, .staleWhileRevalidate,
    ]
    #expect(ImageRequest.Options(options).rawValue.nonzeroBitCount == options.count)
  }

  @Test("An invalid scale is ignored", arguments: [0, -1, .nan, .infinity] as [CGFloat])
  func scale(scale: CGFloat) {
    var request = ImageRequest(url: url)
    request.scale = scale
    #expect(request.scale == 1)
  }

  @Test("Without an image ID, the URL identifies the image")
  func imageID() {
    var request = ImageRequest(url: url)
    request.imageID = "other"
    request.imageID = nil
    #expect(request.imageID == url.absoluteString)
  }

  @Test("The description contains the resource, priority, processors, options and user info, and what else is set")
  func description() {
    var request = ImageRequest(url: url)
    let resource = "resource: http://pictures.test/a"
    #expect("\(request)" == "ImageRequest(\(resource), priority: normal, processors: [], options: [], userInfo: [:])")
    request.processors = [FakeProcessor("p")]
    request.priority = .high
    request.thumbnail = .init(maxPixelSize: 10)
    request.options = [.disableDiskCacheReads, .skipDecompression]
    request.userInfo["b"] = 2
    request.userInfo["a"] = "1"
    request.imageID = "photo"
    request.scale = 2
    request.posterFrame = .time(1.5)
    let thumbnail = "com.github/kean/nuke/thumbnail?maxPixelSize=10.0,options=truetruetruetrue"
    #expect(
      "\(request)" == "ImageRequest(\(resource), priority: high, processors: [\"p\"], "
        + "options: [disableDiskCacheReads, skipDecompression], imageID: photo, scale: 2.0, thumbnail: \(thumbnail), "
        + "posterFrame: time(1.5), userInfo: [a: 1, b: 2])")
    #expect("\(ImageRequest(url: nil))".hasPrefix("ImageRequest(resource: nil, "))
  }

  @Test("Priorities are ordered")
  func priorities() {
    #expect(ImageRequest.Priority.allCases == [.veryLow, .low, .normal, .high, .veryHigh])
    #expect(ImageRequest.Priority.allCases == ImageRequest.Priority.allCases.sorted())
  }

  @Test("Copies on many threads have a consistent key")
  func identityOnThreads() async {
    let request = ImageRequest(url: url, processors: [FakeProcessor("p")])
    let keys = await withTaskGroup(of: ImageCacheKey.self) { group in
      for _ in 0..<50 { group.addTask { ImageCacheKey(request: request) } }
      return await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(keys.count == 1)
  }
}
