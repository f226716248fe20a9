import Foundation
import NukeTesting
import Testing

@testable import NukeLegacy

@Suite("A request of version 4")
struct RequestTests {
  private let url = imageURL("a.jpg")

  @Test("By default, it has a decompressor and uses the memory cache")
  func defaults() {
    let request = Request(url: url)
    #expect(request.processor == AnyProcessor(Decompressor()))
    #expect(request.memoryCacheOptions == Request.MemoryCacheOptions(readAllowed: true, writeAllowed: true))
    #expect(request.loadKey == nil && request.cacheKey == nil)
    #expect(request.urlRequest == URLRequest(url: url))
  }

  @Test("It applies processors in the order in which they were added")
  func processors() throws {
    var request = Request(url: url)
    let log = CallLog()
    request.process(with: Every(nth: 2, log: log))
    request.process(with: Every(nth: 3, log: log))
    let image = try #require(request.processor?.process(SampleImage.bitmap(width: 12, height: 12)))
    #expect(image.pixelWidth == 2)
    #expect(log.entries == ["every 2", "every 3"])
  }

  @Test("The first added processor becomes its processor")
  func firstProcessor() {
    var request = Request(url: url)
    request.processor = nil
    request.process(with: Every(nth: 2))
    #expect(request.processor == AnyProcessor(Every(nth: 2)))
  }

  @Test("Its memory cache options become options of the pipeline's request")
  func memory() {
    var request = Request(url: url)
    #expect(request.imageRequest.options == [])
    request.memoryCacheOptions.readAllowed = false
    #expect(request.imageRequest.options == .disableMemoryCacheReads)
    request.memoryCacheOptions = .init(readAllowed: true, writeAllowed: false)
    #expect(request.imageRequest.options == .disableMemoryCacheWrites)
  }

  @Test("Its memory key equals that of an ImageRequest with the same URL")
  func sameAsToday() {
    #expect(Request(url: url).memoryKey == AnyHashable(ImageCacheKey(request: ImageRequest(url: url))))
    var processed = Request(url: url)
    processed.process(with: Every(nth: 2))
    #expect(processed.memoryKey != Request(url: url).memoryKey)
    #expect(
      processed.memoryKey
        == {
          var other = processed; other.processor = AnyProcessor(Every(nth: 2)); return other
        }().memoryKey)
  }

  @Test("Requests with equal URL requests and processors, or equal load keys, share a load")
  func loadKey() {
    var request = Request(url: url)
    #expect(request.joinKey == Request(urlRequest: URLRequest(url: url)).joinKey)
    var posting = URLRequest(url: url)
    posting.httpMethod = "POST"
    #expect(request.joinKey != Request(urlRequest: posting).joinKey)
    var processed = request
    processed.process(with: Every(nth: 2))
    #expect(request.joinKey != processed.joinKey)
    request.loadKey = 1
    processed.loadKey = 1
    #expect(request.joinKey == processed.joinKey)
    processed.loadKey = "1"
    #expect(request.joinKey != processed.joinKey)
  }

  @Test("Processors have unique identifiers in the disk cache")
  func namesOnDisk() {
    let names = [Every(nth: 2), Every(nth: 2), Every(nth: 3)].map { processor in
      var request = Request(url: url)
      request.process(with: processor)
      return request.imageRequest.processors.map(\.identifier)
    }
    #expect(Set(names).count == 3)
  }
}
