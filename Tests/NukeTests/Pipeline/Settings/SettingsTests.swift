import Foundation
import Nuke
import Testing

@Suite("Settings of a service")
struct SettingsTests {
  private typealias Settings = ImagePipeline.Settings

  private let folder = DiskFolder()

  private func settings(_ json: String) throws -> Settings { try Settings(json: Data(json.utf8)) }

  private func error(_ json: String) -> Settings.Error? {
    do throws(Settings.Error) {
      _ = try Settings(json: Data(json.utf8))
      return nil
    } catch {
      return error
    }
  }

  /// All settings, with values that differ from the defaults.
  private var complete: String {
    """
    {
      "memoryCache": {"sizeLimit": 1000000, "countLimit": 50, "lifetime": 12.5},
      "diskCache": {"path": "\(folder.path)", "sizeLimit": 2000000, "maximumAge": 3600, "policy": "storeAll"},
      "concurrency": {"downloads": 9, "decoding": 3, "processing": 5, "encoding": 7},
      "loader": {
        "connectTimeout": 1.5, "idleTimeout": 2.5, "resourceTimeout": 3.5, "maximumConnectionsPerHost": 4,
        "maximumRedirects": 0, "maximumRetries": 2, "isPublicOnly": true, "userAgent": "Thumbnails/1.0"
      },
      "limits": {
        "maximumPixelCount": 1000, "maximumSide": 100, "maximumFrameCount": 10, "maximumResponseSize": 10000
      },
      "isRateLimiterEnabled": true,
      "freshnessPolicy": "respect"
    }
    """
  }

