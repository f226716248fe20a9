#if Server
  import Foundation
  import Testing

  @testable import NukeServing

  @Suite("URL signatures")
  struct URLSignerTests {
    /// imgproxy's own example: "secret" and "hello".
    private let pair = URLSigner.Pair(hexKey: "736563726574", hexSalt: "68656C6C6F")!
    private let path = "/fill/300/400/sm/0/aHR0cDovL2V4YW1w/bGUuY29tL2ltYWdl/cy9jdXJpb3NpdHku/anBn.png"

    @Test("imgproxy's published example has its published signature")
    func example() {
      #expect(URLSigner([pair]).signature(of: path) == "AfrOrF3gWeDA6VOlDG4TzxMv39O7MXnF4CXpKUwGqRM")
    }

    @Test("A signed URL is valid, and any change makes it invalid")
    func changes() throws {
      let signer = URLSigner([pair])
      let url = signer.sign(ImageURL(source: "http://a/b.jpg", options: [ImageOption("w", "10")]))
      #expect(signer.isSigned(url))
      #expect(signer.isSigned(try ImageURL(path: url.path)))
      #expect(signer.isSigned(try ImageURL(path: url.path.replacing(url.signature, with: url.signature + "="))))
      for changed in [
        url.path.replacing("w:10", with: "w:11"), url.path.replacing("b.jpg", with: "c.jpg"), url.path + "@png",
        "/unsafe" + url.signedPath, "/" + url.signature.dropLast() + url.signedPath,
        "/" + url.signature + "AA" + url.signedPath, "/" + url.signature.lowercased() + url.signedPath,
      ] {
        #expect(try !signer.isSigned(ImageURL(path: changed)), "\(changed)")
      }
    }

    @Test("Keys can be rotated: old ones are valid, and the first one signs")
    func severalPairs() throws {
      let new = URLSigner.Pair(key: [1, 2, 3], salt: [4])
      let url = ImageURL(source: "http://a")
      let both = URLSigner([new, pair])
      #expect(both.isSigned(URLSigner([pair]).sign(url)))
      #expect(both.sign(url).signature == URLSigner([new]).signature(of: url.signedPath))
      #expect(!URLSigner([new]).isSigned(URLSigner([pair]).sign(url)))
    }

    @Test("A shorter signature is a prefix of the whole one")
    func sizes() {
      let url = ImageURL(source: "http://a")
      let short = URLSigner([pair], size: 9)
      #expect(URLSigner([pair]).signature(of: url.signedPath).hasPrefix(short.signature(of: url.signedPath)))
      #expect(short.isSigned(short.sign(url)))
      #expect(!short.isSigned(URLSigner([pair]).sign(url)))
    }

    @Test("Keys are hexadecimal and not empty", arguments: ["", "0", "zz", "0x12"])
    func badKeys(text: String) {
      #expect(URLSigner.Pair(hexKey: text, hexSalt: "00") == nil)
      #expect(URLSigner.Pair(hexKey: "00", hexSalt: text) == nil)
    }

    @Test("A trusted signature is accepted for every URL, as a whole")
    func trusted() throws {
      let verifier = URLVerifier(signer: URLSigner([pair]), trustedSignatures: ["internal", "other"])
      func isAccepted(_ signature: String) throws -> Bool {
        let url = try ImageURL(path: "/\(signature)/w:10/plain/http://a")
        return (try? verifier.verify(url)) != nil && verifier.isSigned(url)
      }
      #expect(try isAccepted("internal") && isAccepted("other"))
      for signature in ["interna", "internal2", "Internal", "unsafe"] { #expect(try !isAccepted(signature)) }
    }

    @Test(
      "A bearer token is compared as a whole, and its scheme without regard to case",
      arguments: [
        ("Bearer secret", true), ("bearer  secret", true), ("Bearer secre", false), ("Bearer secret2", false),
        ("Bearer Secret", false), ("Basic secret", false), ("secret", false), ("Bearer", false), ("Bearer ", false),
        ("", false), (nil, false),
      ] as [(String?, Bool)])
    func bearerTokens(field: String?, isAccepted: Bool) {
      #expect(URLVerifier(signer: nil, bearerToken: "secret").accepts(authorization: field) == isAccepted)
      #expect(URLVerifier(signer: nil).accepts(authorization: field))
    }

    @Test("Unsigned URLs are accepted only if that is enabled, with placeholders for signatures if there are keys")
    func unsigned() throws {
      let verifier = URLVerifier(signer: URLSigner([pair]), allowsUnsigned: true)
      try verifier.verify(ImageURL(source: "http://a", signature: "unsafe"))
      try verifier.verify(ImageURL(source: "http://a", signature: "insecure"))
      #expect(throws: ServingError.wrongSignature) {
        try verifier.verify(ImageURL(source: "http://a", signature: "anything"))
      }
      try URLVerifier(signer: nil, allowsUnsigned: true).verify(ImageURL(source: "http://a", signature: "_"))
      #expect(throws: ServingError.wrongSignature) {
        try URLVerifier(signer: URLSigner([pair])).verify(ImageURL(source: "http://a", signature: "unsafe"))
      }
      #expect(throws: ServingError.wrongSignature) {
        try URLVerifier(signer: nil).verify(ImageURL(source: "http://a", signature: ""))
      }
    }

    @Test("Purges need a signature of their own, with a key for purges; nothing else is accepted for them")
    func purges() throws {
      let purging = URLSigner([URLSigner.Pair(key: [1], salt: [2])])
      let url = ImageURL(source: "http://a")
      var verifier = URLVerifier(
        signer: URLSigner([pair]), allowsUnsigned: true, trustedSignatures: ["internal"], purgeSigner: purging)
      let signed = purging.sign(url, for: .purge)
      try verifier.verify(signed, for: .purge)
      #expect(verifier.isSigned(signed, for: .purge) && !verifier.isSigned(signed))
      let others = [
        purging.sign(url), URLSigner([pair]).sign(url), URLSigner([pair]).sign(url, for: .purge),
        ImageURL(source: "http://a", signature: "unsafe"), ImageURL(source: "http://a", signature: "internal"),
      ]
      for other in others {
        #expect(throws: ServingError.wrongSignature) { try verifier.verify(other, for: .purge) }
        #expect(!verifier.isSigned(other, for: .purge))
      }
      // Without a key, nothing can be purged, not even if URLs need no signatures.
      verifier = URLVerifier(signer: nil, allowsUnsigned: true)
      #expect(throws: ServingError.wrongSignature) { try verifier.verify(signed, for: .purge) }
    }

    /// As the package `imgproxy` 1.0.0 of PyPI wrote them with these keys.
    @Test(
      "URLs of a client from PyPI are valid and have the expected options",
      arguments: [
        (
          "/MdaqvgneuOQZkAm-JwVcRiUxMMxN0nSAUugGT848IT4/g:ce/rs:auto:800:400:0/aHR0cHM6Ly9leGFtcGxlLmNvbS9jYXQuanBn",
          "rs:auto:800:400"
        ),
        (
          "/K9yaJDEFehqcIMER8b3LBaz0Ucl04JawE8RTr-NnOJw/g:ce/rs:fill:100:50:0/aHR0cHM6Ly9leGFtcGxlLmNvbS9jYXQuanBn.webp",
          "rs:fill:100:50/f:webp"
        ),
        (
          "/0LM02IJ3u463sNOuHLo4U60qGjTwfhXQfUl35ji4D4M/pd:10:10:10:10/bg:F00/g:nowe/rs:auto:0:0:1/"
            + "aHR0cHM6Ly9leGFtcGxlLmNvbS9jYXQuanBn", "pd:10/bg:FF0000/g:nowe/rt:auto/el:1"
        ),
      ])
    func client(path: String, meaning: String) throws {
      let url = try ImageURL(path: path)
      try URLVerifier(signer: URLSigner([pair])).verify(url)
      #expect(url.source == "https://example.com/cat.jpg")
      #expect(try url.imageOptions(now: 0) == ImageURL(path: "/x/\(meaning)/plain/a").imageOptions(now: 0))
    }
  }
#endif
