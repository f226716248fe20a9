import Foundation
import Nuke
import NukeTesting
import Testing

extension DelegateTests {
  @Test("The delegate chooses the decoder, and knows the origin of the data")
  func decoder() async throws {
    let log = log
    let decoder = FakeDecoder(SampleImage.bitmap(width: 3, height: 3))
    let pipeline = hooked {
      $0.decoder = { context in
        log.append("\(context.data.count) \(String(describing: context.cacheType))")
        return decoder
      }
    }
    #expect(try await pipeline.image(for: url).pixelWidth == 3)
    #expect(try await pipeline.image(for: ImageRequest(url: url, options: .disableMemoryCache)).pixelWidth == 3)
    #expect(log.entries.count == 2)
    #expect(log.entries.first == "\(original.count) nil")
    #expect(log.entries.last?.hasSuffix("disk)") == true)
  }

  @Test("The delegate can return no decoder")
  func noDecoder() async throws {
    let pipeline = hooked { $0.decoder = { _ in nil } }
    let error = await loadFailure(try await pipeline.image(for: url))
    guard case .decoderNotRegistered(let context) = error else { throw Unexpected(error) }
    #expect(context.data == original)
  }

  @Test("The delegate chooses the encoder, only for encoded images")
  func encoder() async throws {
    let log = log
    let pipeline = hooked {
      $0.encoder = { context in
        log.append("\(context.image.pixelWidth) \(context.request.processors.count)")
        return SizeEncoder()
      }
    }
    try await pipeline.loadAndStore(ImageRequest(url: url))
    #expect(log.entries.isEmpty)
    try await pipeline.loadAndStore(blurred())
    #expect(log.entries == ["20 1"])
    #expect(disk.contents[key + "/blur"] == Data("20x10".utf8))
  }

  @Test("The delegate chooses the loader of each request")
  func dataLoader() async throws {
    let other = FakeDataLoader { _ in .data(SampleImage.png(width: 5, height: 5)) }
    let pipeline = hooked { $0.loader = { [loader] in $0.priority == .high ? other : loader } }
    #expect(try await pipeline.image(for: ImageRequest(url: imageURL("b"), priority: .high)).pixelWidth == 5)
    #expect(try await pipeline.image(for: url).pixelWidth == 20)
    #expect((other.requests.count, loader.requests.count) == (1, 1))
  }

  @Test("The delegate can disable the caches of a request")
  func noCaches() async throws {
    let pipeline = hooked {
      $0.imageCache = { _ in nil }
      $0.dataCache = { _ in nil }
    }
    for _ in 0..<2 { _ = try await pipeline.image(for: blurred()) }
    await pipeline.encodingsDone()
    #expect(loader.requests.count == 2)
    #expect((memory.readCount, memory.writeCount) == (0, 0))
    #expect(disk.reads.isEmpty && disk.writes.isEmpty)
  }

  @Test("The delegate can provide caches for a request")
  func otherCaches() async throws {
    let (otherMemory, otherDisk) = (FakeImageCache(), FakeDataCache())
    let pipeline = hooked {
      $0.imageCache = { _ in otherMemory }
      $0.dataCache = { _ in otherDisk }
    }
    _ = try await pipeline.image(for: url)
    #expect(otherMemory.writeCount == 1)
    #expect(otherDisk.writes == [key])
    #expect(pipeline.cache[url] != nil)
    #expect(pipeline.cache.containsData(for: ImageRequest(url: url)))
    #expect(memory.writeCount == 0 && disk.writes.isEmpty)
  }

  @Test("The delegate determines keys in memory and on disk")
  func cacheKey() async throws {
    let pipeline = hooked {
      $0.cacheKey = { request in "mine" + request.processors.map(\.identifier).joined() }
    }
    try await pipeline.loadAndStore(blurred())
    #expect(Set(disk.contents.keys) == ["mine", "mine/blur"])
    #expect(memory[ImageCacheKey(key: "mine/blur")] != nil)
    #expect(pipeline.cache.makeImageCacheKey(for: blurred()) == ImageCacheKey(key: "mine/blur"))
    #expect(pipeline.cache.makeDataCacheKey(for: blurred()) == "mine/blur")
    // Another URL with the same name is the same image.
    let other = ImageRequest(url: imageURL("elsewhere"), processors: [FakeProcessor("/blur")])
    #expect(try await pipeline.imageTask(with: other).response.cacheType == .memory)
    memory.removeAll()
    #expect(try await pipeline.imageTask(with: other).response.cacheType == .disk)
    #expect(loader.requests.count == 1)
  }

  @Test("Without a key from the delegate, the URL and the processors are used")
  func noCacheKey() async throws {
    let pipeline = hooked { $0.cacheKey = { _ in nil } }
    #expect(pipeline.cache.makeDataCacheKey(for: blurred()) == key + "/blur")
    #expect(pipeline.cache.makeImageCacheKey(for: blurred()) == ImageCacheKey(request: blurred()))
  }
}