  @Test("Every setting has an effect on the configuration")
  func effects() throws {
    let configuration = try ImagePipeline.Configuration(settings: settings(complete))
    let memory = try #require(configuration.imageCache as? ImageCache)
    #expect(memory.costLimit == 1_000_000 && memory.countLimit == 50 && memory.ttl == 12.5)
    let disk = try #require(configuration.dataCache as? DataCache)
    #expect(disk.path.path == folder.path && disk.sizeLimit == 2_000_000 && disk.maximumAge == 3600)
    #expect(configuration.dataCachePolicy == .storeAll)
    #expect(configuration.dataLoadingQueue.maxConcurrentOperationCount == 9)
    #expect(configuration.imageDecodingQueue.maxConcurrentOperationCount == 3)
    #expect(configuration.imageProcessingQueue.maxConcurrentOperationCount == 5)
    #expect(configuration.imageEncodingQueue.maxConcurrentOperationCount == 7)
    let loader = try #require(configuration.dataLoader as? DataLoader)
    #expect(loader.configuration.connectTimeout == 1.5 && loader.configuration.idleTimeout == 2.5)
    #expect(loader.configuration.resourceTimeout == 3.5 && loader.configuration.maximumConnectionsPerHost == 4)
    #expect(loader.configuration.maximumRedirects == 0 && loader.retryPolicy?.maxRetryCount == 2)
    #expect(loader.configuration.addressPolicy == .publicOnly && loader.configuration.userAgent == "Thumbnails/1.0")
    #expect(
      configuration.codecLimits == CodecLimits(maximumPixelCount: 1000, maximumSide: 100, maximumFrameCount: 10))
    #expect(configuration.maximumResponseDataSize == 10_000)
    #expect(configuration.isRateLimiterEnabled && configuration.freshnessPolicy == .respect)
  }

  @Test(
    "Without settings, the configuration is that of servers", arguments: ["{}", "{\"loader\": {}, \"limits\": null}"])
  func defaults(json: String) throws {
    let configuration = try ImagePipeline.Configuration(settings: settings(json))
    let server = ImagePipeline.Configuration.server
    let loader = try #require(configuration.dataLoader as? DataLoader)
    #expect(loader.configuration == (server.dataLoader as? DataLoader)?.configuration)
    #expect(!loader.configuration.isLocalResourcesSupportEnabled && loader.configuration.urlCache == nil)
    #expect(loader.retryPolicy == nil)
    #expect(configuration.imageCache === ImageCache.shared && configuration.dataCache == nil)
    #expect(configuration.dataCachePolicy == server.dataCachePolicy)
    for queue in [\ImagePipeline.Configuration.dataLoadingQueue, \.imageDecodingQueue, \.imageEncodingQueue] {
      let count = server[keyPath: queue].maxConcurrentOperationCount
      #expect(configuration[keyPath: queue].maxConcurrentOperationCount == count)
    }
    #expect(configuration.codecLimits == server.codecLimits)
    #expect(configuration.maximumResponseDataSize == server.maximumResponseDataSize)
    #expect(!configuration.isRateLimiterEnabled && !configuration.isLocalResourcesSupportEnabled)
    #expect(configuration.freshnessPolicy == .ignore)
  }

  @Test("A memory cache of 0 bytes is none, and one with other settings is not the shared one")
  func memoryCaches() throws {
    let none = try ImagePipeline.Configuration(settings: settings("{\"memoryCache\": {\"sizeLimit\": 0}}"))
    #expect(none.imageCache == nil)
    let own = try ImagePipeline.Configuration(settings: settings("{\"memoryCache\": {\"countLimit\": 3}}"))
    let cache = try #require(own.imageCache as? ImageCache)
    #expect(cache !== ImageCache.shared && cache.countLimit == 3 && cache.costLimit == ImageCache.defaultCostLimit)
  }

  @Test("Encoded settings are equal when decoded, and settings that are not set are not encoded")
  func roundTrip() throws {
    let all = try settings(complete)
    #expect(try Settings(json: JSONEncoder().encode(all)) == all)
    #expect(try String(decoding: JSONEncoder().encode(Settings()), as: UTF8.self) == "{}")
    var some = Settings()
    some.diskCache = .init(path: "/var/cache/images")
    #expect(
      try JSONSerialization.jsonObject(with: JSONEncoder().encode(some)) as? [String: [String: String]]
        == ["diskCache": ["path": "/var/cache/images"]])
  }

  @Test(
    "An unknown key is an error that names it with its group, and suggests a similar one",
    arguments: [
      ("{\"memorycache\": {}}", "memorycache", "memoryCache"),
      ("{\"diskCache\": {\"path\": \"/x\", \"sizelimit\": 1}}", "diskCache.sizelimit", "diskCache.sizeLimit"),
      ("{\"loader\": {\"conectTimeout\": null}}", "loader.conectTimeout", "loader.connectTimeout"),
      ("{\"limits\": {\"colors\": 1}}", "limits.colors", nil),
      ("{\"zebra\": 1, \"aardvark\": 2}", "aardvark", nil),
    ] as [(String, String, String?)])
  func unknownKeys(json: String, key: String, suggestion: String?) {
    #expect(error(json) == .unknownKey(key, suggestion: suggestion))
  }

  @Test(
    "A value of the wrong type is an error that names the key and the type",
    arguments: [
      ("[]", "", "an object with keys and values"),
      ("{\"loader\": 3}", "loader", "an object with keys and values"),
      ("{\"memoryCache\": {\"sizeLimit\": \"1 GB\"}}", "memoryCache.sizeLimit", "a whole number"),
      ("{\"memoryCache\": {\"sizeLimit\": 1.5}}", "memoryCache.sizeLimit", "a whole number"),
      ("{\"memoryCache\": {\"sizeLimit\": 1e30}}", "memoryCache.sizeLimit", "a whole number"),
      ("{\"loader\": {\"idleTimeout\": true}}", "loader.idleTimeout", "a number"),
      ("{\"loader\": {\"userAgent\": 7}}", "loader.userAgent", "a text"),
      ("{\"isRateLimiterEnabled\": \"yes\"}", "isRateLimiterEnabled", "true or false"),
      ("{\"freshnessPolicy\": \"always\"}", "freshnessPolicy", "one of ignore, respect, revalidate"),
      (
        "{\"diskCache\": {\"path\": \"/x\", \"policy\": \"all\"}}", "diskCache.policy",
        "one of automatic, storeOriginalData, storeEncodedImages, storeAll"
      ),
    ])
  func wrongTypes(json: String, key: String, expected: String) {
    #expect(error(json) == .invalidValue(key: key, expected: expected))
  }

  @Test(
    "A value outside of its range is an error that names the key",
    arguments: [
      ("memoryCache", "sizeLimit", "-1"), ("memoryCache", "countLimit", "0"), ("memoryCache", "lifetime", "0"),
      ("concurrency", "downloads", "0"), ("concurrency", "decoding", "1025"), ("concurrency", "processing", "-1"),
      ("concurrency", "encoding", "0"), ("loader", "connectTimeout", "0"), ("loader", "idleTimeout", "-1"),
      ("loader", "resourceTimeout", "0"), ("loader", "maximumConnectionsPerHost", "0"),
      ("loader", "maximumRedirects", "101"), ("loader", "maximumRetries", "-1"),
      ("loader", "userAgent", "\"a\\r\\nHost: b\""), ("limits", "maximumPixelCount", "0"),
      ("limits", "maximumSide", "0"), ("limits", "maximumFrameCount", "0"), ("limits", "maximumResponseSize", "0"),
    ])
  func wrongValues(group: String, key: String, value: String) {
    guard case .invalidValue("\(group).\(key)", _) = error("{\"\(group)\": {\"\(key)\": \(value)}}") else {
      Issue.record("\(String(describing: error("{\"\(group)\": {\"\(key)\": \(value)}}")))")
      return
    }
  }

  @Test(
    "A disk cache needs the absolute path of a folder, and valid limits",
    arguments: [
      ("{}", "path"), ("{\"path\": \"\"}", "path"), ("{\"path\": \"cache\"}", "path"),
      ("{\"path\": \"/a\\u0000b\"}", "path"), ("{\"path\": \"/x\", \"sizeLimit\": 0}", "sizeLimit"),
      ("{\"path\": \"/x\", \"maximumAge\": 0}", "maximumAge"),
    ])
  func wrongDiskCaches(group: String, key: String) {
    guard case .invalidValue("diskCache.\(key)", _) = error("{\"diskCache\": \(group)}") else {
      Issue.record("\(String(describing: error("{\"diskCache\": \(group)}")))")
      return
    }
  }

  @Test("Values that were set in code are checked as well")
  func valuesInCode() {
    var settings = Settings()
    settings.loader = .init()
    settings.loader?.idleTimeout = .nan
    let expected = Settings.Error.invalidValue(
      key: "loader.idleTimeout", expected: "a number of seconds greater than 0")
    #expect(throws: expected) { try ImagePipeline.Configuration(settings: settings) }
  }

  @Test("A folder that cannot be used is an error with its key and the reason")
  func unusableFolder() throws {
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    let file = folder.path + "/file"
    #expect(FileManager.default.createFile(atPath: file, contents: nil))
    var settings = Settings()
    settings.diskCache = .init(path: file + "/cache")
    #expect {
      try ImagePipeline.Configuration(settings: settings)
    } throws: { error in
      guard case .folderNotUsable(key: "diskCache.path", let reason) = error as? Settings.Error else { return false }
      return reason.contains(file)
    }
  }

  @Test("Data that is not JSON is an error", arguments: ["", "{", "nothing"])
  func invalidJSON(json: String) {
    #expect(error(json) == .invalidJSON)
  }

  @Test("Errors are sentences that say what to do")
  func descriptions() {
    #expect("\(Settings.Error.invalidJSON)" == "The settings are not valid JSON.")
    #expect(
      "\(Settings.Error.unknownKey("loader.a", suggestion: "loader.b"))"
        == "There is no setting loader.a. Did you mean loader.b?")
    #expect("\(Settings.Error.unknownKey("a", suggestion: nil))" == "There is no setting a.")
    #expect(
      Settings.Error.invalidValue(key: "a.b", expected: "a text").localizedDescription
        == "The value of a.b must be a text.")
    #expect(
      "\(Settings.Error.invalidValue(key: "", expected: "an object with keys and values"))"
        == "The settings must be an object with keys and values.")
  }
}
