import Foundation
import Nuke
import NukeOrigin
import NukeTesting
import Testing

@Suite("Configuration presets", .timeLimit(.minutes(1)))
struct ConfigurationPresetTests {
  private typealias Configuration = ImagePipeline.Configuration

  private let folder = DiskFolder()
  private let said = CallLog()

  private func withDataCache(
    name: String = "images", sizeLimit: Int? = nil, environment: [String: String]? = nil
  ) -> Configuration {
    .withDataCache(
      name: name, sizeLimit: sizeLimit, environment: environment ?? ["XDG_CACHE_HOME": folder.path],
      warnings: Warnings { [said] in said.append($0) })
  }

  @Test("withDataCache has a data cache with the given name, and is otherwise the default")
  func dataCache() throws {
    let configuration = withDataCache()
    let cache = try #require(configuration.dataCache as? DataCache)
    #expect(cache.path.path == folder.path + "/images")
    #expect(cache.sizeLimit == 150 * 1024 * 1024)
    #expect(configuration.dataCachePolicy == .storeOriginalData)
    #expect(configuration.dataLoadingQueue.maxConcurrentOperationCount == 6)
    #expect(configuration.isRateLimiterEnabled && configuration.isLocalResourcesSupportEnabled)
    #expect(said.entries == [])
  }

  @Test("withDataCache uses the given size limit")
  func sizeLimit() throws {
    #expect(try #require(withDataCache(sizeLimit: 12_345_678).dataCache as? DataCache).sizeLimit == 12_345_678)
  }

  @Test("withDataCache keeps downloads for the next pipeline")
  func keeping() async throws {
    let loader = FakeDataLoader()
    let url = imageURL("a.png")
    loader.answer(url, with: .data(SampleImage.png(width: 3, height: 2)))
    for _ in 0..<2 {
      var configuration = withDataCache()
      configuration.dataLoader = loader
      configuration.imageCache = nil
      let image = try await ImagePipeline(configuration: configuration).image(for: url)
      #expect(image.pixelWidth == 3)
      (configuration.dataCache as? DataCache)?.flush()
    }
    #expect(loader.requests.count == 1)
  }

  @Test("Without a folder, withDataCache uses only memory and warns once")
  func noFolder() async throws {
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    let file = folder.path + "/file"
    #expect(FileManager.default.createFile(atPath: file, contents: nil))
    let warnings = Warnings { [said] in said.append($0) }
    let environments = [[:], ["XDG_CACHE_HOME": file], ["HOME": file]]
    for environment in environments {
      let configuration = Configuration.withDataCache(
        name: "images", sizeLimit: nil, environment: environment, warnings: warnings)
      #expect(configuration.dataCache == nil)
      #expect(configuration.imageCache === ImageCache.shared)
    }
    #expect(
      said.entries == [
        "Images are cached in memory only. There is no folder for caches: set XDG_CACHE_HOME or HOME."
      ])

    _ = withDataCache(environment: ["XDG_CACHE_HOME": file])
    #expect(
      said.entries.last
        == "Images are cached in memory only. The cache cannot use the folder \(file)/images: Not a directory.")
  }

  @Test("By default, withDataCache uses the same folder as Nuke")
  func unnamed() async {
    // A process of its own, whose environment can be changed.
    await #expect(processExitsWith: .success) {
      let folder = DiskFolder()
      setenv("XDG_CACHE_HOME", folder.path, 1)
      for configuration in [ImagePipeline.Configuration.withDataCache, .withDataCache(sizeLimit: 1 << 20)] {
        let cache = try #require(configuration.dataCache as? DataCache)
        #expect(cache.path.path == folder.path + "/com.github.kean.Nuke.DataCache")
      }
    }
  }

  @Test("server works on as many images as the control group has processors")
  func serverQueues() {
    let files = ["/proc/self/cgroup": "0::/app\n", "/sys/fs/cgroup/app/cpu.max": "250000 100000\n"]
    let configuration = Configuration.server(processorCount: ProcessorCount.read(online: 64) { files[$0] })
    #expect(configuration.dataLoadingQueue.maxConcurrentOperationCount == 24)
    #expect(configuration.imageDecodingQueue.maxConcurrentOperationCount == 3)
    #expect(configuration.imageEncodingQueue.maxConcurrentOperationCount == 3)
    #expect(configuration.imageDecompressingQueue.maxConcurrentOperationCount == 3)
    #expect(configuration.imageProcessingQueue.maxConcurrentOperationCount == 3)
    #expect(
      Configuration.server.imageDecodingQueue.maxConcurrentOperationCount == ProcessorCount.available)
  }

  @Test("server has no rate limit, no local sources, and the default caches")
  func serverSwitches() {
    let configuration = Configuration.server
    #expect(!configuration.isRateLimiterEnabled)
    #expect(!configuration.isLocalResourcesSupportEnabled)
    #expect(configuration.dataCache == nil)
    #expect(configuration.imageCache === ImageCache.shared)
  }

  @Test("Presets have the shared HTTP cache unless they have a data cache, or are for servers")
  func httpCache() {
    func cache(_ configuration: Configuration) -> HTTPCache? {
      (configuration.dataLoader as? DataLoader)?.configuration.urlCache
    }
    #expect(cache(Configuration()) === DataLoader.sharedUrlCache)
    #expect(cache(.withURLCache) === DataLoader.sharedUrlCache)
    #expect(Configuration.withURLCache.dataCache == nil)
    #expect(cache(withDataCache()) == nil)
    #expect(cache(.server) == nil)
  }

  @Test("server rejects file: and data: URLs, ignoring case", arguments: ["file", "FILE", "data", "Data"])
  func serverRefuses(scheme: String) async throws {
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    let png = SampleImage.png(width: 3, height: 2)
    try png.write(to: folder.url.appendingPathComponent("a.png"))
    let isFile = scheme.lowercased() == "file"
    let rest = isFile ? "//\(folder.path)/a.png" : "image/png;base64,\(png.base64EncodedString())"
    let url = try #require(URL(string: "\(scheme):\(rest)"))
    var configuration = Configuration.server
    configuration.imageCache = nil
    let pipeline = ImagePipeline(configuration: configuration)
    let error = await loadFailure(try await pipeline.image(for: url))
    let underlying = try #require(error?.dataLoadingError as? URLError)
    #expect(underlying.code == .unsupportedURL)
    #expect(underlying.transferError == .unsupportedScheme(scheme))

    configuration = Configuration()
    configuration.imageCache = nil
    #expect(try await ImagePipeline(configuration: configuration).image(for: url).pixelWidth == 3)
  }

  @Test("server loads, decodes and processes while the main actor is blocked")
  func serverAndMainActor() async throws {
    let png = SampleImage.png(width: 40, height: 20)
    let origin = try NukeOrigin { _ in .data(png, type: "image/png") }
    defer { origin.stop() }
    var configuration = Configuration.server
    configuration.imageCache = nil
    let pipeline = ImagePipeline(configuration: configuration)
    let request = ImageRequest(
      url: origin.url("/a.png"), processors: [ImageProcessors.Resize(width: 10, unit: .pixels)])

    let isHeld = NukeTesting.Gate()
    let isLoaded = NukeTesting.Gate()
    let holder = Task { @MainActor in
      isHeld.open()
      isLoaded.waitBlocking()
    }
    await isHeld.wait()
    let image = try? await pipeline.image(for: request)
    isLoaded.open()
    await holder.value
    #expect(image?.pixelWidth == 10)
  }
}
