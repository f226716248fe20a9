#if Server
  import Foundation
  import NukeServing
  import Testing

  @testable import NukeServer

  @Suite("The cache of parsed URLs") struct ResolvedURLsTests {
    private func urls(_ rules: URLRules = URLRules(), limit: Int = 8) -> ResolvedURLs {
      ResolvedURLs(URLVerifier(signer: ImageRoutes.signer, allowsUnsigned: true), rules, limit: limit)
    }

    @Test("A cached result equals the parsed one")
    func same() throws {
      let urls = urls()
      let path = ImageURL.signed([ImageOption("rs", "fill", "10", "20"), ImageOption("dpr", "1")])
      let (first, second) = (try urls.resolve(path, now: 0), try urls.resolve(path, now: 0))
      for resolved in [first, second] {
        #expect(resolved.request.options.width == 10 && resolved.request.options.height == 20)
        #expect(resolved.hasDPR && resolved.isSigned)
      }
      #expect(urls.count == 1)
      #expect(try !urls.resolve("/unsafe/plain/http://a", now: 0).isSigned)
    }

    @Test("Sources are replaced, completed and normalized, so that equal ones have equal keys")
    func sources() throws {
      var rules = URLRules()
      var sources = SourceRules()
      sources.base = "https://cdn.example.com"
      sources.replacements = [try #require(SourceReplacement("photos/=p/"))]
      rules.sources = sources
      let urls = urls(rules)
      for path in ["photos/a.jpg", "p/a.jpg", "https://CDN.example.com:443/p/a.jpg#top"] {
        let resolved = try urls.resolve("/unsafe/plain/\(path)", now: 0)
        #expect(resolved.source.absoluteString == "https://cdn.example.com/p/a.jpg")
      }
      #expect(throws: ServingError.self) { try urls.resolve("/unsafe/plain/https://example.org/a.jpg", now: 0) }
    }

    @Test("Encrypted sources are decrypted only if the signature is valid")
    func encrypted() throws {
      let cipher = try #require(SourceCipher(key: [UInt8](repeating: 1, count: 16)))
      var rules = URLRules()
      rules.cipher = cipher
      let urls = ResolvedURLs(URLVerifier(signer: ImageRoutes.signer), rules)
      let url = ImageURL(source: "https://a.test/b.jpg").encrypted(by: cipher)
      #expect(
        try urls.resolve(ImageRoutes.signer.sign(url).path, now: 0).source.absoluteString == "https://a.test/b.jpg")
      let damaged = try ImageURL(path: url.path + "AA")
      for path in [url.path, damaged.path] {
        #expect(throws: ServingError.wrongSignature) { try urls.resolve(path, now: 0) }
      }
      let error = #expect(throws: ServingError.self) { try urls.resolve(ImageRoutes.signer.sign(damaged).path, now: 0) }
      #expect(error?.status == 400)
    }

    @Test("The number of cached URLs is limited")
    func bounded() throws {
      let urls = urls()
      for number in 0..<1000 { _ = try urls.resolve("/unsafe/w:\(number)/plain/http://a", now: 0) }
      #expect(urls.count <= 8)
    }

    @Test("Only URLs with a valid signature are cached")
    func good() {
      let urls = urls()
      for path in ["/x/plain/http://a", "/unsafe/wobble:1/plain/http://a", "/unsafe/plain/a", ""] {
        #expect(throws: ServingError.self) { try urls.resolve(path, now: 0) }
      }
      #expect(urls.count == 0)
    }
  }
#endif
