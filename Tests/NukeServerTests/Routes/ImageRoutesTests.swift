#if Server
  import Foundation
  import HTTPTypes
  import Hummingbird
  import HummingbirdTesting
  import NIOCore
  import NukeCodecs
  import NukeTesting
  import Testing

  @testable import NukeServer

  @Suite("Image routes") struct ImageRoutesTests {
    private let renditions = FakeRenditions()

    private func get(
      _ path: String, _ routes: ImageRoutes? = nil, method: HTTPRequest.Method = .get, headers: HTTPFields = [:]
    ) async throws -> TestResponse {
      try await (routes ?? .fake(renditions)).application().test(.router) { client in
        try await client.execute(uri: path, method: method, headers: headers)
      }
    }

    private func text(_ response: TestResponse) -> String { String(buffer: response.body) }

    @Test("A signed URL returns its image with all response fields")
    func image() async throws {
      let response = try await get(ImageURL.signed([ImageOption("w", "100")]), .fake(renditions, allowsUnsigned: false))
      #expect(response.status == .ok)
      #expect(text(response) == "an image")
      #expect(response.headers[.contentType] == "image/webp")
      #expect(response.headers[.contentLength] == "8")
      #expect(response.headers[.eTag] == "\"abc\"")
      #expect(response.headers[.cacheControl] == "public, max-age=3600")
      #expect(response.headers[.vary] == "Accept")
      #expect(response.headers[.init("X-Request-ID")!]?.isEmpty == false)
      #expect(renditions.log.entries == ["make https://example.com/cat.jpg"])
    }

    @Test("The signature is verified before anything else")
    func signature() async throws {
      let routes = ImageRoutes.fake(renditions, allowsUnsigned: false)
      let good = ImageURL.signed()
      for path in [
        "/unsafe/nonsense:1/plain/x", "/AAAA/nonsense:1/plain/x", String(good.dropLast()), good + "x",
        "/x" + good.dropFirst(2),
      ] {
        let response = try await get(path, routes)
        #expect(response.status == .forbidden)
        #expect(text(response) == "The signature does not match the URL.\n")
      }
      #expect(renditions.log.entries == [])
    }

    @Test("The signature covers the path as it was sent, including escapes")
    func escapes() async throws {
      let routes = ImageRoutes.fake(renditions, allowsUnsigned: false)
      let path = ImageURL.signed(source: "https://example.com/a b/ä%2f?x=1")
      #expect(path.contains("%20"))
      let response = try await get(path, routes)
      #expect(response.status == .ok)
      // The same to every reader, but other bytes.
      let other = path.replacingOccurrences(of: "https", with: "%68ttps")
      #expect(try await get(other, routes).status == .forbidden)
    }

    @Test("An error names the option and the problem")
    func option() async throws {
      let response = try await get("/unsafe/w:100/wobble:3/plain/https://example.com/cat.jpg")
      #expect(response.status == .badRequest)
      #expect(text(response).contains("wobble"))
      #expect(renditions.log.entries == [])
    }

    @Test(
      "A path without a second segment, or below .well-known, is not that of an image",
      arguments: ["/favicon.ico", "//favicon.ico", "/robots.txt?a=/b", "/unsafe/", "/.well-known/plain/http://a"])
    func otherPaths(_ path: String) async throws {
      for method in [HTTPRequest.Method.get, .head, .post, .options] {
        let response = try await get(path, method: method)
        #expect(response.status == .notFound)
        #expect(text(response).contains("/{signature}/{options}/plain/{source}") == (method != .head))
      }
      #expect(renditions.log.entries == [])
      // A prefix does not count.
      try await ImageRoutes.fake(renditions).application(at: "/a/b").test(.router) { client in
        for path in ["/a/b/favicon.ico", "/a/b/.well-known/plain/http://a", "/a/favicon.ico", "/a"] {
          let response = try await client.execute(uri: path, method: .get)
          #expect(response.status == .notFound, "\(path)")
        }
        let malformed = try await client.execute(uri: "/a/b/unsafe/plain/", method: .get)
        #expect(malformed.status == .badRequest)
      }
    }

    @Test(
      "The response to other methods lists those that are accepted",
      arguments: [.post, .put, .patch, .trace, .init("PURGE")!, .init("PROPFIND")!] as [HTTPRequest.Method])
    func otherMethods(_ method: HTTPRequest.Method) async throws {
      let response = try await get(ImageURL.signed(), method: method)
      #expect(response.status == .methodNotAllowed)
      #expect(response.headers[.allow] == "GET, HEAD, OPTIONS")
      #expect(response.headers[.cacheControl] == "no-store")
      #expect(text(response) == "The path of an image accepts only these methods: GET, HEAD, OPTIONS.\n")
      #expect(renditions.log.entries == [])
    }

    @Test("If no other site may read responses, OPTIONS is not allowed")
    func withoutOrigins() async throws {
      var settings = AnswerSettings()
      settings.allowedOrigins = .none
      let routes = ImageRoutes.fake(renditions, settings: settings)
      for method in [HTTPRequest.Method.options, .post] {
        let response = try await get(ImageURL.signed(), routes, method: method)
        #expect(response.status == .methodNotAllowed)
        #expect(response.headers[.allow] == "GET, HEAD")
      }
    }

    @Test(
      "Any other path is a client error",
      arguments: [
        "/", "//", "/unsafe", "/unsafe/", "/unsafe//", "/unsafe/plain/", "/unsafe/plain/%", "/unsafe/plain/%zz",
        "/unsafe/plain/%00", "/unsafe/plain/http://a%00b", "/unsafe/plain/%ff%fe", "/unsafe/w:-1/plain/http://a",
        "/unsafe/w:99999999999999999999/plain/http://a", "/unsafe/plain/cat.jpg", "/unsafe/plain/http://a@b@c",
        "/unsafe/plain/http://a@exe", "/unsafe/../../etc/passwd", "/unsafe/plain/http://a b", "/?", "/unsafe?/plain/x",
        "/unsafe/" + String(repeating: "w:1/", count: 16_000) + "plain/http://a",
        "/" + String(repeating: "/", count: 65_536),
        "/" + String(repeating: "a", count: 65_536), "/unsafe/plain/" + String(repeating: "%41", count: 20_000),
      ])
    func hostile(_ path: String) async throws {
      let response = try await get(path)
      #expect([400, 404].contains(response.status.code))
      #expect(renditions.log.entries == [])
    }

    @Test("A memory hit is returned without suspending")
    func inMemory() async throws {
      let renditions = RenditionsInMemory()
      for isKept in [true, false] {
        renditions.isKept = isKept
        let response = try await get(ImageURL.signed(), .images(renditions, isShort: false))
        #expect(text(response) == "<0>" && response.headers[.eTag] == "\"<0>\"")
      }
      #expect(renditions.log.entries == ["routes", "made"])
    }

    @Test("HEAD renders the image and sends no body")
    func head() async throws {
      let response = try await get(ImageURL.signed(), method: .head)
      #expect(response.status == .ok)
      #expect(response.headers[.contentLength] == "8")
      #expect(response.body.readableBytes == 0)
      #expect(renditions.log.entries.count == 1)
    }

    @Test("OPTIONS lists the methods, and renders nothing")
    func options() async throws {
      let headers: HTTPFields = [.origin: "https://a.example", .accessControlRequestMethod: "GET"]
      let response = try await get(ImageURL.signed(), method: .options, headers: headers)
      #expect(response.status == .noContent)
      #expect(response.headers[.allow] == "GET, HEAD, OPTIONS")
      #expect(response.headers[.accessControlAllowOrigin] == "*")
      #expect(response.headers[.contentLength] == nil)
      #expect(renditions.log.entries == [])
    }

    @Test("The client's Accept field determines the format if the URL does not")
    func negotiation() async throws {
      let renditions = FakeRenditions { request in
        var rendition = FakeRenditions.image
        rendition.data = Data("\(request.format?.rawValue ?? "any")".utf8)
        return rendition
      }
      let routes = ImageRoutes.fake(renditions)
      let headers: HTTPFields = [.accept: "image/webp"]
      #expect(text(try await get(ImageURL.signed(), routes, headers: headers)) == "webp")
      #expect(text(try await get(ImageURL.signed(), routes)) == "any")
      let named = try await get(ImageURL.signed(fileExtension: "png"), routes, headers: headers)
      #expect(text(named) == "png")
      #expect(named.headers[.vary] == nil)
    }

    @Test("A client that already has the image gets 304")
    func notModified() async throws {
      let response = try await get(ImageURL.signed(), headers: [.ifNoneMatch: "\"abc\""])
      #expect(response.status == .notModified)
      #expect(response.headers[.contentLength] == nil)
      #expect(response.body.readableBytes == 0)
    }

    @Test("Ranges of small and large images are sent", arguments: [1000, 300_000])
    func ranges(_ count: Int) async throws {
      let data = Data((0..<count).map { UInt8($0 % 251) })
      let routes = ImageRoutes.fake(FakeRenditions { _ in Self.rendition(data) })
      let end = count - 10
      let part = try await get(ImageURL.signed(), routes, headers: [.range: "bytes=10-\(end)"])
      #expect(part.status == .partialContent)
      #expect(Array(part.body.readableBytesView) == Array(data[10...end]))
      let several = try await get(ImageURL.signed(), routes, headers: [.range: "bytes=0-9,\(end)-"])
      #expect(several.headers[.contentLength] == "\(several.body.readableBytes)")
      #expect(several.headers[.contentType]?.hasPrefix("multipart/byteranges") == true)
    }

    @Test("A large image is complete even if its data is a slice")
    func large() async throws {
      let data = Data((0..<1_000_000).map { UInt8($0 % 251) })[3...]
      let routes = ImageRoutes.fake(FakeRenditions { _ in Self.rendition(data) })
      let response = try await get(ImageURL.signed(), routes)
      #expect(response.headers[.contentLength] == "\(data.count)")
      #expect(Array(response.body.readableBytesView) == Array(data))
    }

    private static func rendition(_ data: Data) -> Rendition {
      Rendition(data: data, contentType: "image/png", entityTag: "\"x\"")
    }

    @Test("Errors have status codes, and texts without host names")
    func errors() async throws {
      for error in [ServingError.sourceFailed("10.0.0.7"), .overloaded(retryAfter: 2), .notAnImage("10.0.0.7")] {
        let routes = ImageRoutes.fake(FakeRenditions { (_) throws(ServingError) in throw error })
        let response = try await get(ImageURL.signed(), routes, headers: [.accept: "application/json"])
        #expect(Int(response.status.code) == error.status)
        #expect(response.headers[.contentType] == "application/json; charset=utf-8")
        #expect(!text(response).contains("10.0.0.7"))
        #expect(response.headers[.retryAfter] == error.retryAfter.map(String.init))
      }
    }

    @Test("A request keeps the client's ID if it is valid")
    func names() async throws {
      let name = HTTPField.Name("X-Request-ID")!
      #expect(try await get(ImageURL.signed(), headers: [name: "client-7"]).headers[name] == "client-7")
      let other = try await get(ImageURL.signed(), headers: [name: "client 7"]).headers[name]
      #expect(other != "client 7" && other != nil)
    }

    @Test("The routes can be added below any path, in groups and after parameters")
    func mounted() async throws {
      let router = Router()
      router.group("/:tenant").addImages(.fake(renditions, allowsUnsigned: false), at: "/images")
      router.get("/health") { _, _ in "well" }
      let app = Application(router: router)
      try await app.test(.router) { client in
        for prefix in ["/acme/images", "//acme//images"] {
          let response = try await client.execute(uri: prefix + ImageURL.signed(), method: .get)
          #expect(response.status == .ok)
        }
        #expect(try await client.execute(uri: "/acme" + ImageURL.signed(), method: .get).status == .notFound)
        #expect(String(buffer: try await client.execute(uri: "/health", method: .get).body) == "well")
      }
    }

    @Test("If only presets are allowed, other options are rejected after the signature was verified")
    func onlyPresets() async throws {
      var rules = URLRules()
      rules.presets = try ImagePresets(["small": "w:10", "sharp": "sh:1"])
      rules.hasOnlyPresets = true
      let routes = ImageRoutes(
        service: renditions, verifier: URLVerifier(signer: ImageRoutes.signer), urlRules: rules,
        now: { ImageRoutes.now })
      func path(_ signed: String) -> String { "/" + ImageRoutes.signer.signature(of: signed) + signed }
      #expect(try await get(path("/small/plain/http://a"), routes).status == .ok)
      #expect(try await get(path("/small:sharp/aHR0cDovL2E"), routes).status == .ok)
      // Twice, since what a path asks for is remembered.
      for _ in 1...2 {
        for signed in ["/small/w:20/plain/http://a", "/w:20/plain/http://a", "/pr:small/plain/http://a"] {
          let response = try await get(path(signed), routes)
          #expect(response.status == .badRequest, "\(signed)")
          #expect(response.headers[.cacheControl] != nil)
        }
      }
      #expect(try await get("/unsafe/small/plain/http://a", routes).status == .forbidden)
      #expect(renditions.log.entries.count == 2)
    }

    @Test("If the source fails, the fallback image is processed instead, and sent with its status and lifetime")
    func fallback() async throws {
      let failing = FakeRenditions { request throws(ServingError) in
        if request.source.host == "fallback" { return FakeRenditions.image }
        throw request.options.width == 1 ? .malformedURL("x") : .sourceNotFound("404")
      }
      let image = FallbackImage(source: URL(string: "http://fallback/x.png")!, freshness: 7)
      let routes = ImageRoutes(
        service: failing, verifier: URLVerifier(signer: nil, allowsUnsigned: true), fallback: image,
        now: { ImageRoutes.now })
      let response = try await get("/unsafe/w:20/plain/http://a", routes)
      #expect(response.status == .ok && text(response) == "an image")
      #expect(response.headers[HTTPField.Name("Fallback-Image")!] == "1")
      #expect(response.headers[.cacheControl] == "public, max-age=7")
      #expect(failing.log.entries == ["make http://a", "make http://fallback/x.png"])
      // A mistake in the URL is no reason for it.
      #expect(try await get("/unsafe/w:1/plain/http://a", routes).status == .badRequest)
      let honest = ImageRoutes(
        service: failing, verifier: URLVerifier(signer: nil, allowsUnsigned: true),
        fallback: FallbackImage(source: image.source, status: nil), now: { ImageRoutes.now })
      let missing = try await get("/unsafe/w:20/plain/http://a", honest)
      #expect(missing.status == .notFound && text(missing) == "an image")
    }

    @Test("The fallback image of a URL takes precedence, and has the status and the lifetime of the settings")
    func namedFallback() async throws {
      let failing = FakeRenditions { request throws(ServingError) in
        if request.source.host == "named" {
          #expect(request.options.sourceHash == nil)
          return FakeRenditions.image
        }
        throw request.options.width == 1 ? .wrongHash("MD5") : .sourceNotFound("404")
      }
      var settings = AnswerSettings()
      (settings.fallbackStatus, settings.fallbackFreshness) = (nil, 9)
      let server = FallbackImage(source: URL(string: "http://fallback/x.png")!)
      let routes = ImageRoutes(
        service: failing, verifier: URLVerifier(signer: nil, allowsUnsigned: true), settings: settings,
        fallback: server, now: { ImageRoutes.now })
      // http://named/y.png
      let named = "fiu:aHR0cDovL25hbWVkL3kucG5n/hs:md5:000102030405060708090a0b0c0d0e0f"
      let response = try await get("/unsafe/\(named)/plain/http://a", routes)
      #expect(response.status == .notFound && text(response) == "an image")
      #expect(response.headers[.cacheControl] == "public, max-age=9")
      #expect(failing.log.entries == ["make http://a", "make http://named/y.png"])
      #expect(try await get("/unsafe/w:1/\(named)/plain/http://a", routes).status == .unprocessableContent)
      #expect(try await get("/unsafe/fiu:YQ/plain/http://a", routes).status == .badRequest)
    }

    @Test("A query is ignored, and is not part of the signature")
    func query() async throws {
      #expect(try await get(ImageURL.signed() + "?utm=1", .fake(renditions, allowsUnsigned: false)).status == .ok)
    }

    @Test("Image information has signatures of its own, and is cached and validated like images")
    func facts() async throws {
      let facts = FakeRenditions { request in
        #expect(request == .facts(of: URL(string: "https://example.com/cat.jpg")!))
        return Rendition(
          data: Data(#"{"width":7}"#.utf8), contentType: "application/json; charset=utf-8", entityTag: "\"f\"",
          freshUntil: ImageRoutes.now + 70)
      }
      let routes = ImageRoutes.fake(facts, allowsUnsigned: false)
      let url = ImageURL(source: "https://example.com/cat.jpg", options: [ImageOption("w", "100")])
      let path = "/info" + ImageRoutes.signer.sign(url, for: .info).path
      let response = try await get(path, routes)
      #expect(text(response) == #"{"width":7}"#)
      #expect(response.headers[.contentType] == "application/json; charset=utf-8")
      #expect(response.headers[.cacheControl]?.hasPrefix("public, max-age=70") == true)
      #expect(try await get(path, routes, headers: [.ifNoneMatch: "\"f\""]).status == .notModified)
      #expect(facts.log.entries.count == 2)
      #expect(try await get("/info/unsafe/plain/http://a", routes).status == .forbidden)
      // Neither signature is valid for the other.
      #expect(try await get("/info" + ImageRoutes.signer.sign(url).path, routes).status == .forbidden)
      #expect(try await get(ImageRoutes.signer.sign(url, for: .info).path, routes).status == .forbidden)
      #expect(facts.log.entries.count == 2)
    }

    @Test("If image information is disabled, it is forbidden, whatever the signature")
    func noFacts() async throws {
      let routes = ImageRoutes.fake(renditions, tellsFacts: false)
      let signed = ImageRoutes.signer.sign(ImageURL(source: "http://a"), for: .info).path
      for path in ["/w:1/plain/http://a", "/unsafe/plain/http://a", signed] {
        #expect(try await get("/info" + path, routes).status == .forbidden)
      }
      #expect(renditions.log.entries == [])
    }

    @Test("An expired URL is rejected, even if it was valid before")
    func expiring() async throws {
      let clock = CallLog()
      let routes = ImageRoutes(
        service: renditions, verifier: URLVerifier(signer: nil, allowsUnsigned: true),
        now: { ImageRoutes.now + 100 * clock.entries.count })
      let path = "/unsafe/exp:\(ImageRoutes.now + 50)/plain/http://example.com/a.png"
      let first = try await get(path, routes)
      #expect(first.headers[.cacheControl] == "public, max-age=50")
      clock.append("tick")
      #expect(try await get(path, routes).status == .notFound)
    }
  }
#endif
