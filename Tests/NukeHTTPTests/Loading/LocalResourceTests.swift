import Foundation
import FoundationNetworking
import Glibc
import Nuke
import Testing

@Suite("file: URLs")
struct FileResourceTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("A file is read completely", arguments: [0, 1, 14, 15, 4096, 1_000_003])
  func read(count: Int) throws {
    let (data, response) = try LocalResource.load(folder.file("a.jpg", noise(count)))
    #expect(data == noise(count))
    #expect(response.expectedContentLength == Int64(count))
  }

  @Test("A file may have any name", arguments: ["a b.jpg", "ä/ö.jpg", "100%.png", "q?x=1#y.png", "a%20b"])
  func names(name: String) throws {
    #expect(try LocalResource.load(folder.file(name, noise(10))).0 == noise(10))
  }

  @Test("A file name need not be UTF-8")
  func bytes() throws {
    let url = folder.file("plain", noise(10))
    let path = Array(url.deletingLastPathComponent().path.utf8) + [UInt8(ascii: "/"), 0xFF, 0]
    let renamed = path.withUnsafeBytes { rename(url.path, $0.baseAddress!.assumingMemoryBound(to: CChar.self)) }
    #expect(renamed == 0)
    let odd = try #require(URL(string: url.deletingLastPathComponent().absoluteString + "%FF"))
    #expect(try LocalResource.load(odd).0 == noise(10))
    unlink(path.map { CChar(bitPattern: $0) })
  }

  @Test("The host may be this one, ignoring case")
  func host() throws {
    let path = folder.file("a.jpg", noise(10)).path
    for prefix in ["file://localhost", "FILE://", "file:", "File://LOCALHOST"] {
      let url = try #require(URL(string: prefix + path))
      #expect(LocalResource.isLocal(url))
      #expect(try LocalResource.load(url).0 == noise(10))
    }
    #expect(throws: DataLoader.TransferError.fileNotReadable(path: path, reason: "it is on the host example.com")) {
      try LocalResource.load(URL(string: "file://example.com\(path)")!)
    }
  }

  @Test("A missing file is an error")
  func missing() throws {
    let path = folder.url.appendingPathComponent("none.jpg").path
    #expect(throws: DataLoader.TransferError.fileNotFound(path: path)) {
      try LocalResource.load(URL(fileURLWithPath: path))
    }
    let below = folder.file("a.jpg", Data()).path + "/b.jpg"
    #expect(throws: DataLoader.TransferError.fileNotFound(path: below)) {
      try LocalResource.load(URL(fileURLWithPath: below))
    }
  }

  @Test("A folder is an error")
  func directory() throws {
    let path = folder.url.path
    #expect(throws: DataLoader.TransferError.isDirectory(path: path)) {
      try LocalResource.load(URL(fileURLWithPath: path, isDirectory: false))
    }
  }

  @Test("A pipe or device is an error and does not block")
  func pipe() throws {
    let path = folder.url.appendingPathComponent("pipe").path
    #expect(mkfifo(path, 0o600) == 0)
    for path in [path, "/dev/zero"] {
      #expect(throws: DataLoader.TransferError.fileNotReadable(path: path, reason: "it is not a regular file")) {
        try LocalResource.load(URL(fileURLWithPath: path))
      }
    }
  }

  @Test(
    "An unreadable file is an error with the system's description", .enabled(if: getuid() != 0, "root may read all"))
  func permission() throws {
    let url = folder.file("a.jpg", noise(10))
    #expect(chmod(url.path, 0) == 0)
    #expect(throws: DataLoader.TransferError.fileNotReadable(path: url.path, reason: "Permission denied")) {
      try LocalResource.load(url)
    }
  }

  @Test("A file above the limit is an error before it is read")
  func limit() throws {
    let url = folder.file("large", Data())
    // A sparse file of a terabyte.
    #expect(truncate(url.path, 1 << 40) == 0)
    #expect(throws: DataLoader.TransferError.bodyTooLarge(limit: 1000)) { try LocalResource.load(url, limit: 1000) }
    let small = folder.file("small", noise(1000))
    #expect(try LocalResource.load(small, limit: 1000).0.count == 1000)
  }

  @Test("A sparse file of the largest size is an error", .enabled(if: access("/dev/shm", W_OK) == 0))
  func largest() throws {
    // Most other file systems do not have files of this size.
    let url = URL(fileURLWithPath: "/dev/shm/nuke-\(UUID().uuidString)")
    defer { unlink(url.path) }
    try Data().write(to: url)
    #expect(truncate(url.path, .max) == 0)
    #expect(throws: DataLoader.TransferError.fileNotReadable(path: url.path, reason: "File too large")) {
      try LocalResource.load(url)
    }
  }

  @Test("A file without a known size is read to its end")
  func proc() throws {
    #expect(try !LocalResource.load(URL(fileURLWithPath: "/proc/self/status")).0.isEmpty)
    #expect(throws: DataLoader.TransferError.bodyTooLarge(limit: 10)) {
      try LocalResource.load(URL(fileURLWithPath: "/proc/self/status"), limit: 10)
    }
  }

  @Test("A null byte in the path is an error")
  func null() throws {
    #expect(throws: DataLoader.TransferError.self) {
      try LocalResource.load(URL(string: "file:///etc/hostname%00.jpg")!)
    }
  }

  @Test("No descriptor is leaked")
  func descriptors() throws {
    let url = folder.file("a.jpg", noise(10))
    _ = try LocalResource.load(url)
    #expect(throws: DataLoader.TransferError.bodyTooLarge(limit: 1)) { try LocalResource.load(url, limit: 1) }
    #expect(throws: DataLoader.TransferError.self) { try LocalResource.load(folder.url) }
    // Other tests have files of their own open meanwhile.
    let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
    }
    #expect(!open.isEmpty)
    #expect(open.filter { $0.hasPrefix(folder.url.path) } == [])
  }
}

