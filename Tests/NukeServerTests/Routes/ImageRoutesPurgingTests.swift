#if Server
  import Foundation
  import HTTPTypes
  import Hummingbird
  import HummingbirdTesting
  import NukeBase
  import NukeCodecs
  import NukeImaging
  import NukeTesting
  import Testing

  @testable import NukeServer

  @Suite("Image routes: DELETE") struct ImageRoutesPurgingTests {
    private static let signer = URLSigner([.init(key: Array("purge".utf8), salt: Array("salt".utf8))])
    private let purger = FakePurger()

    private func delete(
      _ path: String, isEnabled: Bool = true, headers: HTTPFields = [:]
    ) async throws -> TestResponse {
      var routes = ImageRoutes.fake(FakeRenditions())
      routes.purging = isEnabled ? purger : nil
      routes.urls = ResolvedURLs(
        URLVerifier(signer: ImageRoutes.signer, allowsUnsigned: true, purgeSigner: Self.signer), URLRules())
      return try await routes.application().test(.router) { client in
        try await client.execute(uri: path, method: .delete, headers: headers)
      }
    }

    private func signed(_ options: [ImageOption] = []) -> String {
      Self.signer.sign(ImageURL(source: "https://example.com/cat.jpg", options: options), for: .purge).path
    }

    @Test("A DELETE request with a signature for purges purges the source of its URL")
    func purges() async throws {
      let response = try await delete(signed([ImageOption("w", "100")]))
      #expect(response.status == .noContent)
      #expect(response.headers[.cacheControl] == "no-store")
      #expect(try await delete("/favicon.ico").status == .notFound)
      let purge = try #require(purger.purges.first)
      #expect(purger.purges.count == 1 && purge.source.absoluteString == "https://example.com/cat.jpg")
      // One result for each format that clients may get, and the facts.
      #expect(purge.results.contains(.facts(of: purge.source)))
      let images = purge.results.filter { $0.output == .image }
      #expect(images.allSatisfy { $0.options.width == 100 })
      let formats = Set(images.map(\.format))
      #expect(formats.contains(nil) && formats.contains(.webp))
    }

    @Test("Nothing but a signature for purges is accepted: no signature for the image, no placeholder, no other URL")
    func forbidden() async throws {
      let url = ImageURL(source: "https://example.com/cat.jpg")
      let other = Self.signer.sign(ImageURL(source: "https://example.com/dog.jpg"), for: .purge)
      for path in [
        ImageURL.signed(), "/unsafe/plain/https://example.com/cat.jpg", Self.signer.sign(url).path,
        ImageRoutes.signer.sign(url, for: .purge).path, "/\(other.signature)\(url.signedPath)",
      ] {
        let response = try await delete(path)
        #expect(response.status == .forbidden, "\(path)")
      }
      // Metadata is purged with its image.
      for path in [signed(), ImageRoutes.signer.sign(url, for: .info).path] {
        #expect(try await delete("/info" + path).status == .badRequest)
      }
      #expect(purger.purges.isEmpty)
    }

    @Test("Without keys for purges, or a service that purges, DELETE is not allowed")
    func disabled() async throws {
      let withoutKeys = ImageRoutes.fake(FakeRenditions())
      var responses = [try await delete(signed(), isEnabled: false)]
      responses.append(
        try await withoutKeys.application().test(.router) { client in
          try await client.execute(uri: signed(), method: .delete)
        })
      for response in responses {
        #expect(response.status == .methodNotAllowed)
        #expect(response.headers[.allow] == "GET, HEAD, OPTIONS")
      }
      #expect(purger.purges.isEmpty)
    }

    @Test("If the other nodes will not learn of it, the response says so and when to try again")
    func notShared() async throws {
      purger.fail(.purgeNotShared)
      let response = try await delete(signed())
      #expect(response.status == .serviceUnavailable && response.headers[.init("Retry-After")!] == "5")
      #expect(String(buffer: response.body).contains("only on this server"))
    }

    @Test("An expired purge is rejected, so that it cannot be repeated later")
    func expired() async throws {
      #expect(try await delete(signed([ImageOption("exp", "\(ImageRoutes.now - 1)")])).status == .notFound)
      #expect(purger.purges.isEmpty)
    }
  }

  /// Records what it is to purge.
  private final class FakePurger: RenditionPurging {
    private let state = Lock<(purges: [(source: URL, results: [RenditionRequest])], error: ServingError?)>(([], nil))

    var purges: [(source: URL, results: [RenditionRequest])] { state.withLock { $0.purges } }

    func fail(_ error: ServingError) { state.withLock { $0.error = error } }

    func purge(_ source: URL, results: [RenditionRequest]) async throws(ServingError) {
      let error = state.withLock { state in
        state.purges.append((source, results))
        return state.error
      }
      if let error { throw error }
    }
  }
#endif
