#if Server
  import NukeServing
  import Testing

  @testable import NukeServer

  @Suite("Remembered paths") struct AnsweredPathsTests {
    private func resolved(_ path: String = "/unsafe/w:7/plain/http://a") throws -> ResolvedURL {
      try ResolvedURL(path: path, URLVerifier(signer: nil, allowsUnsigned: true), URLRules(), now: 0)
    }

    @Test("Paths of images are remembered with their parsed requests and their logged form")
    func remembered() throws {
      let paths = AnsweredPaths(prefix: "/images")
      let path = "/images/c2lnbmF0dXJl/w:7/plain/http://a"
      #expect(paths[path] == nil)
      paths.note(path, try resolved())
      #expect(paths[path]?.resolved.request.options.width == 7)
      #expect(paths[path]?.loggedPath == "/images/-/w:7/plain/http://a")
    }

    @Test(
      "Long paths, paths with a query, and other paths are not remembered",
      arguments: [
        "/images/unsafe/w:7/plain/http://a?x", "/images/unsafe/w:7/plain/http://a#x", "//images/unsafe/plain/http://a",
        "/images/info/unsafe/plain/http://a", "/_playground/w:7/plain/http://a", "/unsafe/w:7/plain/http://a",
        "/images/unsafe/w:7/plain/http://a/" + String(repeating: "a", count: 1024),
      ])
    func refused(_ path: String) throws {
      let paths = AnsweredPaths(prefix: "/images")
      paths.note(path, try resolved())
      #expect(paths[path] == nil)
    }

    @Test("The number of remembered paths is limited")
    func bounded() throws {
      let paths = AnsweredPaths(prefix: "", limit: 8)
      let (all, url) = ((0..<100).map { "/unsafe/w:\($0)/plain/http://a" }, try resolved())
      for path in all { paths.note(path, url) }
      #expect(all.filter { paths[$0] != nil }.count <= 8)
    }
  }
#endif
