import Foundation
import NukeLegacy
import NukeTesting
import Testing

@Suite("A cache of version 4")
struct CacheTests {
  private let image = SampleImage.bitmap(width: 10, height: 10)
  private let request = Request(url: imageURL("a.jpg"))

  @Test("It stores images by request, and by any other key")
  func keys() {
    let cache = Cache()
    cache[request] = image
    cache["name"] = image
    cache[12] = image
    #expect(cache[request] === image && cache["name"] === image && cache[12] === image)
    #expect(cache["12"] == nil)
    cache[request] = nil
    cache[12] = nil
    #expect(cache[request] == nil && cache[12] == nil && cache["name"] === image)
    #expect(cache.totalCount == 1)
  }

  @Test("A request with a cache key uses that key only")
  func cacheKey() {
    let cache = Cache()
    var named = request
    named.cacheKey = "a"
    cache[named] = image
    #expect(cache["a"] === image)
    #expect(cache[request] == nil)
    var other = Request(url: imageURL("b.jpg"))
    other.cacheKey = "a"
    #expect(cache[other] === image)
  }

  @Test("A key differs from an ImageCacheKey with the same text")
  func todaysKeys() {
    let today = ImageCache()
    let cache = Cache(today)
    today[ImageCacheKey(key: "a")] = ImageContainer(image: image)
    #expect(cache["a"] == nil)
    #expect(cache[ImageCacheKey(key: "a")] === image)
  }

  @Test("It returns images stored by a pipeline, but no previews")
  func today() {
    let today = ImageCache()
    let cache = Cache(today)
    let key = ImageCacheKey(request: ImageRequest(url: imageURL("a.jpg")))
    today[key] = ImageContainer(image: image, isPreview: true)
    #expect(cache[request] == nil)
    today[key] = ImageContainer(image: image)
    #expect(cache[request] === image)
  }

  @Test("It shares images with the pipeline's shared cache")
  func shared() {
    let request = Request(url: imageURL("\(UUID()).jpg"))
    Cache.shared[request] = image
    #expect(ImagePipeline.shared.cache[request.urlRequest.url!]?.image === image)
    Cache.shared[request] = nil
    #expect(ImagePipeline.shared.cache[request.urlRequest.url!] == nil)
  }

  @Test("It evicts the least recently used image first")
  func leastRecentlyUsed() {
    let cache = Cache(costLimit: image.byteCount * 2)
    cache["a"] = image
    cache["b"] = image
    #expect(cache["a"] != nil)
    cache["c"] = image
    #expect(cache["b"] == nil)
    #expect(cache["a"] != nil && cache["c"] != nil)
    #expect(cache.totalCost == image.byteCount * 2)
  }

  @Test("Its limits apply, also after a change")
  func limits() {
    let cache = Cache(countLimit: 3)
    for number in 0..<5 { cache[number] = image }
    #expect(cache.totalCount == 3)
    cache.countLimit = 2
    #expect(cache.totalCount == 2 && cache[4] != nil && cache[3] != nil)
    cache.trim(toCount: 1)
    #expect(cache.totalCount == 1 && cache[3] != nil)
    cache.trim(toCost: 0)
    #expect(cache.totalCount == 0)
    cache[1] = image
    cache.costLimit = 1
    #expect(cache.totalCount == 0 && cache.costLimit == 1)
    cache.costLimit = .max
    cache[1] = image
    cache.removeAll()
    #expect(cache[1] == nil && cache.totalCost == 0)
  }

  @Test("It stores an image of the size of its limit")
  func large() {
    let cache = Cache(costLimit: image.byteCount)
    cache["a"] = image
    #expect(cache["a"] === image)
  }
}
