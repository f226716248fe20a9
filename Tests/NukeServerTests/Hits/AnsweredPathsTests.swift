#if Server
  import NukeServing
  import Testing

  @testable import NukeServer

  @Suite("Paths for which images were sent") struct AnsweredPathsTests {
    private func resolved(_ path: String = "/unsafe/w:7/plain/http://a") throws -> ResolvedURL {
      try ResolvedURL(path: path, URLVerifier(signer: nil, allowsUnsigned: true), ImagePresets(), now: 0)
    }

    @Test("are remembered with what they ask for, and as they are logged")
    func remembered() throws {
      let paths = AnsweredPaths(prefix: "/images")
      let path = "/images/c2lnbmF0dXJl/w:7/plain/http://a"
      #expect(paths[path] == nil)
      paths.note(path, try resolved())
      #expect(paths[path]?.resolved.options.width == 7)
      #expect(paths[path]?.loggedPath == "/images/-/w:7/plain/http://a")
    }

    @Test(
      "are not remembered where they are long, have a query, or are none of an image",
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

    @Test("are few, however many there were")
    func bounded() throws {
      let paths = AnsweredPaths(prefix: "", capacity: 4)
      let (all, url) = ((0..<100).map { "/unsafe/w:\($0)/plain/http://a" }, try resolved())
      for path in all { paths.note(path, url) }
      #expect(all.filter { paths[$0] != nil }.count <= 8)
    }
  }
#endif
