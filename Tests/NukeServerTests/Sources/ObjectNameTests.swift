#if Server
  import Foundation
  import Logging
  import NukeBase
  import NukeOrigin
  import NukeServing
  import NukeTesting
  import Testing

  @testable import NukeServer

  /// Names of objects and files, which are taken as they are.
  @Suite("Names of objects and files", .timeLimit(.minutes(2)))
  struct ObjectNameTests {
    /// Names, and their URL encoding by `urllib.parse.quote(name, safe="/")` of Python. Clients write it in URLs, and
    /// Signature Version 4 prescribes the same for requests to a store.
    private static let names: [(name: String, escaped: String)] = [
      ("a.png", "a.png"),
      ("a b.png", "a%20b.png"),
      ("a#1.png", "a%231.png"),
      ("a%23.png", "a%2523.png"),
      ("100%.png", "100%25.png"),
      ("a%.png", "a%25.png"),
      ("a%25.png", "a%2525.png"),
      ("a%2525.png", "a%252525.png"),
      ("a%2Bb.png", "a%252Bb.png"),
      ("a+b.png", "a%2Bb.png"),
      ("a?b.png", "a%3Fb.png"),
      ("a%3Fb.png", "a%253Fb.png"),
      ("a??.png", "a%3F%3F.png"),
      ("a?x=1&y=2.png", "a%3Fx%3D1%26y%3D2.png"),
      ("John_Doe #1 (P 1)[5].mp4.jpg", "John_Doe%20%231%20%28P%201%29%5B5%5D.mp4.jpg"),
      ("1732673088_test%image.jpg.jpeg", "1732673088_test%25image.jpg.jpeg"),
      ("3js%205-something.png", "3js%25205-something.png"),
      ("3js 5-something.png", "3js%205-something.png"),
      ("a#b (Programm 1)[5].mp4.png", "a%23b%20%28Programm%201%29%5B5%5D.mp4.png"),
      ("\u{e9}.png", "%C3%A9.png"),
      ("e\u{301}.png", "e%CC%81.png"),
      ("\u{65e5}\u{672c}\u{8a9e}.png", "%E6%97%A5%E6%9C%AC%E8%AA%9E.png"),
      ("\u{1f600}.png", "%F0%9F%98%80.png"),
      ("K.png", "K.png"),
      ("\u{212a}.png", "%E2%84%AA.png"),
      ("a@b.png", "a%40b.png"),
      ("a&b=c.png", "a%26b%3Dc.png"),
      ("a;b.png", "a%3Bb.png"),
      ("a:b.png", "a%3Ab.png"),
      ("a,b'c.png", "a%2Cb%27c.png"),
      ("a\"b.png", "a%22b.png"),
      ("a\\b.png", "a%5Cb.png"),
      ("a|b^c`.png", "a%7Cb%5Ec%60.png"),
      ("{a}<b>.png", "%7Ba%7D%3Cb%3E.png"),
      ("*$!~a.png", "%2A%24%21~a.png"),
      ("..a/b...png", "..a/b...png"),
      ("folder/sub folder/a.png", "folder/sub%20folder/a.png"),
      ("%zz.png", "%25zz.png"),
      ("a%00.png", "a%2500.png"),
      ("%2e%2e/a.png", "%252e%252e/a.png"),
      ("#.png", "%23.png"),
      ("?.png", "%3F.png"),
    ]

    private static func base64(_ text: String) -> String {
      Data(text.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// The two spellings of a source in a URL: plain and Base64.
    private static func paths(_ source: String, _ name: (name: String, escaped: String)) -> [String] {
      ["/unsafe/plain/\(source)\(name.escaped)", "/unsafe/\(base64(source + name.name))"]
    }

    /// The paths of all requests in the log of a server that has stopped, as bytes: equal strings may differ in Unicode
    /// normalization.
    private func loggedPaths(_ server: RunningServer) throws -> [[UInt8]] {
      try server.lines.all.compactMap { line in
        let fields = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        guard fields["message"] as? String == "request" else { return nil }
        return (fields["path"] as? String).map { Array($0.utf8) }
      }
    }

    private func start(_ configuration: ImageServer.Configuration) async throws -> RunningServer {
      let dependencies = try ServerDependencies(
        configuration, metrics: PrometheusRegistry(), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
      return try await RunningServer(configuration, dependencies: dependencies)
    }

    private static func width(_ response: RawResponse) -> Int? {
      let start = "X-Origin-Width: "
      let line = response.head.split(whereSeparator: \.isNewline).first { $0.hasPrefix(start) }
      return line.flatMap { Int($0.dropFirst(start.count)) }
    }

    @Test(
      "A store is asked for the name in the URL, once for both spellings, and the log contains the name",
      arguments: ["s3", "gs", "abs"])
    func store(scheme: String) async throws {
      #expect(Self.names.count >= 40)
      let log = Lock<[String]>([])
      let images = (1...Self.names.count).map { SampleImage.png(width: $0, height: 2) }
      let store = try NukeOrigin { request in
        log.withLock { $0.append(request.path + (request.query.map { "?" + $0 } ?? "")) }
        guard let index = Self.names.firstIndex(where: { "/bkt/" + $0.escaped == request.path }) else {
          return .status(404)
        }
        return .data(images[index])
      }
      defer { store.stop() }
      var configuration = ImageServer.Configuration()
      (configuration.allowsUnsigned, configuration.sendsSizes) = (true, true)
      configuration.allowedSources = ["\(scheme)://"]
      let endpoint = store.url("").absoluteString
      (configuration.s3Endpoint, configuration.gcsEndpoint, configuration.absEndpoint) = (endpoint, endpoint, endpoint)
      let server = try await start(configuration)
      for (index, name) in Self.names.enumerated() {
        for path in Self.paths("\(scheme)://bkt/", name) {
          let response = try await server.send(path)
          #expect(response.status == 200 && Self.width(response) == index + 1, "\(path) \(response.text)")
        }
      }
      try await server.stop()
      #expect(log.withLock { $0 } == Self.names.map { "/bkt/" + $0.escaped })
      let logged = try loggedPaths(server)
      #expect(
        logged
          == Self.names.flatMap { Array(repeating: Array("/unsafe/plain/\(scheme)://bkt/\($0.name)".utf8), count: 2) })
    }

    @Test("A file is read by the name in the URL")
    func files() async throws {
      let folder = FileManager.default.temporaryDirectory.path + "/nuke-names-\(UUID().uuidString)"
      defer { try? FileManager.default.removeItem(atPath: folder) }
      for (index, name) in Self.names.enumerated() {
        let path = folder + "/" + name.name
        try FileManager.default.createDirectory(
          atPath: String(path[..<path.lastIndex(of: "/")!]), withIntermediateDirectories: true)
        #expect(
          FileManager.default.createFile(atPath: path, contents: SampleImage.png(width: index + 1, height: 2)))
      }
      var configuration = ImageServer.Configuration()
      (configuration.allowsUnsigned, configuration.sendsSizes) = (true, true)
      configuration.localRoots = ["": folder]
      let server = try await start(configuration)
      for (index, name) in Self.names.enumerated() {
        for path in Self.paths("local:///", name) {
          let response = try await server.send(path)
          #expect(response.status == 200 && Self.width(response) == index + 1, "\(path) \(response.text)")
        }
      }
      try await server.stop()
    }

    @Test(
      "The version of an object follows the separator of the settings",
      arguments: [
        ("?versionId=", "s3://bkt/a?b.png?versionId=x/1", "/bkt/a%3Fb.png?versionId=x%2F1"),
        ("?", "s3://bkt/a#b.png?x/1", "/bkt/a%23b.png?versionId=x%2F1"),
        ("?", "s3://bkt/a.png?versionId=3", "/bkt/a.png?versionId=3"), ("?", "s3://bkt/a.png?", "/bkt/a.png"),
        ("", "s3://bkt/a.png?versionId=3", "/bkt/a.png%3FversionId%3D3"),
        ("@v=", "s3://bkt/a?.png@v=3", "/bkt/a%3F.png?versionId=3"),
        ("?", "gs://bkt/a.png?17", "/bkt/a.png?generation=17"),
        ("?", "gs://bkt/a.png?generation=17", "/bkt/a.png?generation=17"), ("?", "abs://bkt/a.png?17", "/bkt/a.png"),
      ])
    func versions(separator: String, source: String, requested: String) async throws {
      let image = SampleImage.png(width: 2, height: 2)
      let store = try NukeOrigin { _ in .data(image) }
      defer { store.stop() }
      var configuration = ImageServer.Configuration()
      (configuration.allowsUnsigned, configuration.querySeparator) = (true, separator)
      configuration.allowedSources = ["s3://bkt/", "gs://bkt/", "abs://bkt/"]
      let endpoint = store.url("").absoluteString
      (configuration.s3Endpoint, configuration.gcsEndpoint, configuration.absEndpoint) = (endpoint, endpoint, endpoint)
      let server = try await start(configuration)
      let response = try await server.send("/unsafe/" + Self.base64(source))
      try await server.stop()
      #expect(response.status == 200)
      #expect(store.log.requests.map { $0.path + ($0.query.map { "?" + $0 } ?? "") } == [requested])
    }

    @Test("Signed and purged names are those that are requested")
    func signing() async throws {
      let image = SampleImage.png(width: 2, height: 2)
      let store = try NukeOrigin { _ in .data(image) }
      defer { store.stop() }
      var configuration = ImageServer.Configuration()
      (configuration.keys, configuration.salts) = ([Data([1])], [Data([2])])
      (configuration.purgeKeys, configuration.purgeSalts) = ([Data([3])], [Data([4])])
      (configuration.allowedSources, configuration.s3Endpoint) = (["s3://bkt/"], store.url("").absoluteString)
      let signer = try ConfiguredSigner(configuration)
      let purger = try ConfiguredSigner(configuration, for: .purge)
      let server = try await start(configuration)
      let names = ["a#1 100%.png", "a%231 100%.png"]
      for name in names {
        #expect(try await server.send(try signer.sign("s3://bkt/" + name)).status == 200)
      }
      // Only the first name is loaded again.
      #expect(try await server.send(try purger.sign("s3://bkt/" + names[0]), method: "DELETE").status == 204)
      for name in names {
        #expect(try await server.send(try signer.sign("s3://bkt/" + name)).status == 200)
      }
      try await server.stop()
      let (first, second) = ("/bkt/a%231%20100%25.png", "/bkt/a%25231%20100%25.png")
      #expect(store.log.requests.map(\.path) == [first, second, first])
    }
  }
#endif
