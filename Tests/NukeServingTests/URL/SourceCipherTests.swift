#if Server
  import Foundation
  import Testing

  @testable import NukeServing

  @Suite("Encrypted sources") struct SourceCipherTests {
    /// The key and the initialization vector of imgproxy's own example.
    private static let key = "1eb5b0e971ad7f45324c1bb15c947cb207c43152fa5c6c7f35c4f36e0c18e0f1"
    private let cipher = SourceCipher(key: PercentEncoding.bytes(hexadecimal: key)!)!
    private let vector = PercentEncoding.bytes(hexadecimal: "a79563a2b35d86cee6451c3c800f535a")!
    private let encryptedExample =
      "p5VjorNdhs7mRRw8gA9TWoRlGci3l1kuzqN43UQlRaRIQ0qtBKW3qFABIsx-ZRz_cVc8iVTYbhsNsxNBL1BHaQ"

    private var rules: URLRules {
      var rules = URLRules()
      rules.cipher = cipher
      return rules
    }

    private func source(_ text: String, _ rules: URLRules) throws -> String {
      try rules.source(of: try rules.url(path: "/x/w:1/enc/" + text)).absoluteString
    }

    @Test("imgproxy's published example is decrypted and encrypted as published")
    func example() throws {
      let text = "http://example.com/images/curiosity.jpg"
      #expect(try source(encryptedExample, rules) == text)
      #expect(Base64URL.encode(cipher.encrypt(text, vector: vector)) == encryptedExample)
    }

    @Test(
      "Shorter keys select AES-128 and AES-192",
      arguments: [
        // By `openssl enc -aes-128-cbc`, with the beginning of the key above.
        (16, "p5VjorNdhs7mRRw8gA9TWrnc3wDGELoycUud0Slprn0"), (24, "p5VjorNdhs7mRRw8gA9TWu_oC1EVch5m7FxBW4G3Buw"),
      ])
    func sizes(count: Int, text: String) throws {
      let key = try #require(PercentEncoding.bytes(hexadecimal: Self.key))
      let cipher = try #require(SourceCipher(key: Array(key.prefix(count))))
      #expect(cipher.decrypt(Base64URL.decode(text.utf8)!) == "http://a/b")
      #expect(Base64URL.encode(cipher.encrypt("http://a/b", vector: vector)) == text)
    }

    @Test("A key has 16, 24 or 32 bytes")
    func keys() {
      for count in 0...64 {
        #expect((SourceCipher(key: Array(repeating: 1, count: count)) != nil) == [16, 24, 32].contains(count))
      }
    }

    @Test("Texts of all lengths are restored, and equal texts have equal results")
    func lengths() {
      for count in 1...64 {
        let text = String(repeating: "é", count: count)
        let encrypted = cipher.encrypt(text)
        let blockCount = 2 + 2 * count / 16
        #expect(encrypted.count == 16 * blockCount)
        #expect(cipher.decrypt(encrypted) == text)
        #expect(encrypted == cipher.encrypt(text))
        #expect(encrypted.prefix(16) != cipher.encrypt(text + "a").prefix(16))
      }
    }

    @Test("The path may have slashes, an extension, and a name that is ignored, in place of options too")
    func paths() throws {
      let half = encryptedExample.index(encryptedExample.startIndex, offsetBy: 40)
      let parted = "\(encryptedExample[..<half])/\(encryptedExample[half...])"
      let url = try ImageURL(path: "/x/w:1/enc/\(parted).webp")
      #expect((url.isEncrypted, url.source, url.fileExtension) == (true, encryptedExample, "webp"))
      #expect(url.signedPath == "/w:1/enc/\(parted).webp")
      let named = try ImageURL(path: "/x/enc/\(parted)/name.jpg", hasFilenames: true)
      #expect((named.isEncrypted, named.source, named.fileExtension) == (true, encryptedExample, nil))
      for path in ["/x/small/enc/\(encryptedExample)", "/x/enc/\(encryptedExample)"] {
        let url = try ImageURL(path: path, hasOnlyPresets: true)
        #expect((url.isEncrypted, url.source) == (true, encryptedExample))
        #expect(url.options.count == (path.contains("small") ? 1 : 0))
      }
      // Escaped or last, these are other things.
      #expect(try !ImageURL(path: "/x/plain/http://a/enc/b").isEncrypted)
      #expect(throws: ServingError.self) { try ImageURL(path: "/x/enc/") }
      #expect(throws: ServingError.self) { try ImageURL(path: "/x/enc/!") }
    }

    @Test("An encrypted URL to send has the encrypted source, and the same options and format")
    func sent() throws {
      let url = ImageURL(source: "https://a.test/b c", options: [ImageOption("w", "1")], fileExtension: "png")
      let encrypted = url.encrypted(by: cipher)
      let parsed = try ImageURL(path: encrypted.path)
      #expect(parsed == encrypted && parsed.isEncrypted && parsed.fileExtension == "png")
      #expect(encrypted.encrypted(by: cipher) == encrypted)
      #expect(try rules.source(of: encrypted) == rules.source(of: url))
    }

    /// Returns blocks whose decrypted bytes are these.
    private func encrypted(_ blocks: [UInt8]) -> String {
      // The block before a block of CBC is added to it, so that a zero block and the vector show any bytes.
      let zero = [UInt8](repeating: 0, count: 16)
      let known = Array(cipher.encrypt(String(repeating: "\0", count: 15), vector: zero).suffix(16))
      let plain = [UInt8](repeating: 0, count: 15) + [1]
      precondition(blocks.count == 16)
      return Base64URL.encode(zip(plain, blocks).map { $0 ^ $1 } + known)
    }

    @Test("All failures have the same error, whether the padding is valid or not")
    func failures() throws {
      var strict = rules
      var sources = SourceRules()
      sources.allowed = [try #require(SourcePattern("https://allowed.test/"))]
      strict.sources = sources
      let text = Array("https://bad.test".utf8.prefix(13))
      let padded: [(String, [UInt8])] = [
        ("valid, not allowed", text + [3, 3, 3]), ("of zero", text + [3, 3, 0]), ("of 17", text + [17, 17, 17]),
        ("of 255", text + [255, 255, 255]), ("uneven", text + [3, 2, 3]), ("uneven at its start", text + [2, 3, 3]),
        ("valid, empty text", [UInt8](repeating: 16, count: 16)),
        ("valid, no URL", Array("a".utf8) + Array(repeating: 15, count: 15)),
        ("valid, not UTF-8", [255] + Array(repeating: 15, count: 15)),
        ("valid, control character", [10] + Array(repeating: 15, count: 15)),
      ]
      var inputs = padded.map { ($0.0, encrypted($0.1)) }
      inputs += [
        ("one block", Base64URL.encode(vector)), ("half a block", Base64URL.encode(vector + vector + [1, 2])),
        ("another key", Base64URL.encode(SourceCipher(key: vector)!.encrypt("https://allowed.test/a"))),
      ]
      var errors: Set<ServingError> = []
      for (name, input) in inputs {
        do throws(ServingError) {
          _ = try strict.source(of: try strict.url(path: "/x/enc/" + input))
          Issue.record("\(name) is accepted")
        } catch {
          errors.insert(error)
        }
      }
      var keyless = strict
      keyless.cipher = nil
      let error = #expect(throws: ServingError.self) { try source(encryptedExample, keyless) }
      errors.insert(try #require(error))
      #expect(errors.count == 1 && errors.first?.status == 400, "\(errors)")
      #expect(try source(encrypted(Array("https://a.te".utf8) + [4, 4, 4, 4]), rules) == "https://a.te")
    }
  }
#endif
