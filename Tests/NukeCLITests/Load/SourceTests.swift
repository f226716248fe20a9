#if Command
  import Foundation
  import NukeCLI
  import Testing

  @Suite struct SourceTests {
    @Test(
      "URLs are detected by their schemes, ignoring case; others are paths",
      arguments: [
        ("http://example.com/a.jpg", true), ("HTTPS://example.com/a.jpg", true), ("data:,x", true),
        ("file:///a.jpg", true),
        ("a.jpg", false), ("/tmp/a b.jpg", false), ("a:b.jpg", false), ("12:30.jpg", false), ("C:\\a.jpg", false),
      ])
    func kinds(text: String, isURL: Bool) {
      if case .url = Source(text).location { #expect(isURL) } else { #expect(!isURL) }
      #expect(Source(text).url != nil)
    }

    @Test(
      "A URL is the one that a browser loads: escapes stay, and what it cannot contain is escaped",
      arguments: [
        ("http://a.test/a%20b c.png", "http://a.test/a%20b%20c.png"),
        ("https://a.test/x?q=%26 [a]", "https://a.test/x?q=%26%20%5Ba%5D"),
        ("data:image/svg+xml,%3Csvg width='5'/%3E", "data:image/svg+xml,%3Csvg%20width='5'/%3E"),
        ("file:///a%20b c.png", "file:///a%20b%20c.png"),
      ])
    func escapes(text: String, url: String) {
      #expect(Source(text).url?.absoluteString == url)
      #expect(Source(text).textForPrograms == text)
    }

    @Test(
      "An unusable source has a reason",
      arguments: [
        ("", "the name is empty"), ("gopher://example.com/", "gopher: URLs cannot be loaded"),
        ("http:///a.jpg", "the URL has no host"), ("a\u{0}b", "the name contains a zero byte"),
      ])
    func unusable(text: String, reason: String) {
      #expect(Source(text).location == .unusable(reason: reason))
      #expect(Source(text).url == nil)
    }

    @Test(
      "A file is named after its source, and cannot lead to another folder",
      arguments: [
        ("http://example.com/photos/lake.jpg?w=1", "lake"), ("http://example.com/", "example"),
        ("/a/b/lake.tar.gz", "lake.tar"), ("http://example.com/a%2Fb.jpg", "a_b"), ("..", "image"),
        ("/x/.hidden", "hidden"),
        ("data:image/png;base64,AAAA", "image"), ("http://example.com/%0A%1B.jpg", "_"),
      ])
    func stems(text: String, stem: String) {
      #expect(Source(text).stem == stem)
      #expect(!Source(text).stem.contains("/"))
    }

    @Test("The argument - is standard input, which a line of a list cannot be")
    func standardInput() {
      let source = Source(argument: "-")
      #expect(source.location == .standardInput && source.url == nil)
      #expect(source.displayName == "standard input" && source.stem == "image")
      #expect(Source("-").location == .file(path: "-"))
      #expect(Source(argument: "./-").location == .file(path: "./-"))
      for name in ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"] {
        #expect(Source(argument: name).location == .standardInput)
      }
    }

    @Test("A file whose name is not UTF-8 has a URL, its own bytes in the names of outputs, and escapes in messages")
    func bytes() {
      let path = String(system: Array("/a b/caf".utf8) + [0xE9] + Array("%.png".utf8))
      let source = Source(argument: path)
      #expect(source.location == .file(path: path))
      #expect(source.url?.absoluteString == "file:///a%20b/caf%E9%25.png")
      #expect(source.textForPrograms == "file:///a%20b/caf%E9%25.png")
      #expect(source.displayName == "/a b/caf%E9%.png")
      #expect(source.stem.systemBytes == Array("caf".utf8) + [0xE9] + Array("%".utf8))
      #expect(Source("file:///a%20b/caf%E9%25.png").path == path)
      #expect(Source("file:///a%20b/caf%E9%25.png").stem == source.stem)
      // A server does not choose the bytes of a name.
      #expect(Source("http://a.test/caf%E9.png").stem == "caf%E9")
    }

    @Test(
      "What may be secret in a URL is left out, and values of other names stay for programs",
      arguments: [
        ("https://u:p@a.test/x.png", "https://a.test/x.png", "https://a.test/x.png"),
        ("https://a.test/x?w=300&token=abc", "https://a.test/x?w=300&token=…", "https://a.test/x?…"),
        ("https://a.test/x?token=abc&w=300#c", "https://a.test/x?token=…&w=300#c", "https://a.test/x?…"),
        ("https://a.test/x?X-Amz-Date=1&X-Amz-Signature=ab", "https://a.test/x?X-Amz-Date=1&X-Amz-Signature=…", nil),
        ("https://a.test/x?sv=1;sig=a%2Bb=", "https://a.test/x?sv=1;sig=…", nil),
        (
          "https://a.test/x?accessToken=a&api_key=b&keyword=c", "https://a.test/x?accessToken=…&api_key=…&keyword=c",
          nil
        ),
        ("https://a.test/x?token&sig=", "https://a.test/x?token&sig=…", nil),
        ("https://a.test/x#access_token=a", "https://a.test/x#access_token=…", nil),
        ("https://a.test/x??é=1&Password=é", "https://a.test/x??é=1&Password=…", nil),
        ("gopher://u:p@a.test/?token=a", "gopher://a.test/?token=…", "gopher://a.test/?…"),
        ("https://u:p@/x?key=a", "https:///x?key=…", "https:///x?…"),
        ("data:,a?token=b", "data:,a?token=b", "data:,a?token=b"),
        ("/a?token=b", "/a?token=b", "/a?token=b"),
      ] as [(String, String, String?)])
    func secrets(text: String, forPrograms: String, name: String?) {
      #expect(Source(text).textForPrograms == forPrograms)
      if let name { #expect(Source(text).displayName == name) }
    }

    @Test("A long data: URL is shortened")
    func display() {
      let name = Source("data:image/png;base64," + String(repeating: "A", count: 10_000)).displayName
      #expect(name.count < 60)
      #expect(name.hasPrefix("data:image/png;base64,AAA"))
    }
  }

  @Suite struct OutputPlanTests {
    @Test("Equal names get unused numbers, ignoring case")
    func distinct() {
      #expect(OutputPlan.distinct(["a", "b", "a", "A", "a-2", "a"]) == ["a", "b", "a-2", "A-3", "a-2-2", "a-4"])
    }

    @Test("Ten thousand equal names are numbered quickly")
    func many() {
      let names = OutputPlan.distinct(Array(repeating: "image", count: 10_000))
      #expect(Set(names).count == 10_000)
      #expect(names.last == "image-10000")
    }
  }

  @Suite struct OptionValueTests {
    @Test(
      "Limits are in bytes or have a unit",
      arguments: [
        ("1500", 1500), ("500K", 500_000), ("20mb", 20_000_000), ("1G", 1_000_000_000), ("0", nil), ("-5", nil),
        ("5X", nil),
        ("K", nil), ("", nil), ("99999999999G", nil),
      ] as [(String, Int?)])
    func limits(text: String, bytes: Int?) {
      #expect(ByteLimit(argument: text)?.bytes == bytes)
    }

    @Test(
      "Sizes are two numbers of pixels",
      arguments: [
        ("640x480", true), ("1X1", true), ("640", false), ("0x10", false), ("10x", false), ("x10", false),
        ("1x2x3", false),
        ("-1x5", false), ("70000x1", false), ("999999999999999999999x1", false),
      ])
    func sizes(text: String, isSize: Bool) {
      #expect((PixelSize(argument: text) != nil) == isSize)
    }
  }
#endif
