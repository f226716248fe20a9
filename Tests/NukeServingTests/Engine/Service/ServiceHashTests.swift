#if Server
  import Foundation
  import NukeTesting
  import Testing

  @testable import NukeServing

  @Suite("A service: hashes of sources", .timeLimit(.minutes(1)))
  struct ServiceHashTests {
    /// Of the text `abc`, from RFC 1321 and FIPS 180-4.
    private static let hashes: [(algorithm: SourceHash.Algorithm, digits: String)] = [
      (.md5, "900150983cd24fb0d6963f7d28e17f72"), (.sha1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
      (.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        .sha512,
        "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
          + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
      ),
    ]

    private func request(_ hash: (algorithm: SourceHash.Algorithm, digits: String)) throws -> RenditionRequest {
      var request = ServiceFixture.request(width: 10)
      let bytes = try #require(PercentEncoding.bytes(hexadecimal: hash.digits))
      let hash = try #require(SourceHash(hash.algorithm, bytes))
      request.options.sourceHash = hash
      return request
    }

    @Test("A source with the hash is rendered, and another one is an error that is remembered", arguments: hashes)
    func check(_ hash: (algorithm: SourceHash.Algorithm, digits: String)) async throws {
      let fixture = ServiceFixture(stores: [])
      fixture.answer("abc", ["Cache-Control": "max-age=600"])
      #expect(try await fixture.result(request(hash)).get().text.hasSuffix(" of abc"))
      let other = ServiceFixture(stores: [])
      other.answer("abd", ["Cache-Control": "max-age=600"])
      for _ in 1...2 {
        guard case .failure(.wrongHash) = try await other.result(request(hash)) else {
          Issue.record("the hash is not checked")
          continue
        }
      }
      #expect(other.loader.requests.count == 1)
      #expect(ServingError.wrongHash("MD5").status == 422)
      // Without a hash, the same source is rendered.
      #expect(try await other.result(ServiceFixture.request(width: 10)).get().text.hasSuffix(" of abd"))
    }
  }
#endif
