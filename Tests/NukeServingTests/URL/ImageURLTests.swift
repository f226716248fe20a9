import NukeTesting
import Testing

@testable import NukeServing

@Suite("URLs in the imgproxy format")
struct ImageURLTests {
  private func malformed(_ path: String) -> String? {
    do {
      _ = try ImageURL(path: path)
      return nil
    } catch .malformedURL(let reason) {
      return reason
    } catch {
      return "another error"
    }
  }

  @Test("A plain source is unchanged, with the format after an @")
  func plain() throws {
    let url = try ImageURL(path: "/AfrO/rs:fill:300:400:0/g:sm/plain/http://example.com/images/curiosity.jpg@png")
    #expect(url.signature == "AfrO")
    #expect(url.options == [ImageOption("rs", "fill", "300", "400", "0"), ImageOption("g", "sm")])
    #expect(url.source == "http://example.com/images/curiosity.jpg")
    #expect(url.fileExtension == "png")
    #expect(url.signedPath == "/rs:fill:300:400:0/g:sm/plain/http://example.com/images/curiosity.jpg@png")
  }

  @Test("A Base64 source may contain slashes and padding")
  func encoded() throws {
    for text in [
      "aHR0cDovL2V4YW1w/bGUuY29tL2ltYWdl/cy9jdXJpb3NpdHku/anBn", "aHR0cDovL2V4YW1wbGUuY29tL2ltYWdlcy9jdXJpb3NpdHkuanBn",
    ] {
      let url = try ImageURL(path: "/x/w:10/\(text).webp")
      #expect(url.source == "http://example.com/images/curiosity.jpg")
      #expect(url.fileExtension == "webp")
    }
    #expect(try ImageURL(path: "/x/bG9jYWw6Ly8vYQ==").source == "local:///a")
    #expect(try ImageURL(path: "/x/bG9jYWw6Ly8vYQ").source == "local:///a")
  }

  @Test("Options and format may be missing")
  func bare() throws {
    let url = try ImageURL(path: "/unsafe/plain/local:///a/b.jpg")
    #expect(url.options.isEmpty)
    #expect(url.source == "local:///a/b.jpg")
    #expect(url.fileExtension == nil)
  }

  @Test("Escapes are decoded once")
  func escapes() throws {
    let url = try ImageURL(path: "/x/fn:a%20b%3Ac/plain/http://a/b%3Fc%3D1%40%2520@jpg")
    #expect(url.options == [ImageOption("fn", "a b:c")])
    #expect(url.source == "http://a/b?c=1@%20")
    #expect(url.fileExtension == "jpg")
  }

  @Test("An option with escaped colons is parsed")
  func escapedColons() throws {
    #expect(try ImageURL(path: "/x/rs%3Afit%3A10/plain/http://a").options == [ImageOption("rs", "fit", "10")])
  }

  @Test("Empty options are ignored, as a client from PyPI writes them")
  func emptyOptions() throws {
    let url = try ImageURL(path: "/insecure//g:ce/rs:auto:800:400:0/aHR0cHM6Ly9waWNzdW0ucGhvdG9zLzEwMDA")
    #expect(url.options.map(\.name) == ["g", "rs"])
    #expect(url.source == "https://picsum.photos/1000")
  }

  @Test(
    "A source with fewer slashes than its scheme requires is written so that none is added",
    arguments: [
      "http:/.", "https:/a/b", "s3:/a", "gs:/a", "abs:/a", "local:/a", "local://a", "local:///a", "http://a", "http:/",
    ])
  func fewSlashes(source: String) throws {
    for isEncoded in [false, true] {
      #expect(try ImageURL(path: ImageURL(source: source, isEncoded: isEncoded).path).source == source)
    }
  }

  @Test("A slash that a proxy has removed from a source's scheme is restored")
  func collapsedSlashes() throws {
    #expect(try ImageURL(path: "/x/plain/http:/a/b.jpg").source == "http://a/b.jpg")
    for store in ["s3", "gs", "abs"] {
      #expect(try ImageURL(path: "/x/plain/\(store):/bucket/key").source == "\(store)://bucket/key")
    }
    #expect(try ImageURL(path: "/x/plain/local:/a/b.jpg").source == "local:///a/b.jpg")
    // The signature is over what was signed.
    let url = try ImageURL(path: "/x/w:10/plain/https:/a/b.jpg@png")
    #expect(url.signedPath == "/w:10/plain/https://a/b.jpg@png")
  }

