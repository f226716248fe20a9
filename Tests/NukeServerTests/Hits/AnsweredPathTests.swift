#if Server
  import NukeServing
  import Testing

  @testable import NukeServer

  @Suite("Remembered paths") struct AnsweredPathTests {
    private let urls = ResolvedURLs(URLVerifier(signer: nil, allowsUnsigned: true), URLRules(), answeredLimit: 8)

    private func resolved(_ path: String = "/unsafe/w:7/plain/http://a") throws -> ResolvedURL {
      try ResolvedURL(path: path, URLVerifier(signer: nil, allowsUnsigned: true), URLRules(), now: 0)
    }

    @Test("Paths of images are remembered with their parsed requests and their logged form")
    func remembered() throws {
      let path = "/images/c2lnbmF0dXJl/w:7/plain/http://a"
      #expect(urls.answered(path) == nil)
      urls.noteAnswered(path, try resolved(), prefix: "/images")
      #expect(urls.answered(path)?.resolved.request.options.width == 7)
      #expect(urls.answered(path)?.loggedPath == "/images/-/w:7/plain/http://a")
    }

    @Test(
      "Long paths, paths with a query, and other paths are not remembered",
      arguments: [
        "/images/unsafe/w:7/plain/http://a?x", "/images/unsafe/w:7/plain/http://a#x", "//images/unsafe/plain/http://a",
        "/images/info/unsafe/plain/http://a", "/_playground/w:7/plain/http://a", "/unsafe/w:7/plain/http://a",
        "/images/unsafe/w:7/plain/http://a/" + String(repeating: "a", count: 1024),
      ])
    func refused(_ path: String) throws {
      urls.noteAnswered(path, try resolved(), prefix: "/images")
      #expect(urls.answered(path) == nil)
    }

    @Test("Paths that are equal strings but different bytes name different sources")
    func spellings() throws {
      for (first, second) in [("\u{e9}", "e\u{301}"), ("K", "\u{212a}"), ("\u{212a}", "K")] {
        let paths = [first, second].map { "/unsafe/plain/local:///\($0).png" }
        #expect(paths[0] == paths[1])
        let sources = try paths.map { path in
          let resolved = try urls.resolve(path, now: 0)
          urls.noteAnswered(path, resolved, prefix: "")
          return urls.answered(path)?.resolved.source ?? resolved.source
        }
        #expect(sources[0] != sources[1])
      }
    }

    @Test("The number of remembered paths is limited")
    func bounded() throws {
      let (all, url) = ((0..<100).map { "/unsafe/w:\($0)/plain/http://a" }, try resolved())
      for path in all { urls.noteAnswered(path, url, prefix: "") }
      #expect(all.filter { urls.answered($0) != nil }.count <= 8)
    }

    @Test("A path that was verified with a revoked key is not remembered, also if its image is sent after the change")
    func revoked() throws {
      let path = "/unsafe/w:7/plain/http://a"
      let before = try urls.resolve(path, now: 0)
      urls.noteAnswered(path, before, prefix: "")
      #expect(urls.answered(path) != nil)
      urls.use(URLVerifier(signer: nil, allowsUnsigned: true), URLRules())
      #expect(urls.answered(path) == nil)
      urls.noteAnswered(path, before, prefix: "")
      #expect(urls.answered(path) == nil)
      urls.noteAnswered(path, try urls.resolve(path, now: 0), prefix: "")
      #expect(urls.answered(path) != nil)
    }
  }
#endif
