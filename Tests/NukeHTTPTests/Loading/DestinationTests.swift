import Foundation
import Nuke
import Testing

@Suite("The destination of a request")
struct DestinationTests {
  /// What a redirect makes of a request.
  private func follow(
    _ location: String, from url: String = "http://a.test/x/y.png?q=1", status: Int = 302, method: String = "GET",
    _ configure: (inout DataLoader.Configuration) -> Void = { _ in }
  ) throws -> Destination? {
    try follow(location, from: Destination(url: url), status: status, method: method, configure)
  }

  private func follow(
    _ location: String, from destination: Destination, status: Int = 302, method: String = "GET",
    _ configure: (inout DataLoader.Configuration) -> Void = { _ in }
  ) throws -> Destination? {
    var configuration = DataLoader.Configuration()
    configure(&configuration)
    return try destination.redirected(
      status: status, location: Array(location.utf8), method: method, configuration: configuration)
  }

  @Test(
    "A Location may have any form",
    arguments: [
      ("/b", "http://a.test/b"), ("b", "http://a.test/x/b"), ("../b", "http://a.test/b"),
      ("./b?c", "http://a.test/x/b?c"), ("?z=2", "http://a.test/x/y.png?z=2"),
      ("//b.test:81/c", "http://b.test:81/c"), ("https://b.test", "https://b.test/"),
      ("HTTP://b.test/c d", "http://b.test/c%20d"), ("/caf\u{E9}", "http://a.test/caf%C3%A9"),
      ("/a%20b c?d=%26 e", "http://a.test/a%20b%20c?d=%26%20e"), ("//b.test/[%5B]", "http://b.test/%5B%5B%5D"),
      ("http://2130706433/", "http://127.0.0.1/"), ("http://[::1]/", "http://[::1]/"),
    ])
  func locations(location: String, url: String) throws {
    let next = try #require(try follow(location))
    #expect(next.url == url)
    #expect(next.location == URL(string: url))
  }

  @Test(
    "The fragment of the base URL does not affect the target",
    arguments: [
      ("http://a.test/b#frag", "?q=1", "http://a.test/b?q=1#frag"),
      ("http://a.test/d/b#x/y", "c", "http://a.test/d/c#x/y"),
      ("http://a.test/d/b#x?y", "?q=1", "http://a.test/d/b?q=1#x?y"),
      ("http://a.test/d/b?q#x", "//b.test/c", "http://b.test/c#x"),
      ("http://a.test/d/b#x", "/c?q#y z", "http://a.test/c?q#y%20z"),
      ("http://a.test/d/b#x", "http://b.test/c#y z", "http://b.test/c#y%20z"),
    ])
  func fragments(url: String, location: String, target: String) throws {
    let next = try #require(try follow(location, from: url))
    #expect(next.url == target)
    #expect(next.location == URL(string: target))
  }

  @Test(
    "A Location with only a fragment leads to the same URL",
    arguments: ["http://a.test/d/b", "http://a.test/d/b?q=1", "http://me:se%40cret@a.test/d/b", "http://a.test/"])
  func fragmentAlone(url: String) throws {
    for base in [url, url + "#x/y"] { #expect(try follow("#f%20g", from: base)?.url == url + "#f%20g") }
    #expect(try follow("#f g\u{E9}", from: url)?.url == url + "#f%20g%C3%A9")
  }

  @Test("A Location may contain bytes that are not text")
  func bytes() throws {
    let next = try Destination(url: "http://a.test/").redirected(
      status: 301, location: Array("/caf".utf8) + [0xE9], method: "GET", configuration: .init())
    #expect(next?.url == "http://a.test/caf%E9")
  }

  @Test(
    "An invalid URL is not a target",
    arguments: ["http://[::g]/", "http://", "http://a.test:99999/", "http://a b/", "/a\u{0}b"])
  func noURL(location: String) {
    #expect(throws: DataLoader.TransferError.protocolError(host: "a.test", reason: "it redirects to an invalid URL")) {
      try follow(location)
    }
  }

  @Test("A tab in a Location is escaped")
  func tab() throws {
    #expect(try follow("/a\tb")?.url == "http://a.test/a%09b")
  }

