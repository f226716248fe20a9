import Dispatch
import Foundation
import FoundationNetworking
import Glibc
import Nuke
import NukeLoaderSuite
import Testing

@testable import NukeServing

@Suite("Local sources", .timeLimit(.minutes(1)))
struct LocalSourceTests {
  private let folder: TemporaryFolder
  private let source: LocalSource

  init() throws {
    folder = try TemporaryFolder()
    _ = folder.file("root/a.jpg", Data("picture".utf8))
    _ = folder.file("root/b/c d.jpg", Data("inner".utf8))
    _ = folder.file("root/100%.jpg", Data("percent".utf8))
    _ = folder.file("root/%41.jpg", Data("escaped".utf8))
    _ = folder.file("root/empty", Data())
    _ = folder.file("other/a.jpg", Data("other".utf8))
    _ = folder.file("secret", Data("secret".utf8))
    source = LocalSource(roots: [
      "": folder.url.appendingPathComponent("root"), "more": folder.url.appendingPathComponent("other"),
    ])
  }

  private func load(_ text: String, _ fields: [String: String] = [:], by source: LocalSource? = nil) async throws
    -> Recorder.State
  {
    var request = URLRequest(url: try #require(URL(string: text)))
    for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
    return await (source ?? self.source).outcome(of: request)
  }

  private func link(_ name: String, to target: String) {
    #expect(symlink(target, folder.url.path + "/root/" + name) == 0)
  }

  @Test("A transfer releases its observer after the end")
  func release() async throws {
    for name in ["a.jpg", "missing"] {
      let url = try #require(URL(string: "local:///\(name)"))
      await source.letGoOfObserver(of: url)
    }
  }

  /// Pauses its transfer within the first of several reads.
  private final class Pausing: Sendable {
    let isResumed = Lock(false)
    private let isFirst = Lock(true)
    private let transfer = Lock<(any Transfer)?>(nil)
    private let isKnown = DispatchSemaphore(value: 0)

    func start(_ source: LocalSource, _ url: URL) async -> (any Transfer, Recorder) {
      let recorder = Recorder(onChunk: { self.chunk() })
      let started = source.stream(URLRequest(url: url), limit: nil, observer: recorder)
      transfer.withLock { $0 = started }
      isKnown.signal()
      await recorder.waitUntil { !$0.body.isEmpty }
      return (started, recorder)
    }

    private func chunk() {
      let isFirst = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      guard isFirst else {
        if !isResumed.withLock({ $0 }) { Issue.record("it goes on") }
        return
      }
      isKnown.wait()
      transfer.withLock { $0 }?.pause()
    }
  }

  private func large() throws -> URL {
    _ = folder.file("root/large", Data(repeating: 7, count: 700_000))
    return try #require(URL(string: "local:///large"))
  }

  @Test("A paused transfer waits, and continues where it stopped")
  func pausing() async throws {
    let pausing = Pausing()
    let (transfer, recorder) = await pausing.start(source, try large())
    pausing.isResumed.withLock { $0 = true }
    transfer.resume()
    let state = await recorder.finished()
    #expect(state.error == nil && state.body == Data(repeating: 7, count: 700_000))
  }

  @Test("A paused transfer ends when it is canceled")
  func cancelledWhilePaused() async throws {
    let (transfer, recorder) = await Pausing().start(source, try large())
    transfer.cancel()
    let state = await recorder.finished()
    #expect(state.error == .cancelled && state.body.count < 700_000)
    #expect(state.ends.count == 1)
  }

  @Test(
    "Files are read by their names, percent-decoded once",
    arguments: [
      ("local:///a.jpg", "picture"), ("local:///b/c%20d.jpg", "inner"), ("local:///b//c%20d.jpg", "inner"),
      ("LOCAL:///a.jpg?x#y", "picture"), ("local:///100%25.jpg", "percent"), ("local:///%2541.jpg", "escaped"),
      ("local://more/a.jpg", "other"), ("local:///empty", ""),
    ])
  func names(url: String, body: String) async throws {
    let state = try await load(url)
    #expect(state.error == nil)
    #expect(state.body == Data(body.utf8))
    #expect(state.head?.status == 200)
    #expect(state.head?.expectedLength == body.utf8.count)
    #expect(state.ends.count == 1)
  }

  @Test(
    "A missing file is an error",
    arguments: [
      "local:///z.jpg", "local:///a.jpg/b", "local:///b/z", "local://less/a.jpg",
      "local:///" + String(repeating: "n", count: 300),
    ])
  func missing(url: String) async throws {
    let error = try await load(url).error
    guard case .fileNotFound = error else { throw Unexpected(error) }
  }

  @Test(
    "No path leads out of the folder",
    arguments: [
      "local:///../secret", "local:///b/../../secret", "local:///%2e%2e/secret", "local:///b/%2e%2e/%2e%2e/secret",
      "local:///..%2fsecret", "local:///b%2f..%2f..%2fsecret", "local:///.", "local:///./a.jpg", "local:///",
      "local://",
      "local:///a.jpg%00.png", "local://more/../secret",
    ])
  func upwards(url: String) async throws {
    let state = try await load(url)
    guard case .malformedURL = state.error else { throw Unexpected(state.error) }
    #expect(state.body.isEmpty)
  }

  /// Reads a file by the kernel's resolution, and folder by folder.
  private func read(_ name: String) throws -> [Result<Data, DataLoader.TransferError>] {
    let path = try LocalSourcePath(try #require(URL(string: "local:///\(name)")))
    return [true, false].map { usesKernel in
      Result { () throws(DataLoader.TransferError) in
        let file = try FolderWalk(folder.url.path + "/root", path).file(usesKernel: usesKernel)
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = withExtendedLifetime(file) { pread(file.number, &bytes, 100, 0) }
        return Data(bytes.prefix(max(0, count)))
      }
    }
  }

  @Test("Symbolic links are followed within the folder, as in volumes of Kubernetes")
  func links() async throws {
    _ = folder.file("root/..2026_01/photos/x.jpg", Data("first".utf8))
    _ = folder.file("root/..2026_02/photos/x.jpg", Data("second".utf8))
    link("..data", to: "..2026_01")
    link("x.jpg", to: "..data/photos/x.jpg")
    link("b/up", to: "../b/./../a.jpg")
    link("current", to: folder.url.path + "/root//b/")
    link("current2", to: "current")
    for (name, body) in [
      ("x.jpg", "first"), ("..data/photos/x.jpg", "first"), ("b/up", "picture"), ("current/c%20d.jpg", "inner"),
      ("current2/c%20d.jpg", "inner"),
    ] {
      for result in try read(name) { #expect(try result.get() == Data(body.utf8), "\(name)") }
      #expect(try await load("local:///\(name)").body == Data(body.utf8), "\(name)")
    }
    // An update replaces one link.
    link("..tmp", to: "..2026_02")
    #expect(rename(folder.url.path + "/root/..tmp", folder.url.path + "/root/..data") == 0)
    for result in try read("x.jpg") { #expect(try result.get() == Data("second".utf8)) }
  }

  @Test("Symbolic links that leave the folder are not followed")
  func linksOutside() async throws {
    link("file", to: "../secret")
    link("absolute", to: folder.url.path + "/secret")
    link("sibling", to: folder.url.path + "/root2/secret")
    link("dots", to: folder.url.path + "/root/../secret")
    link("folder", to: "..")
    link("chain", to: "b/chain")
    link("b/chain", to: "../../secret")
    link("b/over", to: "../../root/a.jpg")
    _ = folder.file("root2/secret", Data("secret".utf8))
    for name in ["file", "absolute", "sibling", "dots", "folder/secret", "chain", "b/chain", "b/over"] {
      let error = DataLoader.TransferError.fileNotReadable(
        path: "local:///\(name)", reason: "it is a symbolic link that leaves the folder")
      for result in try read(name) { #expect(result == .failure(error), "\(name)") }
      #expect(try await load("local:///\(name)").error == error, "\(name)")
      guard case .sourceNotFound = ServingError(loading: error) else { throw Unexpected(error) }
    }
  }

  @Test("Symbolic links that lead in a circle, to nothing or to a folder are not files")
  func noFiles() async throws {
    link("circle", to: "circle")
    link("one", to: "two/x")
    link("two", to: "one/y")
    link("nowhere", to: "missing")
    link("inner", to: "b")
    link("dots", to: "b/..")
    for name in ["circle", "one", "circle/x"] {
      let error = DataLoader.TransferError.fileNotReadable(
        path: "local:///\(name)", reason: "it has too many symbolic links")
      for result in try read(name) { #expect(result == .failure(error), "\(name)") }
      guard case .sourceNotFound = ServingError(loading: error) else { throw Unexpected(error) }
    }
    for result in try read("nowhere") { #expect(result == .failure(.fileNotFound(path: "local:///nowhere"))) }
    for name in ["inner", "dots"] {
      #expect(try await load("local:///\(name)").error == .isDirectory(path: "local:///\(name)"))
    }
    // A file in place of a folder is something else.
    for result in try read("a.jpg/b") { #expect(result == .failure(.fileNotFound(path: "local:///a.jpg/b"))) }
  }

  @Test("The version of a file follows links, and files that cannot be read have none")
  func versions() async throws {
    func version(_ name: String) throws -> CurrentVersion {
      source.currentVersion(of: try #require(URL(string: "local:///\(name)")))
    }
    link("x.jpg", to: "a.jpg")
    let tag = try #require(try await load("local:///a.jpg").head?.value(forField: "ETag"))
    #expect(try version("a.jpg") == .tagged(tag))
    #expect(try version("x.jpg") == .tagged(tag))
    #expect(try version("%41.jpg") == .missing)
    link("outside", to: "../secret")
    #expect(try version("outside") == .missing)
    let loader = SourceLoader(["local": source, "http": FixedDataLoader(Data())])
    #expect(loader.currentVersion(of: try #require(URL(string: "local:///a.jpg"))) == .tagged(tag))
    #expect(loader.currentVersion(of: try #require(URL(string: "http://a/a.jpg"))) == .unknown)
  }

  @Test("A change of a file, or of the way to it, is seen at the next look")
  func unchanged() async throws {
    let url = try #require(URL(string: "local:///dir/x.jpg"))
    let root = folder.url.path + "/root"
    let (directory, path) = (root + "/dir", root + "/dir/x.jpg")
    /// Makes the file, notes its version, changes something, and returns both versions.
    func versions(_ change: () throws -> Void) throws -> (CurrentVersion, CurrentVersion) {
      try? FileManager.default.removeItem(atPath: directory)
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
      try Data("before".utf8).write(to: URL(fileURLWithPath: path))
      let before = source.currentVersion(of: url)
      #expect(source.currentVersion(of: url) == before)
      try change()
      return (before, source.currentVersion(of: url))
    }
    let same = try versions { try #require(chmod(path, 0o640) == 0) }
    #expect(same.0 == same.1 && same.0 != .missing)
    let longer = try versions { try Data("longer than before".utf8).write(to: URL(fileURLWithPath: path)) }
    #expect(longer.0 != longer.1 && longer.1 != .missing)
    let outside = folder.url.path + "/moved.jpg"
    let changes: [(String, () throws -> Void)] = [
      ("removed", { try #require(unlink(path) == 0) }),
      (
        "a folder now",
        {
          try #require(unlink(path) == 0)
          try #require(mkdir(path, 0o700) == 0)
        }
      ),
      (
        "moved out of the root, and linked",
        {
          try #require(rename(path, outside) == 0)
          try #require(symlink(outside, path) == 0)
        }
      ),
    ]
    for (name, change) in changes {
      let (before, after) = try versions(change)
      #expect(before != .missing && after == .missing, "\(name)")
    }
  }

  @Test("The root folder itself may be a symbolic link")
  func linkedRoot() async throws {
    #expect(symlink(folder.url.path + "/root", folder.url.path + "/linked") == 0)
    let source = LocalSource(root: folder.url.appendingPathComponent("linked"))
    #expect(try await load("local:///a.jpg", by: source).body == Data("picture".utf8))
  }

  @Test("Only regular files are read, not folders, pipes and sockets")
  func kinds() async throws {
    let directory = try await load("local:///b").error
    guard case .isDirectory = directory else { throw Unexpected(directory) }
    #expect(mkfifo(folder.url.path + "/root/pipe", 0o600) == 0)
    let error = try await load("local:///pipe").error
    #expect(error == .fileNotReadable(path: "local:///pipe", reason: "it is not a regular file"))
    let devices = LocalSource(root: URL(fileURLWithPath: "/dev"))
    #expect(try await load("local:///null", by: devices).error != nil)
  }

  @Test("A matching entity tag or date returns 304")
  func conditions() async throws {
    let head = try #require(try await load("local:///a.jpg").head)
    let tag = try #require(head.value(forField: "ETag"))
    let date = try #require(head.value(forField: "Last-Modified"))
    #expect(tag.hasPrefix("\""))
    for fields in [
      ["If-None-Match": tag], ["If-None-Match": "\"x\", W/\(tag)"], ["If-None-Match": "*"], ["If-Modified-Since": date],
    ] {
      let state = try await load("local:///a.jpg", fields)
      #expect(state.error == nil)
      #expect(state.head?.status == 304)
      #expect(state.head?.value(forField: "ETag") == tag)
      #expect(state.body.isEmpty)
    }
    for fields in [
      ["If-None-Match": "\"x\""], ["If-Modified-Since": "Sun, 06 Nov 1994 08:49:37 GMT"], ["If-Modified-Since": "soon"],
      ["If-None-Match": "\"x\"", "If-Modified-Since": date],
    ] {
      #expect(try await load("local:///a.jpg", fields).head?.status == 200)
    }
  }

  @Test("A changed file has another entity tag, even if its size is the same")
  func changes() async throws {
    let tag = try #require(try await load("local:///a.jpg").head?.value(forField: "ETag"))
    let path = folder.url.path + "/root/a.jpg"
    try Data("PICTURE".utf8).write(to: URL(fileURLWithPath: path))
    var times = [timespec(tv_sec: 1_000_000_000, tv_nsec: 5), timespec(tv_sec: 1_000_000_000, tv_nsec: 5)]
    #expect(utimensat(AT_FDCWD, path, &times, 0) == 0)
    let state = try await load("local:///a.jpg", ["If-None-Match": tag])
    #expect(state.head?.status == 200)
    #expect(state.head?.value(forField: "Last-Modified") == "Sun, 09 Sep 2001 01:46:40 GMT")
    let second = try #require(state.head?.value(forField: "ETag"))
    times = [timespec(tv_sec: 1_000_000_000, tv_nsec: 6), timespec(tv_sec: 1_000_000_000, tv_nsec: 6)]
    #expect(utimensat(AT_FDCWD, path, &times, 0) == 0)
    #expect(try await load("local:///a.jpg").head?.value(forField: "ETag") != second)
  }

  @Test("A file that is too large is rejected before it is read")
  func size() async throws {
    let request = URLRequest(url: try #require(URL(string: "local:///a.jpg")))
    #expect(await source.record(request, limit: 6).recorder.finished().error == .bodyTooLarge(limit: 6))
    #expect(await source.record(request, limit: 7).recorder.finished().error == nil)
    let small = LocalSource(root: folder.url.appendingPathComponent("root"), maximumSize: 6)
    let state = await small.record(request, limit: 100).recorder.finished()
    #expect(state.error == .bodyTooLarge(limit: 6))
    #expect(state.heads.isEmpty)
  }

  @Test("Files are delivered in chunks, and fail if they change while they are read", arguments: [true, false])
  func parts(isTruncated: Bool) async throws {
    let body = noise(600_000)
    let file = folder.file("root/large", body)
    let recorder = Recorder(onChunk: { if isTruncated { truncate(file.path, 100) } })
    let request = URLRequest(url: try #require(URL(string: "local:///large")))
    withExtendedLifetime(source.stream(request, limit: nil, observer: recorder)) {}
    let state = await recorder.finished()
    if isTruncated {
      #expect(state.error == .fileNotReadable(path: "local:///large", reason: "it changed while it was read"))
    } else {
      #expect(state.body == body)
      #expect(state.chunkSizes.count > 1)
    }
  }

  @Test("A canceled transfer stops reading")
  func cancelling() async throws {
    _ = folder.file("root/large", noise(600_000))
    let source = source
    let request = URLRequest(url: try #require(URL(string: "local:///large")))
    let held = DispatchSemaphore(value: 0)
    let recorder = Recorder(onHead: { held.wait() })
    let transfer = source.stream(request, limit: nil, observer: recorder)
    transfer.cancel()
    held.signal()
    let state = await recorder.finished()
    #expect(state.error == .cancelled)
    #expect(state.body.isEmpty)
  }

  @Test("A missing root folder is an error")
  func missingRoot() async throws {
    let source = LocalSource(root: folder.url.appendingPathComponent("gone"))
    let error = try await load("local:///a.jpg", by: source).error
    guard case .fileNotReadable(let path, _) = error else { throw Unexpected(error) }
    #expect(path.hasSuffix("/gone"))
  }
}