@Suite("data: URLs")
struct DataURLTests {
  struct Sample: Sendable, CustomTestStringConvertible {
    let url: String
    let body: String
    var type = "text/plain"
    var testDescription: String { url }
  }

  @Test(
    "A data: URL is decoded",
    arguments: [
      Sample(url: "data:,hello", body: "hello"),
      Sample(url: "data:,", body: ""),
      Sample(url: "data:text/html,a%20b%2Cc", body: "a b,c", type: "text/html"),
      Sample(url: "data:,100%", body: "100%"),
      Sample(url: "data:,a,b", body: "a,b"),
      Sample(url: "data:,a+b", body: "a+b"),
      Sample(url: "data:;base64,aGVsbG8=", body: "hello"),
      Sample(url: "data:;base64,aGVsbG8", body: "hello"),
      Sample(url: "data:;base64,aGVsbA==", body: "hell"),
      Sample(url: "data:;base64,aGVsbA", body: "hell"),
      Sample(url: "data:;base64,", body: ""),
      Sample(url: "data:;base64,aGVs%62G8%3D", body: "hello"),
      Sample(url: "data:;base64,aG%20Vs%0Ab%0D%09G8=", body: "hello"),
      Sample(url: "data:;base64,Pz8%2FPj4%2B", body: "???>>>"),
      Sample(url: "data:;base64,Pz8/Pj4+", body: "???>>>"),
      Sample(url: "DATA:image/PNG;BASE64,aGVsbG8=", body: "hello", type: "image/png"),
      Sample(url: "data:image/png;charset=utf-8;base64,aGVsbG8=#part", body: "hello", type: "image/png"),
      Sample(url: "data:base64,aGVsbG8=", body: "aGVsbG8="),
    ])
  func decode(sample: Sample) throws {
    let url = try #require(URL(string: sample.url))
    #expect(LocalResource.isLocal(url))
    // Twice: where Foundation's reading hangs the second time.
    for _ in 0..<2 {
      let (data, response) = try LocalResource.load(url)
      #expect(String(decoding: data, as: UTF8.self) == sample.body)
      #expect(response.mimeType == sample.type)
      #expect(response.expectedContentLength == Int64(sample.body.utf8.count))
    }
  }

  @Test(
    "A malformed data: URL is an error",
    arguments: [
      "data:", "data:hello", "data:;base64,aGVsb*8=", "data:;base64,a", "data:;base64,aGVsb", "data:;base64,aGVsbG8==",
      "data:;base64,aGVsbG8=aGVs", "data:;base64,====", "data:;base64,aGVs%C3%BF", "data:;base64,aGVs%",
    ])
  func malformed(text: String) throws {
    let url = try #require(URL(string: text))
    let error = try #require(throws: DataLoader.TransferError.self) { try LocalResource.load(url) }
    guard case .malformedDataURL(let reason) = error else { throw Unexpected(error) }
    #expect(!reason.isEmpty)
  }

  @Test("A data: URL may be large, and the limit applies")
  func large() throws {
    let body = noise(3_000_001)
    let url = try #require(URL(string: "data:image/jpeg;base64," + body.base64EncodedString()))
    #expect(try LocalResource.load(url).0 == body)
    #expect(try LocalResource.load(url, limit: body.count).0 == body)
    #expect(throws: DataLoader.TransferError.bodyTooLarge(limit: 3_000_000)) {
      try LocalResource.load(url, limit: 3_000_000)
    }
    #expect(throws: DataLoader.TransferError.bodyTooLarge(limit: 2)) {
      try LocalResource.load(URL(string: "data:,abc")!, limit: 2)
    }
  }

  @Test("Local URLs are distinguished from others", arguments: ["http://a/", "datum:,x", "files:///a", "a.jpg"])
  func isLocal(text: String) throws {
    #expect(try !LocalResource.isLocal(#require(URL(string: text))))
  }
}

@Suite("A data loader for local resources")
struct LocalLoadingTests {
  @Test("The observer receives the head, one chunk and one end")
  func stream() async throws {
    let folder = try TemporaryFolder()
    let state = await makeLoader().outcome(of: folder.file("a.jpg", noise(100_000)))
    #expect(state.error == nil)
    #expect(state.head?.expectedLength == 100_000)
    #expect(state.head?.status == nil)
    #expect(state.chunkSizes == [100_000])
    #expect(state.body == noise(100_000))
    #expect(state.ends.count == 1)
    let data = await makeLoader().outcome(of: URL(string: "data:image/gif;base64,aGVsbG8=")!)
    #expect(data.body == Data("hello".utf8))
    #expect(data.head?.urlResponse().mimeType == "image/gif")
  }

  @Test("The source's error is reported, and the limit applies")
  func errors() async throws {
    let folder = try TemporaryFolder()
    #expect(await makeLoader().outcome(of: folder.url).error == .isDirectory(path: folder.url.path + "/"))
    let loader = makeLoader { $0.maximumBodySize = 5 }
    #expect(await loader.outcome(of: folder.file("a", noise(6))).error == .bodyTooLarge(limit: 5))
  }

  @Test("A canceled load ends exactly once")
  func cancel() async throws {
    let loader = makeLoader()
    let recorders = (0..<100).map { _ in
      let (recorder, transfer) = loader.record(URLRequest(url: URL(string: "data:,x")!))
      transfer.cancel()
      return recorder
    }
    for recorder in recorders { await recorder.finished() }
    #expect(recorders.allSatisfy { $0.state.ends.count == 1 })
  }
}