  @Test(
    "Only HTTP and HTTPS are targets", arguments: ["file:///a", "FTP://a.test/", "data:,a", "javascript:1", "c:/a"])
  func schemes(location: String) {
    #expect(throws: DataLoader.TransferError.unsupportedScheme(String(location.prefix { $0 != ":" }))) {
      try follow(location)
    }
  }

  @Test("Only a redirect status changes the destination", arguments: [200, 304, 305, 306, 309, 399, 404])
  func otherStatuses(status: Int) throws {
    #expect(try follow("/b", status: status) == nil)
  }

  @Test("Only a Location over HTTP changes the destination")
  func noLocation() throws {
    #expect(try follow("") == nil)
    #expect(
      try Destination(url: "http://a.test/").redirected(
        status: 302, location: nil, method: "GET", configuration: .init()) == nil)
    #expect(try follow("http://b.test/", from: "ftp://a.test/") == nil)
  }

  @Test(
    "The method changes only for certain statuses",
    arguments: [
      (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (303, "PUT", "GET"), (303, "HEAD", "HEAD"),
      (301, "PUT", "PUT"), (302, "DELETE", "DELETE"), (300, "POST", "POST"), (307, "POST", "POST"), (308, "PUT", "PUT"),
      (301, "HEAD", "HEAD"),
    ])
  func methods(status: Int, method: String, next: String) throws {
    let destination = try #require(try follow("/b", status: status, method: method))
    #expect(destination.method(method) == next)
    let losesBody = method != next
    #expect(destination.body(Data([1])) == (losesBody ? nil : Data([1])))
    #expect(destination.drops("Content-Type") == losesBody)
    #expect(!destination.drops("Accept") && !destination.drops("Range"))
    // Once lost, it does not come back.
    let last = try #require(try follow("/c", from: destination, status: 307, method: next))
    #expect(last.method(method) == next)
  }

  @Test(
    "Secrets are sent if scheme, host and port are the request's own",
    arguments: [
      ("/b", true), ("http://A.TEST/b", true), ("http://a.test:80/b", true), ("//a.test", true),
      ("https://a.test/b", false), ("http://a.test:81/b", false), ("http://b.a.test/", false),
      ("http://a.test./", false),
    ])
  func secrets(location: String, isSame: Bool) throws {
    let next = try #require(try follow(location, from: "http://me:se%40cret@a.test/x"))
    for name in ["Authorization", "cookie", "HOST"] { #expect(next.drops(name) == !isSame) }
    #expect(!next.drops("If-None-Match"))
    #expect(next.url.contains("me:se%40cret@") == isSame)
  }

  @Test("Fields that belong to one client are not sent to another origin, and not after it")
  func privateFields() throws {
    let first = Destination(url: "http://a.test/", privateFields: ["x-user"])
    #expect(!first.drops("X-User"))
    let same = try #require(try follow("/b", from: first))
    #expect(!same.drops("X-User"))
    let other = try #require(try follow("http://b.test/", from: same))
    #expect(other.drops("X-User") && !other.drops("X-Other"))
    #expect(try #require(try follow("http://a.test/", from: other)).drops("X-User"))
  }

  @Test("Secrets are not sent anymore after another origin was visited")
  func wayBack() throws {
    let first = Destination(url: "http://me:secret@a.test/")
    let other = try #require(try follow("http://you:secret@b.test/", from: first))
    #expect(other.url == "http://b.test/")
    let back = try #require(try follow("http://you:secret@a.test/", from: other))
    #expect(back.url == "http://a.test/")
    #expect(back.drops("Authorization") && back.drops("Host"))
  }

  @Test("The number of redirects is limited, and signed requests follow none")
  func limit() throws {
    var destination = Destination(url: "http://a.test/")
    for _ in 0..<2 { destination = try #require(try follow("/b", from: destination) { $0.maximumRedirects = 2 }) }
    #expect(throws: DataLoader.TransferError.tooManyRedirects(limit: 2)) {
      try follow("/b", from: destination) { $0.maximumRedirects = 2 }
    }
    #expect(throws: DataLoader.TransferError.tooManyRedirects(limit: 0)) {
      try follow("/b") {
        $0.signing = .signatureV4(SignatureV4(accessKey: "a", secretKey: "b", region: "c", service: "s3"))
      }
    }
  }

  @Test("HTTPS does not lead to HTTP unless that is allowed")
  func insecure() throws {
    #expect(throws: DataLoader.TransferError.insecureRedirect(host: "b.test")) {
      try follow("http://b.test/", from: "https://a.test/")
    }
    let secure = try #require(try follow("https://a.test/"))
    #expect(throws: DataLoader.TransferError.insecureRedirect(host: "a.test")) {
      try follow("HTTP://a.test/", from: secure)
    }
    #expect(try follow("//b.test/", from: secure)?.url == "https://b.test/")
    let allowed = try follow("http://b.test/", from: "https://a.test/") { $0.followsInsecureRedirects = true }
    #expect(allowed?.url == "http://b.test/")
  }
}
