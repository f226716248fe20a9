import Foundation
import NukeLegacy
import NukeTesting
import Testing

@Suite("A cache of version 4")
struct CacheTests {
  private let image = SampleImage.bitmap(width: 10, height: 10)
  private let request = Request(url: imageURL("a.jpg"))

  @Test("keeps an image under a request, and under any value")
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

  @Test("keeps a request's image under its own key alone, where it has one")
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

  @Test("does not confuse a value with a text of today's that spells the same")
  func todaysKeys() {
    let today = ImageCache()
    let cache = Cache(today)
    today[ImageCacheKey(key: "a")] = ImageContainer(image: image)
    #expect(cache["a"] == nil)
    #expect(cache[ImageCacheKey(key: "a")] === image)
  }

  @Test("sees what a pipeline has stored, but no preview")
  func today() {
    let today = ImageCache()
    let cache = Cache(today)
    let key = ImageCacheKey(request: ImageRequest(url: imageURL("a.jpg")))
    today[key] = ImageContainer(image: image, isPreview: true)
    #expect(cache[request] == nil)
    today[key] = ImageContainer(image: image)
    #expect(cache[request] === image)
  }

  @Test("shares images with the pipeline's shared cache")
  func shared() {
    let request = Request(url: imageURL("\(UUID()).jpg"))
    Cache.shared[request] = image
    #expect(ImagePipeline.shared.cache[request.urlRequest.url!]?.image === image)
    Cache.shared[request] = nil
    #expect(ImagePipeline.shared.cache[request.urlRequest.url!] == nil)
  }

  @Test("lets the least recently used go first")
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

  @Test("keeps to its limits, also when they change")
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

  @Test("takes one image that fills it")
  func large() {
    let cache = Cache(costLimit: image.byteCount)
    cache["a"] = image
    #expect(cache["a"] === image)
  }
}