  @Test(
    "A malformed URL is an error with the reason",
    arguments: [
      ("", "slash"), ("x", "slash"), ("/", "after the signature"), ("//", "after the signature"),
      ("/x", "after the signature"), ("/x/", "no source"), ("/x/w:10", "no source"), ("/x/w:10/", "no source"),
      ("/x/plain/", "empty"), ("/x/plain/@png", "empty"), ("/x/plain/http://a@b@c", "%40"),
      ("/x/plain/http://a%", "escape"), ("/x/plain/http://a%zz", "escape"), ("/x/plain/http://a%00b", "escape"),
      ("/x/plain/http://a%FF", "escape"), ("/x/w:%0A/plain/http://a", "option"), ("/x/notbase64!", "Base64"),
      ("/x/abcde", "Base64"), ("/x/aGk.png.jpg", "extension"), ("/x/plain", "Base64"),
      ("/x/plain/http://a@averylongextension", "extension"), ("/x/plain/http://a@\u{FFFD}", "extension"),
      ("/x/aGk.p%6Eg", "extension"),
      ("/x/" + String(repeating: "w:1/", count: 65) + "plain/http://a", "options"),
      ("/x/plain/http://" + String(repeating: "a", count: 9000), "longer"),
    ])
  func refusals(path: String, word: String) {
    let reason = malformed(path)
    #expect(reason?.contains(word) == true, "\(path.prefix(60)): \(reason ?? "accepted")")
  }

  @Test(
    "A segment that is not an option is named, with how presets are written",
    arguments: [
      ("/x/thumb/plain/https://example.com/a.jpg", "thumb"), ("/x/large/plain/http://a/b.jpg@png", "large"),
      ("/x/w:10/thumb/q:50/plain/http://a", "thumb"), ("/x/rs%20fit/plain/http://a", "rs fit"),
      ("/x/a/b/plain/http://a/plain/b", "a"),
    ])
  func segmentWithoutColon(path: String, segment: String) {
    let reason = "\"\(segment)\" is not an option, because it has no colon; presets are written as preset:name"
    #expect(malformed(path) == reason)
  }

  @Test("Names of presets that look like an option with arguments are an error that says how to write them")
  func presetsAsOption() throws {
    let presets = try ImagePresets(["thumb": "w:10"])
    let url = try ImageURL(path: "/x/thumb:large/plain/http://a")
    let reason = "there is no such option; write preset:thumb, or set only-presets on the server"
    #expect(throws: ServingError.invalidOption("thumb", reason)) { try url.imageOptions(presets: presets, now: 0) }
  }

  @Test("If a server allows only presets, a second segment before /plain/ stays malformed")
  func segmentWithOnlyPresets() {
    for path in ["/x/thumb/w:10/plain/http://a", "/x/thumb/large/plain/http://a"] {
      #expect(throws: ServingError.malformedURL("the source is neither preceded by /plain/ nor in Base64 for URLs")) {
        try ImageURL(path: path, hasOnlyPresets: true)
      }
    }
  }

  @Test("A control character in a source in Base64 is named as the reason")
  func controlCharacters() {
    let path = "/x/w:10/\(Base64URL.encode("local:///a\tb.png".utf8))"
    #expect(throws: ServingError.malformedURL("the source contains a control character")) {
      try ImageURL(path: path)
    }
  }

  @Test("A created URL is parsed to the same values", arguments: [true, false])
  func roundTrip(isEncoded: Bool) throws {
    let options = [ImageOption("rs", "fill", "300", "", "1"), ImageOption("fn", "a/b:c@d e?")]
    let source = "https://example.com/ä b@2x.jpg?size=3&q=%20"
    let url = ImageURL(
      source: source, options: options, fileExtension: "webp", signature: "sig", isEncoded: isEncoded)
    let parsed = try ImageURL(path: url.path)
    #expect(parsed.options == options)
    #expect(parsed.source == source)
    #expect(parsed.fileExtension == "webp")
    #expect(parsed.signature == "sig")
    #expect(parsed.signedPath == url.signedPath)
  }

  @Test("A thousand paths of hostile parts each give a URL or an error, and never too many options")
  func hostilePaths() {
    let pieces = [
      "/", "//", "plain", "plain/", "@", ".", "..", "/../", "%", "%2", "%2F", "%00", "%FF", "%C0%AF", ":", "::::",
      "rs:fill:1:1",
      "w:-1", "w:99999999999999999999", "dpr:nan", "c:1e400", "http://", "http://[::1]", "file:///etc/passwd",
      "local://../..",
      "\u{202E}", "é", "\u{0}", "\r\n", "=", "====", "aGk", "-", "_", "@png@png", "?", "#", "pr:default", "unsafe",
      "\\", "{}",
      String(repeating: "A", count: 4000), String(repeating: "/", count: 300), "exp:1", "<script>", "'", "\"", "$(id)",
      ";",
    ]
    var random = SeededGenerator(seed: 7)
    var accepted = 0
    for _ in 0..<1000 {
      var path = "/unsafe"
      for _ in 0..<Int.random(in: 0...12, using: &random) {
        path += (Bool.random(using: &random) ? "/" : "") + pieces.randomElement(using: &random)!
      }
      if Bool.random(using: &random) { path += "/plain/http://a" }
      guard let url = try? ImageURL(path: path) else { continue }
      accepted += 1
      #expect(url.options.count <= ImageURL.maximumOptionCount)
      #expect(!url.source.isEmpty)
      #expect(!url.source.unicodeScalars.contains { $0.value < 0x20 })
      _ = try? url.imageOptions(now: 0)
    }
    // So that it is no test of refusals alone.
    #expect(accepted > 20)
  }
}
