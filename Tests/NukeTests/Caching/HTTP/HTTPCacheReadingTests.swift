import Foundation
import FoundationNetworking
import Nuke
import NukeOrigin
import NukeTesting
import Testing

@Suite("The HTTP cache while reads block", .timeLimit(.minutes(1)))
struct HTTPCacheReadingTests {
  @Test("Reads that block delay neither memory hits nor other requests, while one of four readers is free")
  func blocked() async throws {
    let origin = try NukeOrigin { _ in .fields(noise(20_000), ("Cache-Control", "max-age=60")) }
    defer { origin.stop() }
    let files = FaultyFileSystem()
    let bench = try CacheBench(files: files)
    let blocked = (0..<3).map { origin.url("/blocked/\($0)") }
    let stored = origin.url("/stored")
    for url in blocked + [stored] { #expect(await bench.load(url).error == nil) }
    bench.cache.flush()
    // The index has been built when an entry has been read.
    #expect(await bench.load(stored).cacheStatus == "Nuke; hit; ttl=60")

    let gate = NukeTesting.Gate()
    let count = Lock(0)
    files.beforeOpening { _ in
      let number = count.withLock { count in
        count += 1
        return count
      }
      if number <= blocked.count { gate.waitBlocking() }
    }
    let reads = blocked.map { bench.loader.record(URLRequest(url: $0)).recorder }
    await gate.arrivals(count: reads.count)

    let pipeline = ImagePipeline.fake(loader: bench.loader)
    pipeline.cache[blocked[0]] = ImageContainer(image: SampleImage.bitmap(width: 4, height: 4))
    #expect(try await pipeline.image(for: blocked[0]).pixelWidth == 4)
    #expect(await bench.load(stored).cacheStatus == "Nuke; hit; ttl=60")
    #expect(await bench.load(origin.url("/new")).body == noise(20_000))
    #expect(reads.allSatisfy { !$0.state.isFinished })
    gate.open()
    for read in reads { #expect(await read.finished().cacheStatus == "Nuke; hit; ttl=60") }
  }
}
